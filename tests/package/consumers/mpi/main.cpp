// Two ranks, each given four rows by the first.
#include <ptojit/mpi.h>
#include <ptojit/ptojit.h>

#include <cstring>
#include <vector>

int main(int argc, char** argv) {
  using namespace pto::jit;
  MPI_Init(&argc, &argv);
  bool is_good = false;
  {
    const Table tensor = {.shape = {1, 1, 1, 4, 8}, .dtype = DType::F32};
    Result<mpi::Group> group = mpi::Group::allocate(MPI_COMM_WORLD, tensor, 0);
    const auto spec =
        parse("a5:comm.tscatter src=f32[8x8] dst=f32[4x8] stage=f32[4x8] ranks=2 root=0");
    std::vector<float> rows(64, 2.5F);
    if (group && group->rank() == 0)
      is_good = scatter(*group, *spec, view_of("src", rows)).has_value();
    float first = 0;
    if (group && group->wait()) std::memcpy(&first, group->memory().data(), sizeof(first));
    is_good = first == 2.5F && (is_good || group->rank() != 0);
  }
  MPI_Finalize();
  return is_good ? 0 : 1;
}
