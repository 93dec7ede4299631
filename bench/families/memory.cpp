#include "bench/families/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <random>

#include "bench/families/indices.h"
#include "ir/interpreter.h"
#include "ir/storage.h"
#include "targets/planner.h"

namespace pto::jit::bench {
namespace {

// Any bits will do to be moved.
void fill_with_noise(const LargeBuffer& buffer, std::uint64_t seed) {
  std::uint64_t state = seed * 0x9e3779b97f4a7c15 + 1;
  for (std::size_t at = 0; at < buffer.size(); at += sizeof state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::memcpy(buffer.data() + at, &state, std::min(sizeof state, buffer.size() - at));
  }
}

// Numbers whose sums stay finite however often they are added: 1, -1, 0.5 and -0.5.
std::array<std::uint32_t, 4> numbers_of(DType dtype) {
  switch (dtype) {
    case DType::F32: return {0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000};
    case DType::F16: return {0x3c00, 0xbc00, 0x3800, 0xb800};
    case DType::BF16: return {0x3f80, 0xbf80, 0x3f00, 0xbf00};
    case DType::I8:
    case DType::U8:
    case DType::I16:
    case DType::U16:
    case DType::I32:
    case DType::U32:
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8: break;
  }
  return {1, 2, 3, 4};
}

void fill_with_numbers(const LargeBuffer& buffer, DType dtype, std::uint32_t seed) {
  const std::array<std::uint32_t, 4> numbers = numbers_of(dtype);
  const auto size = static_cast<std::size_t>(size_of(dtype));
  std::minstd_rand random(seed);
  for (std::size_t at = 0; at + size <= buffer.size(); at += size) {
    std::memcpy(buffer.data() + at, &numbers[(random() >> 8) % 4], size);
  }
}

void fill(const LargeBuffer& buffer, const KernelSpec& spec, std::uint32_t seed) {
  if (spec.atomic == Atomic::None) {
    fill_with_noise(buffer, seed);
  } else {
    fill_with_numbers(buffer, spec.data.dtype, seed);
  }
}

std::uint64_t mixed(std::uint64_t state, const LargeBuffer& buffer) {
  std::array<std::uint64_t, 4> lanes = {state, state + 1, state + 2, state + 3};
  std::array<std::uint64_t, 4> words{};
  for (std::size_t at = 0; at < buffer.size(); at += sizeof words) {
    std::memcpy(words.data(), buffer.data() + at, std::min(sizeof words, buffer.size() - at));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      lanes[i] = (std::rotl(lanes[i], 29) ^ words[i]) * 0x9e3779b97f4a7c15;
    }
  }
  return lanes[0] ^ std::rotl(lanes[1], 16) ^ std::rotl(lanes[2], 32) ^ std::rotl(lanes[3], 48);
}

// Enough tiles of indices to meet every line of a table that is too large for the first cache.
std::size_t tiles_of_indices(const Cell& cell, std::size_t index_bytes, std::size_t table_bytes) {
  if (cell.home == Home::L1) return cell.indices == Indices::Outside ? 8 : 1;
  constexpr std::size_t kMost = std::size_t{16} << 20;
  const KernelSpec& spec = cell.spec;
  const auto units = static_cast<std::size_t>(std::int64_t{spec.index.vr} * spec.index.vc);
  const std::size_t unit =
      is_row(spec) ? static_cast<std::size_t>(spec.data.vc * size_of(spec.data.dtype)) : 1;
  const std::size_t met = units * std::max<std::size_t>(unit, 64);
  const std::size_t wanted = (table_bytes + met - 1) / met;
  return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(kMost / index_bytes, 1));
}

}  // namespace

