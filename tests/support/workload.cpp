#include "tests/support/workload.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "ir/interpreter.h"
#include "ir/mnemonic.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "runtime/fillers.h"
#include "targets/planner.h"
#include "tests/model/model.h"

namespace pto::jit::tests {
namespace {

// Bit patterns worth meeting: zeros, subnormals, ones, largest, infinities, NaN with payload.
constexpr std::array<std::uint32_t, 14> kFloats = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x3f800000, 0xbf800001, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc12345, 0xffa00001, 0x33800001, 0x477fefff};
constexpr std::array<std::uint16_t, 14> kHalves = {0x0000, 0x8000, 0x0001, 0x83ff, 0x3c00,
                                                   0xbc01, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                                                   0x7e11, 0xfd01, 0x0400, 0x1401};
constexpr std::array<std::uint16_t, 14> kBrains = {0x0000, 0x8000, 0x0001, 0x807f, 0x3f80,
                                                   0xbf81, 0x7f7f, 0xff7f, 0x7f80, 0xff80,
                                                   0x7fd2, 0xffa1, 0x0080, 0x3b01};

using Random = std::mt19937;

std::uint32_t special(DType dtype, Random& random) {
  const std::size_t pick = random() % kFloats.size();
  if (dtype == DType::F16) return kHalves[pick];
  if (dtype == DType::BF16) return kBrains[pick];
  return kFloats[pick];
}

// Ordinary values mostly, so that sums stay interesting; every fourth is special.
std::uint32_t element(DType dtype, Random& random) {
  if (random() % 4 == 0 && info_of(dtype).kind == NumberKind::Float) return special(dtype, random);
  return small_number(dtype, random);
}

// The bits of the lanes that way number `way` leaves in range: single ones come first, then pairs.
std::uint32_t lanes_in_range(std::uint32_t way) {
  std::uint32_t number = way / 2;
  std::uint32_t lanes = 1u << number % 16;
  if (number >= 16) {
    std::uint32_t upper = 1;
    for (number -= 16; number >= upper; ++upper) number -= upper;
    lanes = 1u << upper | 1u << number;
  }
  return way % 2 == 0 ? lanes : ~lanes;
}

bool is_in_range(std::uint64_t position, std::uint32_t seed) {
  const std::uint64_t block = position / 16;
  const std::uint32_t full = seed / kLaneWays % 2;
  if (block < full) return true;
  const auto way = static_cast<std::uint32_t>((seed + block - full) % kLaneWays);
  return (lanes_in_range(way) >> position % 16 & 1) != 0;
}

struct Indices {
  Pattern pattern;
  std::uint32_t seed;
  std::uint64_t count;
  std::uint64_t capacity;
};

std::uint64_t index_at(const Indices& all, std::uint64_t position, Random& random) {
  const auto& [pattern, seed, count, capacity] = all;
  const std::uint64_t good = capacity == 0 ? 0 : random() % capacity;
  switch (pattern) {
    case Pattern::Sequential: return capacity == 0 ? position : position % capacity;
    case Pattern::Reversed: return capacity == 0 ? position : (count - 1 - position) % capacity;
    case Pattern::Random: return good;
    case Pattern::Equal: return capacity == 0 ? 0 : capacity / 2;
    case Pattern::OneBeyond: return position % 2 == 0 ? capacity : good;
    case Pattern::Extreme: {
      const std::array<std::uint64_t, 5> choices = {0xffffffff, good, capacity, 2 * capacity + 3,
                                                    good};
      return choices[position % choices.size()];
    }
    case Pattern::Lanes: {
      const std::array<std::uint64_t, 3> beyond = {capacity, 0xffffffff, 2 * capacity + 3};
      return is_in_range(position, seed) ? good : beyond[position % beyond.size()];
    }
  }
  return 0;
}

bool leaves_operand(Pattern pattern) {
  return pattern == Pattern::OneBeyond || pattern == Pattern::Extreme || pattern == Pattern::Lanes;
}

std::vector<std::byte> made_up(const Workload& load, Role role, Random& random) {
  if (!has_role(load.bound.op, role)) return {};
  std::vector<std::byte> out(
      static_cast<std::size_t>(storage_bytes(load.bound, role, load.plan, frame_of(load.bound))));
  const DType dtype = dtype_of(load.bound, role);
  fill(out, dtype, [&](std::size_t) { return element(dtype, random); });
  return out;
}

std::vector<std::byte> made_up_indices(const Workload& load, Pattern pattern, std::uint32_t seed,
                                       Random& random) {
  const Frame frame = frame_of(load.bound);
  const std::uint64_t slots = indexed_slots(load.plan, frame);
  std::vector<std::byte> out(
      static_cast<std::size_t>(storage_bytes(load.bound, Role::Index, load.plan, frame)));
  const std::size_t count = out.size() / load.plan.index_size;
  const Indices all = {pattern, seed, count, slots};
  fill(out, load.bound.index.dtype, [&](std::size_t i) { return index_at(all, i, random); });
  return out;
}

void fill_memory(Workload& load, Pattern pattern, std::uint32_t seed) {
  Random random(seed);
  load.memory.data = made_up(load, Role::Data, random);
  load.memory.store = made_up(load, Role::Store, random);
  load.memory.table = made_up(load, Role::Table, random);
  for (std::int32_t rank = 0; rank < load.plan.ranks; ++rank) {
    load.memory.ranks.push_back(made_up(load, Role::Peer, random));
  }
  if (load.plan.has_index()) load.memory.index = made_up_indices(load, pattern, seed, random);
}

std::string bind_text(const KernelSpec& declared, const KernelSpec& bound) {
  std::string out;
  for (const Dim dim : runtime_dims(declared)) {
    out += (out.empty() ? "" : ",") + dim_name(declared.op, dim) + "=" +
           std::to_string(get(bound, dim));
  }
  return out;
}

bool is_nan(DType dtype, const std::byte* at) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, at, static_cast<std::size_t>(size_of(dtype)));
  if (dtype == DType::F16) return (bits & 0x7fff) > 0x7c00;
  if (dtype == DType::BF16) return (bits & 0x7fff) > 0x7f80;
  return dtype == DType::F32 && (bits & 0x7fffffff) > 0x7f800000;
}

