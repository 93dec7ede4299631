// The public interface: build or read a spec, compile it, call it.
//
//   auto spec = pto::jit::parse("a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8]
//   table=f32[64x32]"); auto kernel = pto::jit::compile(*spec);          // Result<Kernel>:
//   diagnostics say what is wrong
//   (*kernel)(frame);                                // one indirect call, nothing checked
//   pto::jit::call(*spec, {.buffers = views});       // everything checked first
//
// All functions are thread-safe. Errors are values; no exception leaves the library and it writes
// to no stream. runtime/environment.h lists the environment variables.
#pragma once

#include "ir/diagnostic.h"
#include "ir/frame.h"
#include "ir/result.h"
#include "ir/spec.h"
#include "ir/spec_text.h"
#include "jit/checked_call.h"
#include "jit/compile.h"
#include "jit/host_object.h"
#include "jit/object_cache.h"
#include "targets/binding.h"
#include "targets/verify.h"

namespace pto::jit {

enum class SourceForm : std::uint8_t { Intrinsic, Expanded, PtoAs, PtoLine };

// NPU source text for the spec's target.
Result<std::string> emit_source(const KernelSpec& spec, SourceForm form = SourceForm::Intrinsic);

}  // namespace pto::jit
