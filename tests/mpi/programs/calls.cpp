// Says which of MPI's calls a scatter makes: each of those that the library uses is caught on its
// way, by MPI's profiling interface.
#include <set>
#include <string>
#include <vector>

#include "ir/spec_text.h"
#include "jit/calls/mpi/mpi.h"
#include "tests/mpi/programs/program.h"

namespace pto::jit::tests {
namespace {

struct Watch {
  bool is_on = false;
  std::set<std::string> called;
};

Watch& watch() {
  static Watch one;
  return one;
}

std::vector<std::string>& watched() {
  static std::vector<std::string> all;
  return all;
}

struct Watched {
  explicit Watched(const char* name) { watched().emplace_back(name); }
};

void note(const char* name) {
  if (watch().is_on) watch().called.insert(name);
}

}  // namespace
}  // namespace pto::jit::tests

// PTOJIT_WATCH(name without MPI_, parameters, arguments)
#define PTOJIT_WATCH(name, parameters, arguments)                     \
  static const pto::jit::tests::Watched watched_##name("MPI_" #name); \
  extern "C" int MPI_##name parameters {                              \
    pto::jit::tests::note("MPI_" #name);                              \
    return PMPI_##name arguments;                                     \
  }

PTOJIT_WATCH(Allgather,
             (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
             (a, b, c, d, e, f, g))
PTOJIT_WATCH(Allreduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f),
             (a, b, c, d, e, f))
PTOJIT_WATCH(Alltoall,
             (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
             (a, b, c, d, e, f, g))
PTOJIT_WATCH(Alltoallv,
             (const void* a, const int* b, const int* c, MPI_Datatype d, void* e, const int* f,
              const int* g, MPI_Datatype h, MPI_Comm i),
             (a, b, c, d, e, f, g, h, i))
PTOJIT_WATCH(Bcast, (void* a, int b, MPI_Datatype c, int d, MPI_Comm e), (a, b, c, d, e))
PTOJIT_WATCH(Comm_dup, (MPI_Comm a, MPI_Comm* b), (a, b))
PTOJIT_WATCH(Comm_free, (MPI_Comm * a), (a))
PTOJIT_WATCH(Comm_group, (MPI_Comm a, MPI_Group* b), (a, b))
PTOJIT_WATCH(Comm_rank, (MPI_Comm a, int* b), (a, b))
PTOJIT_WATCH(Comm_set_errhandler, (MPI_Comm a, MPI_Errhandler b), (a, b))
PTOJIT_WATCH(Comm_size, (MPI_Comm a, int* b), (a, b))
PTOJIT_WATCH(Comm_split, (MPI_Comm a, int b, int c, MPI_Comm* d), (a, b, c, d))
PTOJIT_WATCH(Comm_split_type, (MPI_Comm a, int b, int c, MPI_Info d, MPI_Comm* e), (a, b, c, d, e))
PTOJIT_WATCH(Comm_test_inter, (MPI_Comm a, int* b), (a, b))
PTOJIT_WATCH(Error_string, (int a, char* b, int* c), (a, b, c))
PTOJIT_WATCH(Finalized, (int* a), (a))
PTOJIT_WATCH(Group_free, (MPI_Group * a), (a))
PTOJIT_WATCH(Group_translate_ranks, (MPI_Group a, int b, const int* c, MPI_Group d, int* e),
             (a, b, c, d, e))
PTOJIT_WATCH(Info_create, (MPI_Info * a), (a))
PTOJIT_WATCH(Info_free, (MPI_Info * a), (a))
PTOJIT_WATCH(Info_set, (MPI_Info a, const char* b, const char* c), (a, b, c))
PTOJIT_WATCH(Initialized, (int* a), (a))
PTOJIT_WATCH(Put,
             (const void* a, int b, MPI_Datatype c, int d, MPI_Aint e, int f, MPI_Datatype g,
              MPI_Win h),
             (a, b, c, d, e, f, g, h))
PTOJIT_WATCH(Type_commit, (MPI_Datatype * a), (a))
PTOJIT_WATCH(Type_contiguous, (int a, MPI_Datatype b, MPI_Datatype* c), (a, b, c))
PTOJIT_WATCH(Type_create_hvector, (int a, int b, MPI_Aint c, MPI_Datatype d, MPI_Datatype* e),
             (a, b, c, d, e))
PTOJIT_WATCH(Type_create_struct,
             (int a, const int b[], const MPI_Aint c[], const MPI_Datatype d[], MPI_Datatype* e),
             (a, b, c, d, e))
PTOJIT_WATCH(Type_free, (MPI_Datatype * a), (a))
PTOJIT_WATCH(Win_allocate_shared, (MPI_Aint a, int b, MPI_Info c, MPI_Comm d, void* e, MPI_Win* f),
             (a, b, c, d, e, f))
PTOJIT_WATCH(Win_create, (void* a, MPI_Aint b, int c, MPI_Info d, MPI_Comm e, MPI_Win* f),
             (a, b, c, d, e, f))
PTOJIT_WATCH(Win_flush_all, (MPI_Win a), (a))
PTOJIT_WATCH(Win_flush_local, (int a, MPI_Win b), (a, b))
PTOJIT_WATCH(Win_free, (MPI_Win * a), (a))
PTOJIT_WATCH(Win_lock_all, (int a, MPI_Win b), (a, b))
PTOJIT_WATCH(Win_set_errhandler, (MPI_Win a, MPI_Errhandler b), (a, b))
PTOJIT_WATCH(Win_shared_query, (MPI_Win a, int b, MPI_Aint* c, int* d, void* e), (a, b, c, d, e))
PTOJIT_WATCH(Win_sync, (MPI_Win a), (a))
PTOJIT_WATCH(Win_unlock_all, (MPI_Win a), (a))

namespace pto::jit::tests {
namespace {

// Rows apart on both sides, in pieces through two stages.
int scatter_watched(const std::string& mode) {
  Claims claims;
  const Sending sending = mode == "packed"     ? Sending::Packed
                          : mode == "in_place" ? Sending::InPlace
                                               : Sending::Measured;
  const Table tensor = {
      .shape = {1, 1, 1, 16, 32}, .dtype = DType::F32, .strides = {640, 640, 640, 40, 1}};
  Result<mpi::Group> group =
      mpi::Group::allocate(MPI_COMM_WORLD, tensor, 0, {mode == "shared" ? 0 : 1});
  if (!claims.works(group, "a group")) return claims.end();
  std::vector<float> rows(static_cast<std::size_t>(16 * 48 * ranks_there()), 1.5F);
  const std::string text =
      "a5:comm.tscatter.pingpong src=f32[" + std::to_string(16 * ranks_there()) +
      "x32@48x1] dst=f32[16x32@40x1] stage=f32[4x32] ranks=" + std::to_string(ranks_there()) +
      " root=0";
  if (rank_here() == 0) {
    watch().is_on = true;
    const Result<Done> done =
        scatter(*group, *parse(text), view_of("src", rows), {.sending = sending});
    watch().is_on = false;
    claims.works(done, "a scatter");
    for (const std::string& name : watch().called) std::printf("called %s\n", name.c_str());
  }
  claims.works(group->wait(), "done");
  return claims.end();
}

int run(const std::string& mode) {
  if (mode != "watched") return scatter_watched(mode);
  for (const std::string& name : watched()) std::printf("watched %s\n", name.c_str());
  return 0;
}

}  // namespace
}  // namespace pto::jit::tests

int main(int argc, char** argv) {
  return pto::jit::tests::run_program(argc, argv, pto::jit::tests::run);
}
