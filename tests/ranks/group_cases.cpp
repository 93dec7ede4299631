#include "tests/ranks/group_cases.h"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "ir/quantity.h"
#include "ir/spec_text.h"

namespace pto::jit::tests {
namespace {

struct Shape {
  std::array<std::int32_t, 5> dst;
  std::int32_t surplus = 0;      // rows of the source that nobody gets
  std::int64_t source_gap = -1;  // elements between rows and planes; -1: packed, strides unsaid
  std::int64_t dst_gap = -1;
  std::array<std::int32_t, 2> valid = {kRuntime, kRuntime};  // of a stage of 8x64
  bool is_runtime = false;
  std::int64_t inner = 1;  // from one element of the source to the next
};

constexpr std::array kShapes = {
    Shape{{1, 1, 1, 8, 64}},
    Shape{{1, 1, 1, 6, 40}, 0, -1, 5, {3, 8}},  // whole chunks both ways
    Shape{{2, 3, 1, 5, 24}, 2, 3, 1},           // chunked, partial by rows
    Shape{{2, 1, 2, 8, 100}, 3, 7, -1, {2, -1}, true},
    Shape{{1, 2, 3, 9, 128}, 1, -1, -1, {-1, 64}, true},
    Shape{{1, 1, 1, 17, 3}, 0, 2, 2, {-1, -1}, true},
    Shape{{1, 1, 1, 1, 1}, 0, 0, 0},
    Shape{{1, 1, 2, 5, 70}, 0, 1, 2, {-1, -1}, false, 2},
    Shape{{1, 1, 1, 0, 64}, 4, -1, -1, {-1, -1}, true},
    Shape{{2, 1, 0, 3, 64}, 0, -1, -1, {-1, -1}, true},
    Shape{{1, 1, 1, 32, 300}, 0, 0, 0},  // rows side by side in chunks, long rows
};

// Each size, and the floats that are only moved.
constexpr std::array kKinds = {DType::F32, DType::U8,   DType::BF16, DType::F8E4M3,
                               DType::I16, DType::HIF8, DType::U32};

Table table_of(const Shape& shape, DType dtype, std::int32_t rows, std::int64_t gap,
               std::int64_t inner) {
  Table out{.shape = shape.dst, .dtype = dtype};
  out.shape[3] = rows;
  if (gap < 0) return out;
  std::int64_t stride = inner;
  for (std::size_t dim = 5; dim-- > 0;) {
    out.strides[dim] = std::max<std::int64_t>(stride, 1);
    stride = stride * out.shape[dim] + gap;
  }
  return out;
}

void make_runtime(Table& table) {
  table.shape.fill(kRuntime);
  if (has_strides(table)) table.strides.fill(kRuntime);
}

GroupCase make_case(const Shape& shape, DType dtype, std::int32_t ranks, std::uint32_t seed) {
  KernelSpec bound;
  bound.target = dtype == DType::HIF8 || seed % 3 == 0 ? Target::A5 : Target::Cpu;
  bound.op = Op::CommTScatter;
  bound.staging = seed % 2 == 0 ? Staging::PingPong : Staging::Single;
  bound.ranks = ranks;
  bound.root = static_cast<std::int32_t>(seed) % ranks;
  bound.data = {8, 64, shape.valid[0], shape.valid[1], dtype};
  bound.peer = table_of(shape, dtype, shape.dst[3], shape.dst_gap, 1);
  bound.table =
      table_of(shape, dtype, shape.dst[3] * ranks + shape.surplus, shape.source_gap, shape.inner);
  KernelSpec spec = bound;
  if (shape.is_runtime) make_runtime(spec.table);
  if (shape.is_runtime) make_runtime(spec.peer);
  if (bound.data.vr == kRuntime) bound.data.vr = 8;
  if (bound.data.vc == kRuntime) bound.data.vc = 64;
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) {
    std::fputs(render(legal.error(), print(spec)).c_str(), stderr);
    std::abort();
  }
  GroupCase out{*make_workload(*legal, bound, Pattern::Sequential, seed), {}};
  out.expected = run_model(out.load);
  return out;
}

}  // namespace

std::vector<GroupCase> group_cases(std::int32_t ranks) {
  std::vector<GroupCase> out;
  std::uint32_t seed = 0;
  for (const DType dtype : kKinds) {
    for (const Shape& shape : kShapes) out.push_back(make_case(shape, dtype, ranks, seed++));
  }
  return out;
}

std::vector<Binding> GroupCase::bindings() const {
  std::vector<Binding> out;
  for (const Dim dim : runtime_dims(load.declared)) out.push_back({dim, get(load.bound, dim)});
  return out;
}

SourceView::SourceView(const GroupCase& of) : bytes_(of.load.memory.table) {
  const Table& table = of.load.bound.table;
  for (std::size_t dim = 0; dim < 5; ++dim) {
    shape_[dim] = table.shape[dim];
    strides_[dim] = stride_of(table, dim).value;
  }
  view_ = {.operand = "src",
           .data = bytes_.data(),
           .bytes = static_cast<std::int64_t>(bytes_.size()),
           .dtype = table.dtype,
           .shape = shape_,
           .strides = strides_};
}

}  // namespace pto::jit::tests