Result<CellMemory> CellMemory::make(const Cell& cell) {
  const Result<LegalSpec> legal = verify(cell.spec);
  if (!legal) return legal.error();
  const KernelPlan plan = make_plan(*legal);
  CellMemory out;
  out.cell_ = cell;
  out.frame_.extents = extents_of(cell.spec);
  if (Result<Done> done = out.allocate(plan); !done) return done.error();
  fill(is_gather(cell.spec) ? out.table_ : out.tile_, cell.spec, 3);
  if (plan.has_index()) {
    out.fill_indices(static_cast<std::uint32_t>(value_in(out.frame_, plan.capacity)));
  }
  return out;
}

Result<Done> CellMemory::allocate(const KernelPlan& plan) {
  const auto take = [&](LargeBuffer& buffer, std::int64_t bytes, std::size_t copies) {
    Result<LargeBuffer> made = LargeBuffer::make(static_cast<std::size_t>(bytes) * copies);
    if (made) buffer = std::move(*made);
    return made.has_value();
  };
  const KernelSpec& spec = cell_.spec;
  const auto bytes_of = [&](Role role) { return storage_bytes(spec, role, plan, frame_); };
  const bool is_group = spec.op == Op::CommTScatter;
  const bool is_tile_form = has_role(spec.op, Role::Store);
  const std::int64_t table = is_group ? 0 : bytes_of(is_tile_form ? Role::Store : Role::Table);
  bool is_done =
      take(tile_, bytes_of(is_group ? Role::Table : Role::Data), 1) && take(table_, table, 1);
  if (plan.has_index()) {
    index_bytes_ = static_cast<std::size_t>(bytes_of(Role::Index));
    index_tiles_ = tiles_of_indices(cell_, index_bytes_, static_cast<std::size_t>(table));
    is_done = is_done && take(index_, static_cast<std::int64_t>(index_bytes_), index_tiles_);
  }
  destinations_.resize(static_cast<std::size_t>(spec.ranks));
  for (LargeBuffer& destination : destinations_) {
    is_done = is_done && take(destination, bytes_of(Role::Peer), 1);
    ranks_.push_back(destination.data());
  }
  if (cell_.home == Home::DramOnSmallPages) {
    static_cast<void>(madvise(table_.data(), table_.size(), MADV_NOHUGEPAGE));
  }
  if (!is_done) return error("memory.allocate", "there is not enough memory for the cell");
  frame_.tile = tile_.data();
  frame_.index = index_.data();
  frame_.table = table_.data();
  frame_.ranks = ranks_.data();
  return Done{};
}

void CellMemory::fill_indices(std::uint32_t capacity) {
  const KernelSpec& spec = cell_.spec;
  const auto size = static_cast<std::size_t>(size_of(spec.index.dtype));
  const std::size_t per_tile = index_bytes_ / size;
  std::uint32_t unit = 1;
  if (spec.op == Op::TGatherB) {
    unit = spec.unit == Unit::Block ? kBlockBytes
                                    : static_cast<std::uint32_t>(size_of(spec.data.dtype));
  }
  for (std::size_t tile = 0; tile < index_tiles_; ++tile) {
    const IndexWish wish = {cell_.indices, per_tile, (capacity - 1) / unit + 1,
                            static_cast<std::uint32_t>(tile + 1)};
    std::byte* to = index_.data() + tile * index_bytes_;
    for (const std::uint32_t index : make_indices(wish)) {
      const std::uint32_t scaled = index * unit;
      std::memcpy(to, &scaled, size);
      to += size;
    }
  }
}

void CellMemory::reset() {
  fill(is_gather(cell_.spec) ? tile_ : table_, cell_.spec, 1);
  for (const LargeBuffer& destination : destinations_) fill(destination, cell_.spec, 2);
  index_at_ = 0;
  frame_.index = index_.data();
}

std::uint64_t CellMemory::fingerprint() const {
  std::uint64_t state = mixed(1, is_gather(cell_.spec) ? tile_ : table_);
  for (const LargeBuffer& destination : destinations_) state = mixed(state, destination);
  return state;
}

}  // namespace pto::jit::bench
