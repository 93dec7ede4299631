// emit_source: a spec as source text for its target.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/result.h"
#include "ir/spec.h"
#include "jit/text/assembler/line_text.h"
#include "targets/placement.h"

namespace pto::jit {

enum class SourceForm : std::uint8_t { Intrinsic, Expanded, PtoAs, PtoLine };

struct SourceOptions {
  SourceForm form = SourceForm::Intrinsic;
  std::optional<Placement> placement = {};  // kernels: manual where there is something to place
  LineLevel level = LineLevel::Sync;        // of a line
  std::string name = {};  // of a kernel, also in a module; by default made of its mnemonic
};

// Deterministic, and readable as if written by hand. What a form cannot express is a diagnostic.
Result<std::string> emit_source(const KernelSpec& spec, const SourceOptions& options = {});

}  // namespace pto::jit
