// The public interface: build or read a spec, compile it, call it. Users include it, and it alone,
// as <ptojit/ptojit.h>; programs in C have <ptojit/c.h>.
//
//   const auto spec = parse("a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]");
//   const auto kernel = compile(*spec);   // Result<Kernel>, or what is wrong and why
//   (*kernel)(frame);                     // one indirect call, nothing checked
//   call(*spec, {.buffers = views});      // everything checked first
//   emit_source(*spec);                   // Result<std::string>: a kernel for the NPU
//
// Tables beyond the caches are best kept in a LargeBuffer, which asks for 2 MB pages.
//
// All functions are thread-safe. Errors are values; no exception leaves the library and it writes
// to no stream. What a process may want of all calls, by variables or by use_environment, is in
// jit/options/environment.h.
#pragma once

#include "ir/diagnostic.h"
#include "ir/frame.h"
#include "ir/result.h"
#include "ir/spec.h"
#include "ir/spec_text.h"
#include "jit/backends/watching/disassembly.h"
#include "jit/calls/checked_call.h"
#include "jit/calls/parallel/invoke_parallel.h"
#include "jit/calls/ranks/scatter.h"
#include "jit/compile/compile.h"
#include "jit/compile/host_object.h"
#include "jit/options/environment.h"
#include "jit/text/emit_source.h"
#include "jit/version.h"
#include "runtime/large_buffer.h"
#include "targets/binding.h"
#include "targets/planner.h"
#include "targets/verify.h"
