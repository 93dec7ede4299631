// What the programs that mpirun starts share: claims that every rank makes, and how they end.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <string>
#include <utility>

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

  // What went wrong on one rank: its own error there, elsewhere the same with its name.
  template <class T>
  bool fails(const Result<T>& result, const std::string& id, int culprit) {
    if (!fails(result, id)) return false;
    const std::string& said = result.error()[0].message;
    const bool names = said.starts_with("rank " + std::to_string(culprit) + " failed: ");
    return that(names == (rank_here() != culprit), "who failed is told: " + said);
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

// A program whose words are what `run` takes; others are not run.
template <class... Word>
int run_program(int argc, char** argv, int (*run)(Word...)) {
  MPI_Init(&argc, &argv);
  const auto run_on = [&]<std::size_t... k>(std::index_sequence<k...>) {
    return run(argv[k + 1]...);
  };
  const bool has_all = argc == 1 + static_cast<int>(sizeof...(Word));
  const int code = has_all ? run_on(std::index_sequence_for<Word...>()) : 2;
  MPI_Finalize();
  return code;
}

}  // namespace pto::jit::tests
