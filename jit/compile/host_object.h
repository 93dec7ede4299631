// Kernels ahead of time: LLVM IR, text for an assembler, and object files with a C header, for this
// host or another one. Needs the LLVM backend; a build without it answers with a diagnostic.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "ir/frame.h"
#include "ir/result.h"
#include "ir/spec.h"
#include "runtime/host/host_features.h"

namespace pto::jit {

struct ObjectOptions {
  std::string symbol = {};                      // empty: host_symbol(spec)
  std::string triple = {};                      // empty: this host's
  std::string cpu = {};                         // instead of a level
  FeatureLevel level = FeatureLevel::Baseline;  // Native: the best of this host
};

// `void symbol(const struct ptojit_frame*)`. Of other symbols it needs at most memcpy and memset.
struct HostObject {
  std::string symbol;
  std::vector<std::byte> bytes;
  std::string header;  // C or C++: declares the frame and the entry, says what the code needs
};

Result<std::string> emit_llvm_ir(const KernelSpec& spec, const ObjectOptions& options = {});
Result<std::string> emit_assembly(const KernelSpec& spec, const ObjectOptions& options = {});
Result<HostObject> emit_object(const KernelSpec& spec, const ObjectOptions& options = {});

// The code of that object in this process; one that this host cannot run is an error.
Result<std::function<void(const Frame&)>> load_object(const KernelSpec& spec,
                                                      const ObjectOptions& options = {});

// An identifier made from a spec's mnemonic and a hash of its text: the same in every build.
std::string host_symbol(const KernelSpec& spec);

}  // namespace pto::jit
