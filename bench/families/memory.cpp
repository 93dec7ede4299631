#include "bench/families/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <span>

#include "bench/families/indices.h"
#include "ir/interpreter.h"
#include "ir/storage.h"
#include "runtime/fillers.h"

namespace pto::jit::bench {
namespace {

// Any bits will do to be moved.
void fill_with_noise(std::span<std::byte> buffer, std::uint64_t seed) {
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

void fill_with_numbers(std::span<std::byte> buffer, DType dtype, std::uint32_t seed) {
  const std::array<std::uint32_t, 4> numbers = numbers_of(dtype);
  std::minstd_rand random(seed);
  fill(buffer, dtype, [&](std::size_t) { return numbers[(random() >> 8) % 4]; });
}

void fill_operand(std::span<std::byte> buffer, const KernelSpec& spec, std::uint32_t seed) {
  if (spec.atomic == Atomic::None) {
    fill_with_noise(buffer, seed);
  } else {
    fill_with_numbers(buffer, spec.data.dtype, seed);
  }
}

std::uint64_t mixed(std::uint64_t state, std::span<const std::byte> buffer) {
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

// Indices: a processor that has met fewer of them before guesses which are out of range. Zen 5 does
// so for 2^15, and for 2^18 still when one in twenty is.
constexpr std::size_t kMoreThanAnyoneRemembers = std::size_t{1} << 19;

// Enough tiles of indices to meet every line of a table that is too large for the first cache.
std::size_t tiles_of_indices(const Cell& cell, std::size_t index_bytes, std::size_t table_bytes) {
  if (is_outside_by_chance(cell.indices))
    return std::max<std::size_t>(kMoreThanAnyoneRemembers / (index_bytes / sizeof(std::uint32_t)),
                                 1);
  if (cell.home == Home::L1) return 1;
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
  const Result<BoundSpec> bound = jit::bind(*legal, {});
  if (!bound) return bound.error();
  CellMemory out;
  out.cell_ = cell;
  if (Result<Done> done = out.allocate(*bound); !done) return done.error();
  for (const OperandStore::Held& held : out.store_.operands()) {
    const bool is_filled = held.operand.role != Role::Index && !out.is_written(held);
    if (is_filled) fill_operand(held.bytes(), cell.spec, 3);
  }
  if (bound->plan().has_index()) {
    out.fill_indices(
        static_cast<std::uint32_t>(value_in(out.store_.frame(), bound->plan().capacity)));
  }
  return out;
}

// The index operand has as many tiles as the cell wants, one after the other.
Result<Done> CellMemory::allocate(const BoundSpec& bound) {
  const KernelSpec& spec = bound.spec();
  const Frame sizes = frame_of(spec);
  const auto bytes_of = [&](Role role) {
    return static_cast<std::size_t>(storage_bytes(spec, role, bound.plan(), sizes));
  };
  if (bound.plan().has_index()) {
    index_bytes_ = bytes_of(Role::Index);
    index_tiles_ = tiles_of_indices(cell_, index_bytes_, bytes_of(addressed_role(spec.op)));
  }
  const StorageSource source = [&](StorageRequest wanted) {
    const bool is_index = wanted.operand && wanted.operand->role == Role::Index;
    if (is_index) wanted.bytes *= static_cast<std::int64_t>(index_tiles_);
    return zeros_for(wanted);
  };
  Result<OperandStore> made = OperandStore::make(spec, bound.plan(), source);
  if (!made) return made.error();
  store_ = std::move(*made);
  frame_ = frame_within_ = store_.frame();
  if (cell_.home == Home::DramOnSmallPages) {
    const std::span<std::byte> table = store_.bytes_of({addressed_role(spec.op)});
    static_cast<void>(madvise(table.data(), table.size(), MADV_NOHUGEPAGE));
  }
  return Done{};
}

void CellMemory::fill_indices(std::uint32_t capacity) {
  const KernelSpec& spec = cell_.spec;
  const std::size_t per_tile = index_bytes_ / static_cast<std::size_t>(size_of(spec.index.dtype));
  std::uint32_t unit = 1;
  if (operation_of(spec.op).counts_bytes) {
    unit = spec.unit == Unit::Block ? kBlockBytes
                                    : static_cast<std::uint32_t>(size_of(spec.data.dtype));
  }
  const std::span<std::byte> all = store_.bytes_of({Role::Index});
  CellIndices indices(cell_.indices, per_tile, (capacity - 1) / unit + 1);
  fill(all.first(index_tiles_ * index_bytes_), spec.index.dtype, [&](std::size_t) {
    const std::uint32_t index = indices.next();
    if (has_outside(cell_.indices)) within_.push_back(index % capacity);
    return index * unit;
  });
}

bool CellMemory::is_written(const OperandStore::Held& held) const {
  return held.operand.role == written_role(cell_.spec.op);
}

void CellMemory::reset() {
  for (const OperandStore::Held& held : store_.operands()) {
    if (is_written(held)) fill_operand(held.bytes(), cell_.spec, 1);
  }
  take_indices(0);
}

std::uint64_t CellMemory::fingerprint() const {
  std::uint64_t state = 1;
  for (const OperandStore::Held& held : store_.operands()) {
    if (is_written(held)) state = mixed(state, held.bytes());
  }
  return state;
}

void* CellMemory::table() const {
  const bool is_group = is_collective(cell_.spec.op);
  return is_group ? const_cast<void**>(frame_.ranks) : frame_.table;
}

}  // namespace pto::jit::bench
