#include "jit/calls/ranks/scatter.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ir/quantity.h"
#include "jit/calls/call_check.h"
#include "jit/calls/ranks/scatter_parts.h"

namespace pto::jit {
namespace {

Diagnostic refuse(const char* id, std::string message) {
  return error("group." + std::string(id), std::move(message));
}

Result<Done> check_group(const ParallelGroup& group, const KernelSpec& spec) {
  if (!is_collective(spec.op)) {
    return refuse("operation", std::string(operation_of(spec.op).text) +
                                   " has no ranks; comm.tscatter scatters to a group");
  }
  if (spec.ranks != group.size()) {
    return refuse("ranks", "ranks is " + std::to_string(spec.ranks) + ", the group has " +
                               std::to_string(group.size()));
  }
  if (spec.root == group.root()) return Done{};
  return refuse("root", "root is " + std::to_string(spec.root) + ", the group's is rank " +
                            std::to_string(group.root()));
}

KernelSpec for_one_rank(KernelSpec spec) {
  spec.ranks = 1;
  spec.root = 0;
  return spec;
}

// The destinations are alike, so that the root's stands for all of them.
Result<CheckedCall> check_one(const ParallelGroup& group, const KernelSpec& spec,
                              const BufferView& source, std::span<const Binding> bindings) {
  const Result<LegalSpec> legal = verify(for_one_rank(spec));
  if (!legal) return legal.error();
  Extents shape{};
  Extents strides{};
  for (std::size_t dim = 0; dim < 5; ++dim) {
    shape[dim] = group.tensor().shape[dim];
    strides[dim] = stride_of(group.tensor(), dim).value;
  }
  std::array<BufferView, 2> views = {source, {}};
  views[0].operand = operand_name(spec.op, Role::Table);
  views[1] = {.operand = "dst.0",
              .data = group.destination(group.root()),
              .bytes = group.bytes(),
              .dtype = group.tensor().dtype,
              .shape = shape,
              .strides = strides};
  return check_call(*legal, {.buffers = views, .bindings = bindings});
}

std::vector<Binding> values_of(const KernelSpec& declared, const KernelSpec& bound) {
  std::vector<Binding> out;
  for (const Dim dim : runtime_dims(declared)) out.push_back({dim, get(bound, dim)});
  return out;
}

// With strides, so that a part of the table lies where it did.
Table with_strides(Table table) {
  const Table packed = table;
  for (std::size_t dim = 0; dim < 5; ++dim) table.strides[dim] = stride_of(packed, dim).value;
  for (std::int64_t& stride : table.strides) stride = std::max<std::int64_t>(stride, 1);
  return table;
}

}  // namespace

Result<CheckedScatter> check_scatter(const ParallelGroup& group, const KernelSpec& spec,
                                     const BufferView& source, const ScatterOptions& options) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  if (Result<Done> fits = check_group(group, spec); !fits) return fits.error();
  const Result<CheckedCall> one = check_one(group, spec, source, options.bindings);
  if (!one) return one.error();
  Result<BoundSpec> bound = jit::bind(*legal, values_of(legal->spec(), one->kernel.spec()));
  if (!bound) return bound.error();
  const std::span<std::byte> bytes = one->operands.bytes_of({Role::Table});
  const std::int32_t rank = group.overlapped_by(bytes);
  if (rank >= 0)
    return error("call.overlap", "dst." + std::to_string(rank) + " is written and overlaps src");
  return CheckedScatter{std::move(*bound), bytes.data()};
}

Result<DirectScatter> DirectScatter::make(const ParallelGroup& group, const CheckedScatter& checked,
                                          const CompileOptions& options) {
  std::vector<void*> ranks;
  for (std::int32_t rank = 0; rank < group.size(); ++rank) ranks.push_back(group.destination(rank));
  Result<Kernel> kernel = compile(checked.kernel.legal(), options);
  if (!kernel) return kernel.error();
  Frame frame = frame_of(checked.kernel.spec());
  set_buffer(frame, checked.kernel.spec().op, Role::Table, checked.source);
  return DirectScatter(std::move(*kernel), frame, std::move(ranks));
}

void DirectScatter::run() {
  frame_.ranks = ranks_.data();
  kernel_(frame_);
}

Result<Delivery> make_delivery(const CheckedScatter& checked, const ScatterOptions& options) {
  const KernelSpec& bound = checked.kernel.spec();
  KernelSpec slice = for_one_rank(bound);
  slice.data.vr = slice.data.vc = kRuntime;
  slice.table = with_strides(slice.table);
  slice.table.shape[3] = slice.peer.shape[3];
  KernelSpec pack = slice;
  pack.table.shape.fill(kRuntime);
  pack.peer.shape.fill(kRuntime);
  pack.peer.strides = {};
  const Result<Kernel> slicer = compile(slice, options.compile);
  if (!slicer) return slicer.error();
  const Result<Kernel> packer = compile(pack, options.compile);
  if (!packer) return packer.error();
  return Delivery{bound, checked.source, slice, *slicer, pack, *packer, options.sending};
}

Result<Done> scatter(const ParallelGroup& group, const KernelSpec& spec, const BufferView& source,
                     const ScatterOptions& options) {
  const Result<CheckedScatter> checked = check_scatter(group, spec, source, options);
  if (!checked) return checked.error();
  if (group.bytes() == 0) return Done{};
  if (!group.is_all_in_reach())
    return refuse("reach", "a rank's destination is not in this process");
  Result<DirectScatter> direct = DirectScatter::make(group, *checked, options.compile);
  if (!direct) return direct.error();
  direct->run();
  return Done{};
}

}  // namespace pto::jit