std::string mismatch(const Workload& load, std::string_view what,
                     const std::vector<std::byte>& expected, const std::vector<std::byte>& actual) {
  if (expected == actual) return {};
  const bool sums = load.plan.combine == Atomic::Add;
  const auto size = static_cast<std::size_t>(load.plan.element_size);
  for (std::size_t at = 0; at + size <= expected.size(); at += size) {
    if (std::memcmp(expected.data() + at, actual.data() + at, size) == 0) continue;
    if (sums && is_nan(load.plan.number, &expected[at]) && is_nan(load.plan.number, &actual[at]))
      continue;
    std::uint32_t want = 0;
    std::uint32_t got = 0;
    std::memcpy(&want, &expected[at], size);
    std::memcpy(&got, &actual[at], size);
    return std::string(what) + " element " + std::to_string(at / size) + ": expected bits " +
           std::to_string(want) + ", got " + std::to_string(got) + "\n  " + load.replay;
  }
  return {};
}

}  // namespace

std::string_view name_of(Pattern pattern) {
  constexpr std::array<std::string_view, kPatterns.size()> kNames = {
      "sequential", "reversed", "random", "equal", "one_beyond", "extreme", "lanes"};
  return kNames[static_cast<std::size_t>(pattern)];
}

std::optional<Workload> make_workload(const LegalSpec& legal, const KernelSpec& bound,
                                      Pattern pattern, std::uint32_t seed) {
  Workload load;
  load.declared = legal.spec();
  load.bound = bound;
  load.plan = make_plan(legal);
  if (leaves_operand(pattern) && (!load.plan.has_index() || load.plan.oob == Oob::Undefined))
    return std::nullopt;
  if (!load.plan.has_index() && pattern != Pattern::Sequential) return std::nullopt;
  load.replay = "PTOJIT_REPLAY='" + print(legal.spec()) + ";" + bind_text(legal.spec(), bound) +
                ";" + std::string(name_of(pattern)) + ";" + std::to_string(seed) +
                "' build/bin/ptojit_tests --gtest_filter=Replay.*";
  fill_memory(load, pattern, seed);
  return load;
}

