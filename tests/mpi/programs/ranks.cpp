// A rank of a group that is scattered to: ranks COMMAND [MODE], started by mpirun.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>
#include <thread>

#include "ir/spec_text.h"
#include "jit/calls/mpi/mpi.h"
#include "tests/mpi/programs/program.h"
#include "tests/ranks/group_cases.h"

namespace pto::jit::tests {
namespace {

using Clock = std::chrono::steady_clock;

// shared: memory that the root writes; remote: all but the root's is put, as is faster; packed and
// in_place: in one way alone; pairs: some of either; exposed: memory of the rank's own.
Result<mpi::Group> make_group(const std::string& mode, const Table& tensor, std::int32_t root,
                              std::vector<std::byte>& own) {
  if (mode == "exposed") return mpi::Group::expose(MPI_COMM_WORLD, tensor, root, own);
  const std::map<std::string, std::int32_t> per_host = {
      {"shared", 0}, {"remote", 1}, {"packed", 1}, {"in_place", 1}, {"pairs", 2}};
  return mpi::Group::allocate(MPI_COMM_WORLD, tensor, root, {per_host.at(mode)});
}

Sending sending_in(const std::string& mode) {
  if (mode == "packed") return Sending::Packed;
  return mode == "in_place" ? Sending::InPlace : Sending::Measured;
}

void scatter_case(Claims& claims, const std::string& mode, const GroupCase& one) {
  const auto rank = static_cast<std::size_t>(rank_here());
  std::vector<std::byte> own = one.load.memory.ranks[rank];
  own.reserve(1);
  Result<mpi::Group> group = make_group(mode, one.tensor(), one.load.bound.root, own);
  if (!claims.works(group, "a group for " + one.load.replay)) return;
  const std::span<std::byte> memory = group->memory();
  std::ranges::copy(one.load.memory.ranks[rank], memory.begin());
  claims.works(group->wait(), "ready");
  for (int time = 0; time < 2; ++time) {  // a second time into the same group
    if (rank_here() == group->root()) {
      const SourceView source(one);
      const std::vector<Binding> bindings = one.bindings();
      claims.works(scatter(*group, one.load.declared, source.view(),
                           {.bindings = bindings, .sending = sending_in(mode)}),
                   one.load.replay);
    }
    claims.works(group->wait(), "done");
  }
  claims.that(std::ranges::equal(memory, one.expected.ranks[rank]),
              "the model's: " + one.load.replay);
}

// One in three, or in seven, which still meets every shape and every dtype: making groups takes its
// time.
void run_cases(Claims& claims, const std::string& mode) {
  const std::vector<GroupCase> cases = group_cases(ranks_there());
  for (std::size_t i = 0; i < cases.size(); i += ranks_there() > 4 ? 7 : 3)
    scatter_case(claims, mode, cases[i]);
}

// --- errors -------------------------------------------------------------------------------------

constexpr Table kTensor = {.shape = {1, 1, 1, 4, 8}, .dtype = DType::F32};

std::string spec_text(int ranks, int root, const std::string& stage = "4x8") {
  return "a5:comm.tscatter src=f32[" + std::to_string(4 * ranks_there()) +
         "x8] dst=f32[4x8] stage=f32[" + stage + "] ranks=" + std::to_string(ranks) +
         " root=" + std::to_string(root);
}

// What differs between ranks, or is wrong on one of them, all of them get to know.
void refuse_groups(Claims& claims) {
  const bool is_odd = rank_here() == 1;
  const auto made_with = [&](const Table& odd, std::int32_t root) {
    return mpi::Group::allocate(MPI_COMM_WORLD, is_odd ? odd : kTensor, root);
  };
  Table other = kTensor;
  other.dtype = DType::I32;
  claims.fails(made_with(other, 0), "group.differs");
  other = kTensor;
  other.shape[3] = 5;
  claims.fails(made_with(other, 0), "group.differs");
  other = kTensor;
  other.strides = {40, 40, 40, 10, 1};
  claims.fails(made_with(other, 0), "group.differs");
  claims.fails(made_with(kTensor, is_odd ? 1 : 0), "group.differs");
  claims.fails(made_with(kTensor, ranks_there()), "group.root");
  claims.fails(made_with(kTensor, -1), "group.root");
  other = kTensor;
  other.shape[3] = kRuntime;
  claims.fails(made_with(other, 0), "group.shape", 1);
  std::vector<std::byte> memory(is_odd ? 127 : 128);
  claims.fails(mpi::Group::expose(MPI_COMM_WORLD, kTensor, 0, memory), "group.size", 1);
  claims.fails(mpi::Group::allocate(MPI_COMM_NULL, kTensor, 0), "mpi.comm");
  Table same = kTensor;  // written otherwise, and no other
  same.strides = {99, 99, 99, 8, 1};
  claims.works(made_with(same, 0), "strides of extents of one");
}

void refuse_scatters(Claims& claims, const std::string& mode) {
  std::vector<std::byte> own(128, std::byte{0});
  Result<mpi::Group> group = make_group(mode, kTensor, 0, own);
  if (!claims.works(group, "a group")) return;
  const bool is_root = rank_here() == 0;
  std::vector<float> rows(static_cast<std::size_t>(32 * ranks_there()), 1.5F);
  const auto attempt = [&](const std::string& text, auto source, const std::string& id) {
    if (is_root) claims.fails(scatter(*group, *parse(text), view_of("src", source)), id);
    claims.fails(group->wait(), id, 0);
  };
  const int ranks = ranks_there();
  attempt(spec_text(ranks, 1), std::span(rows), "group.root");
  attempt(spec_text(ranks, ranks), std::span(rows), "a5.comm.root");
  attempt(spec_text(0, 0), std::span(rows), "a5.comm.ranks");
  attempt(spec_text(ranks + 1, 0), std::span(rows), "a5.comm.group.rows");
  attempt(spec_text(ranks - 1, 0), std::span(rows), "group.ranks");
  attempt(spec_text(ranks, 0, "3x8"), std::span(rows), "a5.comm.stage.divides");
  attempt(spec_text(ranks, 0), std::span(rows).first(rows.size() - 1), "call.size");
  attempt("a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]", std::span(rows),
          "group.operation");
  const auto other = [&](const std::string& dtype, const std::string& width) {
    const std::string all =
        std::to_string(4 * ranks) + "x" + width + "] dst=" + dtype + "[4x" + width;
    return "a5:comm.tscatter src=" + dtype + "[" + all + "] stage=" + dtype + "[4x" + width +
           "] ranks=" + std::to_string(ranks) + " root=0";
  };
  std::vector<std::int32_t> integers(rows.size());
  std::vector<float> wide(2 * rows.size());
  attempt(other("i32", "8"), std::span(integers), "call.dtype");
  attempt(other("f32", "16"), std::span(wide), "call.shape");
  const bool is_other = rank_here() == ranks - 1;
  if (is_other)
    claims.fails(scatter(*group, *parse(spec_text(ranks, 0)), view_of("src", rows)), "call.rank");
  claims.fails(group->wait(), "call.rank", ranks - 1);
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  claims.that(std::ranges::all_of(group->memory(), is_zero), "nothing was written");
  claims.works(group->wait(), "all have looked");
  if (is_root) claims.works(scatter(*group, *parse(spec_text(ranks, 0)), view_of("src", rows)), "");
  claims.works(group->wait(), "after all of that");
  claims.that(!std::ranges::any_of(group->memory().first(2), is_zero) ||
                  std::ranges::count_if(group->memory(), is_zero) == 64,
              "written at last");
}

// A root that ends without a word, one that could not scatter, and one that says why: those that
// wait are told, and wait no more.
void leave_groups(Claims& claims, const std::string& mode) {
  const bool is_root = rank_here() == 0;
  const auto left_by = [&](auto last_words, const std::string& id, const std::string& why) {
    std::vector<std::byte> own(128, std::byte{0});
    std::optional<mpi::Group> group;
    if (Result<mpi::Group> made = make_group(mode, kTensor, 0, own); claims.works(made, "a group"))
      group.emplace(std::move(*made));
    if (is_root) last_words(*group);
    for (int time = 0; time < 2 && !is_root; ++time) {
      const Result<Done> waited = group->wait();
      if (claims.fails(waited, id))
        claims.that(waited.error()[0].message.starts_with("rank 0 left: " + why), why);
    }
  };
  left_by([](mpi::Group&) {}, "mpi.left", "it meets the others no more");
  left_by([](mpi::Group& group) { group.fail({error("my.id", "no source")}); }, "my.id",
          "no source");
  const std::vector<float> few(1);
  left_by(
      [&](mpi::Group& group) {
        claims.fails(scatter(group, *parse(spec_text(ranks_there(), 0)), view_of("src", few)),
                     "call.size");
      },
      "call.size", "src");
}

// The same again, with other numbers in the same memory, from other memory, after a refusal: what
// was checked before is remembered, and nothing else is.
void scatter_again(Claims& claims, const std::string& mode) {
  std::vector<std::byte> own(128);
  Result<mpi::Group> group = make_group(mode, kTensor, 0, own);
  if (!claims.works(group, "a group")) return;
  const auto spec = parse(spec_text(ranks_there(), 0));
  std::vector<float> rows(static_cast<std::size_t>(32 * ranks_there()));
  std::vector<float> others(rows.size(), 3.0F);
  const auto arrives = [&](std::span<float> source, float number) {
    if (rank_here() == 0) claims.works(scatter(*group, *spec, view_of("src", source)), "again");
    claims.works(group->wait(), "done");
    std::vector<float> here(32);
    std::memcpy(here.data(), group->memory().data(), 128);
    claims.that(std::ranges::count(here, number) == 32, "all are " + std::to_string(number));
    claims.works(group->wait(), "all have looked");
  };
  for (const float number : {1.0F, 2.0F}) {
    std::ranges::fill(rows, number);
    arrives(rows, number);
  }
  arrives(others, 3.0F);
  arrives(rows, 2.0F);
  const std::span few = std::span(rows).first(rows.size() - 1);
  const bool is_root = rank_here() == 0;
  if (is_root) claims.fails(scatter(*group, *spec, view_of("src", few)), "call.size");
  claims.fails(group->wait(), "call.size", 0);
  arrives(others, 3.0F);
}

// --- ranks that are elsewhere --------------------------------------------------------------------

// Rank 1 sleeps outside of MPI while the root scatters; both say how long they took.
void scatter_to_sleeper(Claims& claims, const std::string& mode) {
  const Table tensor = {.shape = {1, 1, 1, 64, 64}, .dtype = DType::F32};
  std::vector<std::byte> own(64 * 64 * 4);
  Result<mpi::Group> group = make_group(mode, tensor, 0, own);
  if (!claims.works(group, "a group")) return;
  claims.works(group->wait(), "ready");
  const auto start = Clock::now();
  if (rank_here() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  if (rank_here() == 0) {
    std::vector<float> rows(static_cast<std::size_t>(4096 * ranks_there()), 1.5F);
    const auto spec = parse(
        "a5:comm.tscatter src=f32[" + std::to_string(64 * ranks_there()) +
        "x64] dst=f32[64x64] stage=f32[64x64] ranks=" + std::to_string(ranks_there()) + " root=0");
    claims.works(scatter(*group, *spec, view_of("src", rows)), "a scatter");
    const std::chrono::duration<double> took = Clock::now() - start;
    std::printf("scatter took %.3f s\n", took.count());
  }
  claims.works(group->wait(), "done");
  float first = 0;
  std::memcpy(&first, group->memory().data(), sizeof(first));
  claims.that(first == 1.5F, "the sleeper has its data");
}

// Rank 1 is gone before the root scatters, in one way or another.
void scatter_to_missing(const std::string& how) {
  const bool is_shared = how == "killed_shared";
  Result<mpi::Group> group = mpi::Group::allocate(MPI_COMM_WORLD, kTensor, 0, {is_shared ? 0 : 1});
  if (!group || !group->wait()) std::_Exit(9);
  if (rank_here() == 1 && how.starts_with("killed")) std::raise(SIGKILL);
  if (rank_here() == 1 && how == "exits") std::_Exit(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  std::vector<float> rows(static_cast<std::size_t>(32 * ranks_there()));
  if (rank_here() == 0) {
    const auto spec = parse(spec_text(ranks_there(), 0));
    for (int time = 0; time < 3; ++time) {
      if (!scatter(*group, *spec, view_of("src", rows))) std::printf("the scatter failed\n");
    }
  }
  std::fflush(stdout);
  if (!group->wait()) std::printf("waiting failed\n");
}

int run(const std::string& command, const std::string& mode) {
  Claims claims;
  if (command == "cases") run_cases(claims, mode);
  if (command == "errors" && mode == "groups") refuse_groups(claims);
  if (command == "errors" && mode != "groups") refuse_scatters(claims, mode);
  if (command == "leaving") leave_groups(claims, mode);
  if (command == "again") scatter_again(claims, mode);
  if (command == "sleeper") scatter_to_sleeper(claims, mode);
  if (command == "missing") scatter_to_missing(mode);
  return claims.end();
}

}  // namespace
}  // namespace pto::jit::tests

int main(int argc, char** argv) {
  return pto::jit::tests::run_program(argc, argv, pto::jit::tests::run);
}
