// What an owner of rows does for all ranks: the caller's kernel on its own part of the table, a
// block of indices at a time, so that one kernel serves any number of them.
#include <algorithm>
#include <cstring>
#include <vector>

#include "ir/quantity.h"
#include "jit/calls/ranks/spread_call.h"

namespace pto::jit {
namespace {

constexpr std::int32_t kBlock = 4096;

KernelSpec owner_spec(const SpreadShape& shape, const SpreadCall& call) {
  KernelSpec out = call.whole;
  const std::int32_t vc = call.whole.data.vc;
  const auto cols = static_cast<std::int32_t>(round_up(vc, block_elements(shape.dtype)));
  out.oob = Oob::Undefined;  // whoever asks has looked
  out.data = {kBlock, cols, kRuntime, vc, shape.dtype};
  out.index = {1, kBlock, 1, kRuntime, DType::U32};
  out.table.shape = {1, 1, 1, kRuntime, static_cast<std::int32_t>(shape.width)};
  const std::int64_t pitch = shape.pitch;
  out.table.strides = pitch == shape.width
                          ? std::array<std::int64_t, 5>{}
                          : std::array{pitch, pitch, pitch, pitch, std::int64_t{1}};
  return out;
}

// Rows that are no whole number of blocks of 32 bytes lie apart in a tile.
void copy_rows(std::byte* to, std::size_t to_step, const std::byte* from, std::size_t from_step,
               std::int64_t count) {
  const std::size_t bytes = std::min(to_step, from_step);
  for (std::int64_t row = 0; row < count; ++row, to += to_step, from += from_step)
    std::memcpy(to, from, bytes);
}

}  // namespace

Result<Done> check_owner(const SpreadShape& shape, const SpreadCall& call) {
  if (call.row_bytes() == 0) return Done{};
  const Result<LegalSpec> legal = verify(owner_spec(shape, call));
  return legal ? Result<Done>(Done{}) : legal.error();
}

Result<Done> do_owner_work(const SpreadShape& shape, const SpreadCall& call, const OwnerWork& work,
                           const CompileOptions& options) {
  if (work.count == 0) return Done{};
  KernelSpec spec = owner_spec(shape, call);
  const Result<Kernel> kernel = compile(spec, options);
  if (!kernel) return kernel.error();
  const auto packed = static_cast<std::size_t>(call.row_bytes());
  const auto padded = static_cast<std::size_t>(spec.data.cols * size_of(shape.dtype));
  const bool is_gather = written_role(spec.op) == Role::Data;
  std::vector<std::byte> tile(packed == padded ? 0 : padded * kBlock);
  spec.table.shape[3] = static_cast<std::int32_t>(work.table_rows);
  for (std::int64_t first = 0; first < work.count; first += kBlock) {
    const std::int64_t count = std::min<std::int64_t>(kBlock, work.count - first);
    std::byte* rows = work.rows + first * call.row_bytes();
    if (!tile.empty() && !is_gather) copy_rows(tile.data(), padded, rows, packed, count);
    spec.data.vr = spec.index.vc = static_cast<std::int32_t>(count);
    Frame frame = frame_of(spec);
    frame.tile = tile.empty() ? rows : tile.data();
    frame.index = work.indices + first;
    frame.table = work.table;
    (*kernel)(frame);
    if (!tile.empty() && is_gather) copy_rows(rows, packed, tile.data(), padded, count);
  }
  return Done{};
}

}  // namespace pto::jit
