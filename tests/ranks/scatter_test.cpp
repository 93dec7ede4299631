// Scatters to the ranks of one process, and to ranks that only a carrier reaches.
#include "jit/calls/ranks/scatter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "ir/spec_text.h"
#include "jit/calls/ranks/scatter_parts.h"
#include "runtime/ranks/pieces.h"
#include "tests/ranks/group_cases.h"

namespace pto::jit::tests {
namespace {

using Memory = std::vector<std::vector<std::byte>>;

// Ranks out of reach have memory too, which only a carrier knows.
std::vector<std::span<std::byte>> spans_of(Memory& memory, std::int32_t first_remote) {
  std::vector<std::span<std::byte>> out;
  for (std::size_t rank = 0; rank < memory.size(); ++rank) {
    memory[rank].reserve(1);
    const bool is_near = static_cast<std::int32_t>(rank) < first_remote;
    out.push_back(is_near ? std::span(memory[rank].data(), memory[rank].size())
                          : std::span<std::byte>());
  }
  return out;
}

// Copies element by element, and only when a stage is used again or all is done.
class LateCarrier : public Carrier {
 public:
  explicit LateCarrier(Memory& memory) : memory_(memory) {}

  Result<Done> put(std::int32_t rank, const std::byte* from, const Layout& origin,
                   std::int64_t offset, const Layout& target) override {
    EXPECT_EQ(origin.extents, target.extents);
    waiting_.push_back({rank, from, origin, offset, target});
    ++puts;
    if (runs_of(origin).is_one()) ++runs;
    return Done{};
  }
  Result<Done> drain(std::int32_t rank) override {
    EXPECT_TRUE(std::ranges::any_of(waiting_, [&](const Put& put) { return put.rank == rank; }));
    return finish();
  }
  Result<Done> finish() override {
    for (const Put& put : waiting_) copy(put);
    waiting_.clear();
    return Done{};
  }

  int puts = 0;
  int runs = 0;  // of one run

 private:
  struct Put {
    std::int32_t rank;
    const std::byte* from;
    Layout origin;
    std::int64_t offset;
    Layout target;
  };

  void copy(const Put& put) {
    Extents at{};
    for (;;) {
      std::int64_t from = 0;
      std::int64_t to = put.offset;
      for (std::size_t dim = 0; dim < 5; ++dim) {
        from += at[dim] * put.origin.steps[dim];
        to += at[dim] * put.target.steps[dim];
      }
      std::vector<std::byte>& memory = memory_[static_cast<std::size_t>(put.rank)];
      ASSERT_LE(to + put.target.element, std::ssize(memory));
      std::memcpy(memory.data() + to, put.from + from,
                  static_cast<std::size_t>(put.target.element));
      std::size_t dim = 5;
      while (dim-- > 0) {
        if (++at[dim] < put.origin.extents[dim]) break;
        at[dim] = 0;
        if (dim == 0) return;
      }
    }
  }

