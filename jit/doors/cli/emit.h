// What the forms of `ptojit emit` share: the options, and what comes out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"
#include "jit/checks/source_check.h"
#include "jit/text/emit_source.h"
#include "runtime/host/host_features.h"
#include "targets/verify.h"

namespace pto::jit::cli {

class Arguments;

enum class Form : std::uint8_t { Intrinsic, Expanded, PtoAs, PtoLine, LlvmIr, Asm, Object };

struct EmitOptions {
  std::string spec;
  Result<Form> form = Form::Intrinsic;
  Result<std::optional<Placement>> placement = std::optional<Placement>();  // as the target has it
  Result<LineLevel> level = LineLevel::Sync;
  Result<std::optional<FeatureLevel>> features = std::optional<FeatureLevel>();  // the form's own
  std::string triple;
  std::string cpu;
  std::string bind;
  std::string name;       // of the function; empty: made of the spec
  std::string file;       // empty: standard output
  std::string directory;  // instead of `file`: files under names of their own
  std::string trace;      // of the check; empty: none
  bool check = false;
  bool json = false;
};

struct EmittedFile {
  std::string name;
  std::string content;
};

struct Emitted {
  std::string content;             // for standard output or one file
  std::string header = {};         // of an object, beside that file; empty: none
  std::vector<EmittedFile> files;  // for a directory
  std::string remark = {};         // what a check did; printed where the content does not say it
  std::optional<Checked> checked = {};
  bool is_text = true;
};

// "For llvm-ir, asm, obj: ...": the forms an option goes with, and what it is (emit_options.cpp).
std::string help_of(std::string_view option);
// An option that was given and would have no effect is an error that names what it goes with.
Result<Done> check_options(Form form, const Arguments& given);

Result<Form> parse_form(const std::string& name);

// Text for devices (emit_source.cpp).
Result<Emitted> emit_kernel_form(const LegalSpec& legal, const EmitOptions& options);
Result<Emitted> emit_module_form(const LegalSpec& legal, const EmitOptions& options);
Result<Emitted> emit_line_form(const LegalSpec& legal, const EmitOptions& options);

// Code for hosts (emit_host.cpp).
Result<Emitted> emit_asm_form(const LegalSpec& legal, const EmitOptions& options);
Result<Emitted> emit_llvm_ir_form(const LegalSpec& legal, const EmitOptions& options);
Result<Emitted> emit_object_form(const LegalSpec& legal, const EmitOptions& options);

}  // namespace pto::jit::cli
