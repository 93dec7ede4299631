// What the forms of `ptojit emit` share: the options, and what comes out.
#pragma once

#include <string>

#include "ir/result.h"
#include "ir/spec.h"
#include "runtime/host_features.h"

namespace pto::jit::cli {

struct EmitOptions {
  std::string spec;
  std::string form = "intrinsic";
  std::string level = "native";
  std::string triple;
  std::string cpu;
  std::string symbol;
  std::string file;       // empty: standard output
  std::string directory;  // instead of `file`: files are named after the kernel's symbol
};

struct Emitted {
  std::string content;
  std::string header = {};  // of an object; empty: none
  std::string name = {};    // of the file in a directory
  bool is_text = true;
};

// What --features says.
Result<FeatureLevel> level_of(const std::string& name);

// Host code by LLVM (emit_host.cpp).
Result<Emitted> emit_llvm_ir_form(const KernelSpec& spec, const EmitOptions& options);
Result<Emitted> emit_object_form(const KernelSpec& spec, const EmitOptions& options);

}  // namespace pto::jit::cli
