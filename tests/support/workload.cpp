#include "tests/support/workload.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <span>

#include "ir/half.h"
#include "ir/interpreter.h"
#include "ir/mnemonic.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
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
  const float small = static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 64.0f;
  if (dtype == DType::F32) return std::bit_cast<std::uint32_t>(small);
  if (dtype == DType::F16) return narrow_f16(small);
  if (dtype == DType::BF16) return narrow_bf16(small);
  return static_cast<std::uint32_t>(random());
}

std::vector<std::byte> made_up(std::int64_t bytes, DType dtype, Random& random) {
  std::vector<std::byte> out(static_cast<std::size_t>(bytes));
  const auto size = static_cast<std::size_t>(size_of(dtype));
  for (std::size_t at = 0; at + size <= out.size(); at += size) {
    const std::uint32_t value = element(dtype, random);
    std::memcpy(out.data() + at, &value, size);
  }
  return out;
}

std::uint64_t index_at(Pattern pattern, std::uint64_t position, std::uint64_t count,
                       std::uint64_t capacity, Random& random) {
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
  }
  return 0;
}

std::vector<std::byte> made_up_indices(const Workload& load, Pattern pattern,
                                       std::uint64_t capacity, Random& random) {
  const Tile& tile = load.bound.index;
  const auto size = static_cast<std::size_t>(size_of(tile.dtype));
  const auto count = static_cast<std::size_t>(tile.rows) * static_cast<std::size_t>(tile.cols);
  const std::uint64_t most = size == 2 ? std::min<std::uint64_t>(capacity, 0x10000)
                                       : std::min<std::uint64_t>(capacity, 0xffffffffull);
  std::vector<std::byte> out(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t index = index_at(pattern, i, count, most, random);
    std::memcpy(out.data() + i * size, &index, size);
  }
  return out;
}

bool leaves_operand(Pattern pattern) {
  return pattern == Pattern::OneBeyond || pattern == Pattern::Extreme;
}

Frame frame_of(const Workload& load) {
  Frame frame;
  frame.extents = extents_of(load.bound);
  return frame;
}

std::vector<std::byte> made_up(const Workload& load, Role role, Random& random) {
  if (!has_role(load.bound.op, role)) return {};
  const std::int64_t bytes = storage_bytes(load.bound, role, load.plan, frame_of(load));
  return made_up(bytes, dtype_of(load.bound, role), random);
}

void fill_memory(Workload& load, Pattern pattern, std::uint32_t seed) {
  Random random(seed);
  load.memory.data = made_up(load, Role::Data, random);
  load.memory.store = made_up(load, Role::Store, random);
  load.memory.table = made_up(load, Role::Table, random);
  for (std::int32_t rank = 0; rank < load.plan.ranks; ++rank) {
    load.memory.ranks.push_back(made_up(load, Role::Peer, random));
  }
  if (!load.plan.has_index()) return;
  const std::int64_t capacity = value_in(frame_of(load), load.plan.capacity);
  load.memory.index = made_up_indices(load, pattern, static_cast<std::uint64_t>(capacity), random);
}

std::string bind_text(const KernelSpec& declared, const KernelSpec& bound) {
  std::string out;
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (!has_role(declared.op, role_of(dim)) || get(declared, dim) != kRuntime) continue;
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
  constexpr std::array<std::string_view, 6> kNames = {"sequential", "reversed",   "random",
                                                      "equal",      "one_beyond", "extreme"};
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

namespace {

// Guarded rooms for one run, kept for the next.
class Rooms {
 public:
  explicit Rooms(Guard guard) : guard_(guard) {}

  std::span<std::byte> add(std::size_t bytes) {
    if (used_ == memory().size()) memory().emplace_back();
    return {memory()[used_++].place(bytes, guard_), bytes};
  }
  std::span<std::byte> add(const std::vector<std::byte>& content) {
    const std::span<std::byte> room = add(content.size());
    std::copy(content.begin(), content.end(), room.begin());
    return room;
  }

 private:
  static std::vector<GuardedMemory>& memory() {
    static thread_local std::vector<GuardedMemory> rooms;
    return rooms;
  }

  const Guard guard_;
  std::size_t used_ = 0;
};

std::vector<std::byte> taken(std::span<const std::byte> room) { return {room.begin(), room.end()}; }

}  // namespace

Image run_guarded(const Workload& load, Guard guard,
                  const std::function<void(const Frame&)>& kernel) {
  Frame frame = frame_of(load);
  Rooms rooms(guard);
  Image image;
  const auto data = rooms.add(load.memory.data);
  const auto index = rooms.add(load.memory.index);
  const auto store = rooms.add(load.memory.store);
  const auto table = rooms.add(load.memory.table);
  const Op op = load.bound.op;
  if (op != Op::CommTScatter) set_buffer(frame, op, Role::Data, data.data());
  if (has_role(op, Role::Index)) set_buffer(frame, op, Role::Index, index.data());
  if (has_role(op, Role::Store)) set_buffer(frame, op, Role::Store, store.data());
  if (has_role(op, Role::Table)) set_buffer(frame, op, Role::Table, table.data());
  std::vector<std::span<std::byte>> ranks;
  std::vector<void*> pointers;
  for (const std::vector<std::byte>& rank : load.memory.ranks) {
    ranks.push_back(rooms.add(rank));
    pointers.push_back(ranks.back().data());
  }
  frame.ranks = pointers.data();
  frame.report = &image.report;
  frame.scratch = rooms.add(static_cast<std::size_t>(scratch_bytes(load.plan, frame))).data();
  kernel(frame);
  image.data = taken(data);
  image.index = taken(index);
  image.store = taken(store);
  image.table = taken(table);
  for (const auto& rank : ranks) image.ranks.push_back(taken(rank));
  return image;
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
