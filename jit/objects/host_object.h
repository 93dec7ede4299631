// Kernels ahead of time: LLVM IR, and object files with a C header, for this host or another one.
// Needs the LLVM backend; a build without it answers with a diagnostic.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ir/result.h"
#include "ir/spec.h"
#include "runtime/host/host_features.h"

namespace pto::jit {

struct ObjectOptions {
  std::string symbol = {};                    // empty: host_symbol(spec)
  std::string triple = {};                    // empty: this host's
  std::string cpu = {};                       // empty: as `level` says here, the least elsewhere
  FeatureLevel level = FeatureLevel::Native;  // where neither triple nor cpu is given
};

// `void symbol(const struct ptojit_frame*)`. Of other symbols it needs at most memcpy and memset.
struct HostObject {
  std::string symbol;
  std::vector<std::byte> bytes;
  std::string header;  // C or C++: declares the frame and the entry
};

Result<std::string> emit_llvm_ir(const KernelSpec& spec, const ObjectOptions& options = {});
Result<HostObject> emit_object(const KernelSpec& spec, const ObjectOptions& options = {});

// An identifier made from a spec's mnemonic and a hash of its text: the same in every build.
std::string host_symbol(const KernelSpec& spec);

}  // namespace pto::jit