  Memory& memory_;
  std::vector<Put> waiting_;
};

class ScatterToRanks : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, ScatterToRanks, ::testing::Values(1, 2, 3, 4, 8),
                         ::testing::PrintToStringParamName());

TEST_P(ScatterToRanks, OfOneProcessLeavesWhatTheModelDoes) {
  for (const GroupCase& one : group_cases(GetParam())) {
    for (const CompileOptions& options :
         {CompileOptions{}, CompileOptions{.backend = Backend::Interpreter},
          CompileOptions{.strategy = {.stream_from = 1}}}) {
      Memory memory = one.load.memory.ranks;
      const auto group =
          ParallelGroup::make(one.tensor(), spans_of(memory, GetParam()), one.load.bound.root);
      ASSERT_TRUE(group) << render(group.error());
      const SourceView source(one);
      const auto done = scatter(*group, one.load.declared, source.view(),
                                {.bindings = one.bindings(), .compile = options});
      ASSERT_TRUE(done) << render(done.error()) << print(one.load.declared);
      EXPECT_EQ(memory, one.expected.ranks) << one.load.replay;
    }
  }
}

// Counts puts into `ways`: those of one run, and those of several.
void scatter_out_of_reach(const GroupCase& one, std::int32_t near, Sending sending,
                          std::array<int, 2>& ways) {
  Memory memory = one.load.memory.ranks;
  KernelSpec spec = one.load.declared;
  spec.root = 0;
  const auto group = ParallelGroup::make(one.tensor(), spans_of(memory, near), 0);
  ASSERT_TRUE(group) << render(group.error());
  const SourceView source(one);
  const auto checked = check_scatter(*group, spec, source.view(), {one.bindings()});
  ASSERT_TRUE(checked) << render(checked.error());
  if (group->bytes() == 0) return;
  const auto delivery = make_delivery(*checked, {.sending = sending});
  ASSERT_TRUE(delivery) << render(delivery.error()) << print(spec);
  LateCarrier carrier(memory);
  SendingTimes times;
  ASSERT_TRUE(deliver(*group, *delivery, carrier, times));
  EXPECT_EQ(memory, one.expected.ranks) << one.load.replay << " near " << near;
  ways[0] += carrier.runs;
  ways[1] += carrier.puts - carrier.runs;
}

TEST_P(ScatterToRanks, OutOfReachGoesThroughTheStagePieceByPiece) {
  for (const Sending sending : {Sending::Measured, Sending::Packed, Sending::InPlace}) {
    std::array<int, 2> ways{};
    for (const GroupCase& one : group_cases(GetParam())) {
      for (std::int32_t near = 1; near <= GetParam(); near += 2)
        scatter_out_of_reach(one, near, sending, ways);
    }
    if (GetParam() == 1) continue;
    EXPECT_GT(ways[0] + ways[1], 500);
    EXPECT_EQ(ways[1] > 0, sending != Sending::Packed);
  }
}

TEST(SendingTimes, AreTakenOfBothWaysAndTheFasterOneIsChosen) {
  SendingTimes times;
  int tried = 0;
  for (; !times.is_measured(512); ++tried) {
    const Sending way = times.next(512);
    times.note(512, way, way == Sending::Packed ? 3e-9 : tried == 5 ? 1e-9 : 9e-9);
  }
  EXPECT_EQ(tried, 2 * SendingTimes::kTries);
  EXPECT_EQ(times.next(512), Sending::InPlace);
  EXPECT_EQ(times.next(1023), Sending::InPlace);
  EXPECT_FALSE(times.is_measured(1024));
  for (int i = 0; i < SendingTimes::kTries; ++i) {
    times.note(1, Sending::InPlace, 2e-9);
    times.note(1, Sending::Packed, 1e-9);
  }
  EXPECT_EQ(times.next(1), Sending::Packed);
}

// --- refusals -----------------------------------------------------------------------------------

constexpr const char* kSpec =
    "a5:comm.tscatter src=f32[64x32] dst=f32[16x32] stage=f32[16x32] ranks=4 root=1";

struct Asked {
  std::string spec = kSpec;
  std::int32_t root = 1;
  std::size_t ranks = 4;
  std::size_t destination = 2048;
  std::size_t source = 8192;
};

std::string refusal(const Asked& asked) {
  Memory memory(asked.ranks, std::vector<std::byte>(asked.destination, std::byte{7}));
  const Memory before = memory;
  const KernelSpec spec = *parse(asked.spec);
  const Table tensor{.shape = {1, 1, 1, 16, 32}, .dtype = DType::F32};
  const auto group = ParallelGroup::make(
      tensor, spans_of(memory, static_cast<std::int32_t>(asked.ranks)), asked.root);
  if (!group) return group.error()[0].id;
  std::vector<std::byte> source(asked.source);
  const BufferView view = {.operand = "src",
                           .data = source.data(),
                           .bytes = static_cast<std::int64_t>(source.size()),
                           .dtype = DType::F32};
  const auto done = scatter(*group, spec, view);
  EXPECT_TRUE(done || memory == before);
  return done ? "" : done.error()[0].id;
}

TEST(GroupScatter, RefusesWhatDoesNotFitAndWritesNothing) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({.root = 2}), "group.root");
  EXPECT_EQ(refusal({.root = 4}), "group.root");
  EXPECT_EQ(refusal({.root = 0, .ranks = 0}), "group.ranks");
  EXPECT_EQ(refusal({.ranks = 3}), "group.ranks");
  EXPECT_EQ(refusal({.destination = 2047}), "group.size");
  EXPECT_EQ(refusal({.source = 8191}), "call.size");
  EXPECT_EQ(refusal({.spec = "a5:comm.tscatter src=f32[63x32] dst=f32[16x32] stage=f32[16x32] "
                             "ranks=4 root=1"}),
            "a5.comm.group.rows");
  EXPECT_EQ(refusal({.spec = "a5:comm.tscatter src=f32[64x32] dst=f32[16x32] stage=f32[5x32] "
                             "ranks=4 root=1"}),
            "a5.comm.stage.divides");
  EXPECT_EQ(refusal({.spec = "a5:comm.tscatter src=f16[64x32] dst=f16[16x32] stage=f16[16x32] "
                             "ranks=4 root=1"}),
            "call.dtype");
  EXPECT_EQ(refusal({.spec = "a5:comm.tscatter src=f32[64x16] dst=f32[16x16] stage=f32[16x16] "
                             "ranks=4 root=1"}),
            "call.shape");
  EXPECT_EQ(refusal({.spec = "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]"}),
            "group.operation");
}

