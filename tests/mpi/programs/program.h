// What the programs that mpirun starts share: claims that every rank makes, and how they end.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <string>

#include "ir/diagnostic.h"
#include "ir/result.h"

namespace pto::jit::tests {

inline int rank_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int ranks_there() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

// A claim that fails is printed by the rank it fails on.
class Claims {
 public:
  bool that(bool holds, const std::string& what) {
    ++made_;
    if (holds) return true;
    ++failed_;
    std::fprintf(stderr, "rank %d: not so: %s\n", rank_here(), what.c_str());
    return false;
  }

  template <class T>
  bool fails(const Result<T>& result, const std::string& id) {
    const std::string got = result ? "success" : result.error()[0].id;
    return that(got == id, "an error " + id + ", but " + got +
                               (result ? "" : ": " + result.error()[0].message));
  }

  template <class T>
  bool works(const Result<T>& result, const std::string& what) {
    return that(result.has_value(), what + (result ? "" : ": " + render(result.error())));
  }

  // Collective. The root prints how many claims all ranks made.
  int end() const {
    int sums[] = {made_, failed_};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank_here() == 0) std::printf("claims %d failed %d\n", sums[0], sums[1]);
    return sums[1] == 0 ? 0 : 1;
  }

 private:
  int made_ = 0;
  int failed_ = 0;
};

}  // namespace pto::jit::tests
