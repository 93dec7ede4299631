// Scatters between processes, over MPI. Users include it as <ptojit/mpi.h> and link ptojit::mpi;
// the library itself neither knows nor loads MPI.
//
//   auto group = mpi::Group::allocate(MPI_COMM_WORLD, tensor, root);   // all ranks
//   if (group->rank() == root) scatter(*group, *spec, source);         // the root alone
//   group->wait();                                                     // all ranks, before reading
//   group->memory();                                                   // what this rank was given
//
// docs/ranks.md says what moves how, and what is complete when.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "ir/result.h"
#include "ir/spec.h"
#include "jit/calling/buffer_view.h"
#include "jit/ranks/scatter.h"

namespace pto::jit::mpi {

struct GroupOptions {
  // How many ranks of a host share their destinations: 0 all of them, 1 none, so that all data but
  // the root's own are put.
  std::int32_t ranks_per_host = 0;
};

// The ranks of a communicator, each with a destination for what a root scatters. Making, moving
// into and destroying one is collective, and comes before MPI_Finalize. Used by one thread at a
// time.
class Group {
 public:
  // Collective. Every rank states the same tensor, without '?', and the same root; where they
  // differ, all of them get the error. The destination is zeroed memory of the group's own.
  static Result<Group> allocate(MPI_Comm comm, const Table& tensor, std::int32_t root,
                                const GroupOptions& options = {});

  // The same with memory of the caller's, which outlives the group. It is written by put.
  static Result<Group> expose(MPI_Comm comm, const Table& tensor, std::int32_t root,
                              std::span<std::byte> memory);

  Group(Group&& other) noexcept;
  Group& operator=(Group&& other) noexcept;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group();

  std::int32_t rank() const;
  std::int32_t size() const;
  std::int32_t root() const;
  const Table& tensor() const;

  // This rank's destination.
  std::span<std::byte> memory() const;

  // Whether the root writes the rank's destination itself; known on the root.
  bool is_in_reach(std::int32_t rank) const;

  // Collective. When it returns, what was scattered before is in every rank's memory, and the
  // memory may be written by its owner until the root's next scatter. A scatter that failed since
  // the last time is an error on every rank.
  Result<Done> wait();

 private:
  struct State;
  struct Maker;
  friend Result<Done> scatter(Group& group, const KernelSpec& spec, const BufferView& source,
                              const ScatterOptions& options);
  explicit Group(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// The root's alone, one-sided: the other ranks need not call anything before they wait. When it
// returns, the source may be written again and all data have arrived; that a rank sees them is for
// wait to say. Nothing has been written when a check fails.
Result<Done> scatter(Group& group, const KernelSpec& spec, const BufferView& source,
                     const ScatterOptions& options = {});

}  // namespace pto::jit::mpi
