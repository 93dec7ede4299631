// One rank's side of a gather from, or a scatter into, a table whose rows are spread over ranks:
// row q is the row q % rows_per_rank of rank q / rows_per_rank.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/frame.h"
#include "ir/result.h"
#include "jit/calls/checked_call.h"
#include "jit/compile/compile.h"
#include "targets/binding.h"

namespace pto::jit {

struct SpreadShape {
  DType dtype = DType::I8;
  std::int64_t rows = 0;  // of all ranks
  std::int64_t rows_per_rank = 1;
  std::int64_t width = 0;  // elements of a row
  std::int64_t pitch = 0;  // from one row to the next
};

struct SpreadCall {
  KernelSpec whole;    // the caller's, on the whole table, bound
  BoundSpec exchange;  // between the caller's tile and rows side by side, as they travel
  Frame frame;         // of it, without table and indices
  const std::uint32_t* indices = nullptr;
  std::int64_t count = 0;  // of them

  std::int64_t row_bytes() const { return whole.data.vc * size_of(whole.data.dtype); }
};

// Checks what `call` checks; `arguments` have no buffer for the table.
Result<SpreadCall> check_spread(const SpreadShape& shape, const KernelSpec& spec,
                                const CallArguments& arguments);

inline constexpr std::uint32_t kNowhere = UINT32_MAX;

// Which rows are whose. They travel owner by owner, those of one owner in the order of positions.
struct Route {
  std::vector<std::int32_t> counts;   // for each rank
  std::vector<std::uint32_t> rows;    // as their owners count them
  std::vector<std::uint32_t> places;  // where a position's row travels; kNowhere: it does not
};

// An index is resolved against the whole table before its owner is chosen.
Result<Route> route_of(const SpreadShape& shape, const SpreadCall& call, std::int32_t ranks);

// The exchange's rows and the caller's tile, by its kernel.
Result<Done> move_rows(const SpreadCall& call, const Route& route, std::byte* rows,
                       const CompileOptions& options);

// What an owner is asked: `count` rows, by their numbers in `indices`, side by side in `rows`.
struct OwnerWork {
  std::byte* table = nullptr;
  std::int64_t table_rows = 0;
  const std::uint32_t* indices = nullptr;
  std::byte* rows = nullptr;
  std::int64_t count = 0;
};

// Whether the target has what an owner does, too; known on every rank before anything moves.
Result<Done> check_owner(const SpreadShape& shape, const SpreadCall& call);

// In order, by a kernel that does a block of them at a time.
Result<Done> do_owner_work(const SpreadShape& shape, const SpreadCall& call, const OwnerWork& work,
                           const CompileOptions& options);

}  // namespace pto::jit