Image run_model(const Workload& load) {
  Image image = load.memory;
  model::Memory memory{
      image.data.data(), image.index.data(), image.store.data(), image.table.data(), {}};
  for (std::vector<std::byte>& rank : image.ranks) memory.ranks.push_back(rank.data());
  if (load.bound.audit) {
    const model::AuditReport report = model::audit(load.bound, memory);
    image.report = {report.out_of_bounds, report.first_out_of_bounds, report.collisions,
                    report.first_collision};
  }
  model::run(load.bound, memory);
  return image;
}

const std::vector<std::byte>& Image::of(const MemoryOperand& operand) const {
  switch (operand.role) {
    case Role::Data: return data;
    case Role::Index: return index;
    case Role::Store: return store;
    case Role::Table: return table;
    case Role::Peer: break;
  }
  return ranks.at(static_cast<std::size_t>(operand.rank));
}
std::vector<std::byte>& Image::of(const MemoryOperand& operand) {
  return const_cast<std::vector<std::byte>&>(static_cast<const Image&>(*this).of(operand));
}

OperandStore operands_of(const Workload& load) {
  return *OperandStore::make(load.bound, load.plan, [&](const StorageRequest& wanted) {
    return wanted.operand ? Result<Storage>(holding(load.memory.of(*wanted.operand)))
                          : zeros_for(wanted);
  });
}

Image image_of(const Workload& load, const OperandStore& operands) {
  Image image = load.memory;
  for (const OperandStore::Held& held : operands.operands())
    std::ranges::copy(held.bytes(), image.of(held.operand).begin());
  image.report = operands.report();
  return image;
}

// Guarded rooms are kept for the next run.
Image run_guarded(const Workload& load, Guard guard,
                  const std::function<void(const Frame&)>& kernel) {
  static thread_local std::vector<GuardedMemory> rooms;
  std::size_t used = 0;
  const StorageSource room = [&](const StorageRequest& wanted) -> Result<Storage> {
    if (used == rooms.size()) rooms.emplace_back();
    const auto bytes = static_cast<std::size_t>(wanted.touched);
    std::byte* at = rooms[used++].place(bytes, guard);
    wanted.operand ? std::copy_n(load.memory.of(*wanted.operand).begin(), bytes, at)
                   : std::fill_n(at, bytes, std::byte{0});
    return Storage{{at, bytes}};
  };
  const OperandStore operands = *OperandStore::make(load.bound, load.plan, room);
  kernel(operands.frame());
  return image_of(load, operands);
}

std::string difference(const Workload& load, const Image& expected, const Image& actual) {
  std::string out = mismatch(load, "data", expected.data, actual.data);
  if (out.empty() && expected.index != actual.index)
    out = "the index tile changed\n  " + load.replay;
  if (out.empty()) out = mismatch(load, "store", expected.store, actual.store);
  if (out.empty()) out = mismatch(load, "table", expected.table, actual.table);
  for (std::size_t rank = 0; rank < expected.ranks.size() && out.empty(); ++rank) {
    out = mismatch(load, "rank " + std::to_string(rank), expected.ranks[rank], actual.ranks[rank]);
  }
  if (out.empty() && !(expected.report == actual.report))
    out = "the audit reports differ\n  " + load.replay;
  return out;
}

}  // namespace pto::jit::tests