TEST(GroupScatter, RefusesMemoryThatIsSharedOrUnknown) {
  std::vector<std::byte> memory(8192 + 2048);
  const Table tensor{.shape = {1, 1, 1, 16, 32}, .dtype = DType::F32};
  const auto at = [&](std::size_t first) { return std::span(memory).subspan(first, 2048); };
  const std::array<std::span<std::byte>, 2> crossed = {at(0), at(2044)};
  EXPECT_EQ(ParallelGroup::make(tensor, crossed, 0).error()[0].id, "group.overlap");
  const std::array<std::span<std::byte>, 2> odd = {at(0), at(4001)};
  EXPECT_EQ(ParallelGroup::make(tensor, odd, 0).error()[0].id, "group.alignment");
  Table open = tensor;
  open.shape[3] = kRuntime;
  const std::array<std::span<std::byte>, 2> good = {at(0), at(8192)};
  EXPECT_EQ(ParallelGroup::make(open, good, 0).error()[0].id, "group.shape");
  const auto group = ParallelGroup::make(tensor, good, 0);
  const BufferView source = {
      .operand = "src", .data = memory.data() + 6144, .bytes = 4096, .dtype = DType::F32};
  const auto spec =
      parse("a5:comm.tscatter src=f32[32x32] dst=f32[16x32] stage=f32[16x32] ranks=2 root=0");
  EXPECT_EQ(scatter(*group, *spec, source).error()[0].id, "call.overlap");
}

// --- pieces -------------------------------------------------------------------------------------

std::vector<Extents> extents_of_pieces(const Table& tensor, const Tile& stage) {
  std::vector<Extents> out;
  EXPECT_TRUE(for_each_piece(tensor, stage, [&](const Piece& piece) -> Result<Done> {
    out.push_back(piece.extents);
    return Done{};
  }));
  return out;
}

TEST(Pieces, AreOneWhereTheDataFitAndSlideWhereTheyDoNot) {
  const Table tensor{.shape = {1, 2, 1, 3, 5}, .dtype = DType::F32};
  using All = std::vector<Extents>;
  EXPECT_EQ(extents_of_pieces(tensor, {6, 8, 6, 8}), (All{{1, 2, 1, 3, 5}}));
  EXPECT_EQ(extents_of_pieces(tensor, {5, 8, 5, 8}), (All{{1, 1, 1, 3, 5}, {1, 1, 1, 3, 5}}));
  EXPECT_EQ(extents_of_pieces({.shape = {1, 1, 1, 3, 5}}, {2, 4, 2, 4}),
            (All{{1, 1, 1, 2, 4}, {1, 1, 1, 2, 1}, {1, 1, 1, 1, 4}, {1, 1, 1, 1, 1}}));
  EXPECT_EQ(extents_of_pieces({.shape = {1, 0, 1, 3, 5}}, {2, 4, 2, 4}), All{});
}

TEST(Layouts, AreRunsAsLongAsCanBe) {
  const Table packed{.shape = {2, 1, 3, 4, 8}, .dtype = DType::F32};
  EXPECT_TRUE(runs_of(layout_in(packed, {2, 1, 3, 4, 8})).is_one());
  EXPECT_EQ(runs_of(layout_in(packed, {2, 1, 3, 4, 8})).bytes, 768);
  const Runs rows = runs_of(layout_in(packed, {2, 1, 3, 4, 7}));
  EXPECT_EQ(rows.bytes, 28);
  ASSERT_EQ(rows.depth, 1);
  EXPECT_EQ(rows.repeats[0].count, 24);
  EXPECT_EQ(rows.repeats[0].step, 32);
  EXPECT_EQ(runs_of(layout_in(packed, {2, 1, 2, 3, 7})).depth, 3);
}

}  // namespace
}  // namespace pto::jit::tests
