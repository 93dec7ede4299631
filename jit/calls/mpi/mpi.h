// Scatters between processes and tables spread over them, by MPI. Users include it as
// <ptojit/mpi.h> and link ptojit::mpi; the library itself neither knows nor loads MPI.
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
#include "jit/calls/buffer_view.h"
#include "jit/calls/checked_call.h"
#include "jit/calls/ranks/scatter.h"

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
  // differ, all of them get the error. A rank that has only an error for a tensor gives that, and
  // all get it. The destination is zeroed memory of the group's own.
  static Result<Group> allocate(MPI_Comm comm, const Result<Table>& tensor, std::int32_t root,
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
  // the last time is an error on every rank, and so is a rank that left.
  Result<Done> wait();

  // For a rank that cannot do its part, as a root without a source: the next wait is this error on
  // every rank.
  void fail(Diagnostics why);

  // The last that a rank does, also on destruction: others that wait get an error, that of a
  // scatter that failed if there is one.
  void leave(Diagnostics why = {});

 private:
  struct State;
  struct Maker;
  struct Root;
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

// A table whose rows are spread over the ranks of a communicator: row q of the whole is row
// q % rows_per_rank of rank q / rows_per_rank, so that the last ranks may hold fewer, or none.
// Making and destroying one is collective, and comes before MPI_Finalize. Used by one thread at a
// time.
class SpreadTable {
 public:
  // Collective. `local` are this rank's rows: a shape of rows and width, perhaps strides; the
  // memory is the caller's and outlives the table. A rank that has only an error gives that, and
  // all get it.
  static Result<SpreadTable> make(MPI_Comm comm, const Result<BufferView>& local,
                                  std::int64_t rows_per_rank);

  SpreadTable(SpreadTable&& other) noexcept;
  SpreadTable& operator=(SpreadTable&& other) noexcept;
  SpreadTable(const SpreadTable&) = delete;
  SpreadTable& operator=(const SpreadTable&) = delete;
  ~SpreadTable();

  std::int32_t rank() const;
  std::int32_t size() const;
  std::int64_t rows() const;  // of all ranks

  // Collective with the gather_rows or scatter_rows that the others call: all get this error.
  Result<Done> refuse(const Diagnostics& why);

  // The last that a rank does, also on destruction: others that come to move rows get an error.
  void leave(Diagnostics why = {});

 private:
  struct State;
  friend struct SpreadMove;
  explicit SpreadTable(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Collective: every rank gathers by indices of its own, which count the whole table's rows.
// `spec` is a mgather.row of a2a3 or a5 whose table is the whole one; all ranks give the same but
// for the number of their indices. `arguments` are those of `call` without a buffer for the table.
// What one rank refuses, an index out of range where no policy answers it included, is an error on
// every rank, and nothing has moved.
Result<Done> gather_rows(SpreadTable& table, const KernelSpec& spec, const CallArguments& arguments,
                         const CompileOptions& options = {});

// The same with a mscatter.row. An owner applies what it receives rank by rank, position by
// position, so that the table is what one process would have left that took the ranks' rows one
// after the other. When it returns, this rank's part is complete.
Result<Done> scatter_rows(SpreadTable& table, const KernelSpec& spec,
                          const CallArguments& arguments, const CompileOptions& options = {});

}  // namespace pto::jit::mpi
