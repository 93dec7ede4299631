// The C interface to kernels: made, called with a frame or with buffers that are checked, cached.
#include <cstring>
#include <vector>

#include "jit/backends/watching/disassembly.h"
#include "jit/calls/checked_call.h"
#include "jit/compile/compile.h"
#include "jit/doors/c/answer.h"

using namespace pto::jit;  // NOLINT(google-build-using-namespace)
using c::answer;

// The structs of C are those of ir/frame.h, whose list a test holds against the header.
static_assert(sizeof(ptojit_frame) == sizeof(Frame));
static_assert(sizeof(ptojit_audit_report) == sizeof(AuditReport));

namespace {

Diagnostic unknown(std::string_view what, const char* name) {
  return error("c." + std::string(what), "'" + printable(name) + "' is no " + std::string(what));
}

Result<CompileOptions> options_of(const ptojit_options* options) {
  CompileOptions out;
  if (options && options->backend) {
    const std::optional<Backend> backend = backend_named(options->backend);
    if (!backend) return unknown("backend", options->backend);
    out.backend = *backend;
  }
  if (options && options->features) {
    const std::optional<FeatureLevel> level = feature_level_named(options->features);
    if (!level) return unknown("features", options->features);
    out.level = *level;
  }
  return out;
}

Result<BufferView> described(const ptojit_buffer& buffer) {
  if (!buffer.operand || !buffer.dtype)
    return error("c.null", "a buffer's operand or dtype is null");
  const std::optional<DType> dtype = dtype_named(buffer.dtype);
  if (!dtype) return unknown("dtype", buffer.dtype);
  BufferView out{buffer.operand, buffer.data, buffer.bytes, *dtype, {}, {}};
  if (buffer.extents) out.shape = {buffer.extents, buffer.rank};
  if (buffer.strides) out.strides = {buffer.strides, buffer.rank};
  return out;
}

Result<Binding> bound_by(const KernelSpec& spec, const ptojit_binding& binding) {
  if (!binding.dimension) return error("c.null", "a binding's dimension is null");
  const std::optional<Dim> dim = dim_named(spec.op, binding.dimension);
  if (!dim) return unknown("dimension", binding.dimension);
  return Binding{*dim, binding.value};
}

// What `convert` makes of each of `count` items.
template <class Out, class Item, class Convert>
Result<std::vector<Out>> each(const Item* items, std::size_t count, Convert&& convert) {
  std::vector<Out> out;
  if (!items && count > 0) return error("c.null", "an array of the arguments is null");
  for (std::size_t i = 0; i < count; ++i) {
    const Result<Out> made = convert(items[i]);
    if (!made) return made.error();
    out.push_back(*made);
  }
  return out;
}

Result<Done> checked_call(const KernelSpec& spec, const ptojit_arguments& given,
                          const ptojit_options* options) {
  const auto buffers = each<BufferView>(given.buffers, given.buffer_count, described);
  if (!buffers) return buffers.error();
  const auto bindings =
      each<Binding>(given.bindings, given.binding_count,
                    [&](const ptojit_binding& one) { return bound_by(spec, one); });
  if (!bindings) return bindings.error();
  const Result<CompileOptions> how = options_of(options);
  if (!how) return how.error();
  AuditReport report;
  const Result<Done> done =
      call(spec,
           {.buffers = *buffers,
            .bindings = *bindings,
            .report = given.report ? &report : nullptr,
            .parallel = {.threads = given.threads == 0 ? 1 : given.threads, .parts = given.parts}},
           *how);
  if (done && given.report) std::memcpy(given.report, &report, sizeof report);
  return done;
}

}  // namespace

ptojit_status ptojit_compile(const ptojit_spec* spec, const ptojit_options* options,
                             ptojit_kernel** kernel, ptojit_diagnostics** why) {
  return answer(why, {{"spec", spec}, {"kernel", kernel}}, [&]() -> Result<Done> {
    const Result<CompileOptions> how = options_of(options);
    if (!how) return how.error();
    const Result<Kernel> made = compile(spec->spec, *how);
    if (!made) return made.error();
    *kernel = new ptojit_kernel{*made};
    return Done{};
  });
}

void ptojit_kernel_free(ptojit_kernel* kernel) { delete kernel; }

ptojit_status ptojit_asm(const ptojit_kernel* kernel, char** text, ptojit_diagnostics** why) {
  return answer(why, {{"kernel", kernel}, {"text", text}}, [&]() -> Result<Done> {
    if (kernel->kernel.code().empty())
      return error("c.asm", "a kernel of the interpreter has no machine code");
    return c::hand_over(text, disassemble(kernel->kernel.code()));
  });
}

void ptojit_run(const ptojit_kernel* kernel, const struct ptojit_frame* frame) {
  kernel->kernel(*reinterpret_cast<const Frame*>(frame));
}

ptojit_status ptojit_call(const ptojit_spec* spec, const ptojit_arguments* arguments,
                          const ptojit_options* options, ptojit_diagnostics** why) {
  return answer(why, {{"spec", spec}, {"arguments", arguments}},
                [&] { return checked_call(spec->spec, *arguments, options); });
}

ptojit_status ptojit_cache_read(ptojit_cache_statistics* statistics, ptojit_diagnostics** why) {
  return answer(why, {{"statistics", statistics}}, [&]() -> Result<Done> {
    const CacheStatistics now = cache_statistics();
    *statistics = {now.hits,    now.misses, now.evictions, now.failures,
                   now.entries, now.bytes,  now.bindings,  now.declined_bindings};
    return Done{};
  });
}

ptojit_status ptojit_cache_clear(ptojit_diagnostics** why) {
  return answer(why, {}, []() -> Result<Done> {
    clear_cache();
    return Done{};
  });
}
