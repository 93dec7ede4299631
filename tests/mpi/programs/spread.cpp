// A rank of a spread table: spread COMMAND, started by mpirun. What one process leaves that takes
// the ranks one after the other is made on every rank, by the model.
#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "ir/quantity.h"
#include "ir/spec_text.h"
#include "jit/calls/mpi/mpi.h"
#include "runtime/fillers.h"
#include "tests/model/model.h"
#include "tests/mpi/programs/program.h"

namespace pto::jit::tests {
namespace {

using Bytes = std::vector<std::byte>;
using Random = std::mt19937;

constexpr std::array kSpecs = {
    "a5:mgather.row dst=f32[64x32|?x32] idx=i32[1x64|1x?] table=f32[?x32]",
    "a5:mgather.row.zero dst=bf16[64x32|?x20] idx=u32[1x64|1x?] table=bf16[?x20]",
    "a5:mgather.row.clamp dst=u8[64x32|?x7] idx=i32[64x1|?x1]:cm table=u8[?x7]",
    "a5:mgather.row.wrap dst=hif8[64x64|?x64] idx=i32[1x64|1x?] table=hif8[?x64]",
    "a5:mgather.row.zero dst=f32[64x5|?x5]:cm idx=i32[1x64|1x?] table=f32[?x5]",
    "a2a3:mgather.row.zero dst=f16[64x32|?x24] idx=i32[1x64|1x?] table=f16[?x30@33x1]",
    "a2a3:mgather.row.clamp dst=i32[64x16|?x?] idx=i32[1x64|1x?] table=i32[?x?@?x1]",
    "a5:mscatter.row src=f32[64x32|?x32] idx=i32[1x64|1x?] table=f32[?x32]",
    "a5:mscatter.row.skip src=u8[64x32|?x11] idx=i32[1x64|1x?] table=u8[?x11]",
    "a5:mscatter.row.wrap src=f8e4m3[64x32|?x32] idx=u32[64x1|?x1]:cm table=f8e4m3[?x32]",
    "a5:mscatter.row.skip.atomic_add src=f32[64x24|?x24] idx=i32[1x64|1x?] table=f32[?x24]",
    "a5:mscatter.row.clamp.atomic_add src=bf16[64x16|?x13] idx=i32[1x64|1x?] table=bf16[?x13]",
    "a5:mscatter.row.wrap.atomic_max src=i32[64x8|?x8] idx=i32[1x64|1x?] table=i32[?x8]",
    "a5:mscatter.row.skip.atomic_min src=f32[64x8|?x3]:cm idx=i32[1x64|1x?] table=f32[?x3]",
    "a2a3:mscatter.row.skip.atomic_add src=f16[64x32|?x24] idx=i32[1x64|1x?] table=f16[?x30@33x1]",
    "a2a3:mscatter.row.clamp src=i16[64x32|?x20] idx=i32[1x64|1x?] table=i16[?x20]",
};

// How many rows there are, and how many a rank has: evenly, with a short last rank, with none on
// the last, all on the first, none anywhere.
struct Spread {
  std::int64_t rows;
  std::int64_t per_rank;
};

std::vector<Spread> spreads(int ranks) {
  return {{8 * ranks, 8}, {8 * ranks - 3, 8}, {ranks, 2}, {19, 19}, {0, 4}};
}

Bytes made_up(std::int64_t elements, DType dtype, Random& random) {
  Bytes out(static_cast<std::size_t>(elements * size_of(dtype)));
  fill(out, dtype, [&](std::size_t) { return small_number(dtype, random); });
  return out;
}

// Duplicates, and indices out of range where the policy says what becomes of them.
std::vector<std::uint32_t> made_up_indices(std::int64_t rows, Oob oob, Random& random) {
  std::vector<std::uint32_t> out(64);
  for (std::uint32_t& index : out) {
    const auto next = [&](std::uint32_t below) {
      return static_cast<std::uint32_t>(random() % below);
    };
    const std::uint32_t kind = next(8);
    const auto limit = static_cast<std::uint32_t>(std::max<std::int64_t>(rows, 1));
    index = next(limit);
    if (kind == 0) index = limit / 2;
    if (oob == Oob::Undefined) continue;
    if (kind == 1) index = static_cast<std::uint32_t>(rows);
    if (kind == 2) index = UINT32_MAX - next(3);
  }
  return out;
}

// One rank's tile and indices.
struct Part {
  KernelSpec bound;
  Bytes tile;
  std::vector<std::uint32_t> indices;
};

class SpreadCase {
 public:
  SpreadCase(const char* text, const Spread& spread, std::uint32_t seed)
      : text_(text), spec_(*parse(text)), spread_(spread), random_(seed) {
    bound_ = spec_;
    bound_.table.shape[3] = static_cast<std::int32_t>(spread.rows);
    if (bound_.table.shape[4] == kRuntime) bound_.table.shape[4] = 14;
    if (bound_.data.vc == kRuntime) bound_.data.vc = 12;
    for (std::size_t dim = 0; dim < 5; ++dim) {
      if (bound_.table.strides[dim] == kRuntime) bound_.table.strides[dim] = 17;
    }
    pitch_ = stride_of(bound_.table, 3).value;
    table_ = made_up(spread.rows * pitch_, bound_.table.dtype, random_);
    for (int rank = 0; rank < ranks_there(); ++rank) parts_.push_back(make_part(rank));
  }

  void run(Claims& claims) {
    Bytes local = local_part();
    const std::int64_t shape[] = {local_rows(), bound_.table.shape[4]};
    const std::int64_t strides[] = {pitch_, 1};
    const BufferView view = {.operand = "table",
                             .data = local.data(),
                             .bytes = static_cast<std::int64_t>(local.size()),
                             .dtype = bound_.table.dtype,
                             .shape = shape,
                             .strides = strides};
    Result<mpi::SpreadTable> table = mpi::SpreadTable::make(MPI_COMM_WORLD, view, spread_.per_rank);
    if (!claims.works(table, text_)) return;
    claims.that(table->rows() == spread_.rows, "rows");
    Part mine = parts_[static_cast<std::size_t>(rank_here())];
    for (int time = 0; time < 2; ++time) move(claims, *table, mine);
    run_model();
    run_model();
    claims.that(local == local_part(), "the table's part: " + text_);
    claims.that(mine.tile == parts_[static_cast<std::size_t>(rank_here())].tile,
                "the tile: " + text_);
  }

 private:
  Part make_part(int rank) {
    Part part{bound_, made_up(std::int64_t{64} * bound_.data.cols, bound_.data.dtype, random_),
              made_up_indices(spread_.rows, bound_.oob, random_)};
    const std::int32_t counts[] = {64, 0, 17, 1};
    const std::int32_t count = counts[static_cast<std::size_t>(rank) % 4];
    part.bound.data.vr = count;
    (bound_.index.rows == 1 ? part.bound.index.vc : part.bound.index.vr) = count;
    return part;
  }

  std::int64_t local_rows() const {
    const std::int64_t first = rank_here() * spread_.per_rank;
    return std::clamp<std::int64_t>(spread_.rows - first, 0, spread_.per_rank);
  }

  Bytes local_part() const {
    const std::int64_t row = pitch_ * size_of(bound_.table.dtype);
    const auto first = static_cast<std::ptrdiff_t>(
        std::min<std::int64_t>(rank_here() * spread_.per_rank, spread_.rows) * row);
    return {table_.begin() + first,
            table_.begin() + first + static_cast<std::ptrdiff_t>(local_rows() * row)};
  }

  void move(Claims& claims, mpi::SpreadTable& table, Part& mine) const {
    const bool is_gather = spec_.op == Op::MGather;
    const BufferView views[] = {
        {.operand = is_gather ? "dst" : "src",
         .data = mine.tile.data(),
         .bytes = static_cast<std::int64_t>(mine.tile.size()),
         .dtype = spec_.data.dtype},
        {.operand = "idx", .data = mine.indices.data(), .bytes = 256, .dtype = spec_.index.dtype}};
    const Binding values[] = {{Dim::DataVr, mine.bound.data.vr}, {Dim::DataVc, mine.bound.data.vc}};
    const std::size_t given = spec_.data.vc == kRuntime ? 2 : 1;
    const CallArguments arguments = {.buffers = views, .bindings = std::span(values).first(given)};
    claims.works(
        is_gather ? gather_rows(table, spec_, arguments) : scatter_rows(table, spec_, arguments),
        text_);
  }

  // The ranks one after the other, on the whole table.
  void run_model() {
    for (Part& part : parts_) {
      model::Memory memory;
      memory.data = part.tile.data();
      memory.index = reinterpret_cast<const std::byte*>(part.indices.data());
      memory.table = table_.data();
      model::run(part.bound, memory);
    }
  }

  std::string text_;
  KernelSpec spec_;
  KernelSpec bound_;
  Spread spread_;
  Random random_;
  std::int64_t pitch_ = 0;
  Bytes table_;
  std::vector<Part> parts_;
};

void run_cases(Claims& claims) {
  std::uint32_t seed = 1;
  for (const char* text : kSpecs) {
    for (const Spread& spread : spreads(ranks_there()))
      SpreadCase(text, spread, seed++).run(claims);
  }
}

// --- errors -------------------------------------------------------------------------------------

Result<mpi::SpreadTable> table_of(std::vector<float>& rows, std::int64_t width,
                                  std::int64_t per_rank) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(rows.size()) / width, width};
  return mpi::SpreadTable::make(MPI_COMM_WORLD, view_of("table", rows, shape), per_rank);
}

void refuse_tables(Claims& claims) {
  const bool is_odd = rank_here() == 1;
  std::vector<float> rows(32);
  claims.fails(table_of(rows, is_odd ? 4 : 8, 4), "spread.differs");
  claims.fails(table_of(rows, 8, is_odd ? 5 : 4), "spread.differs");
  std::vector<float> fewer(is_odd ? 24 : 32);
  claims.fails(table_of(fewer, 8, 4), "spread.rows");
  claims.fails(table_of(rows, 8, is_odd ? 0 : 4), "spread.shape", 1);
}

void refuse_calls(Claims& claims) {
  const bool is_odd = rank_here() == 1;
  std::vector<float> rows(32, 2.5F);
  std::vector<float> tile(64, 1.5F);
  std::vector<std::int32_t> indices(8);
  Result<mpi::SpreadTable> table = table_of(rows, 8, 4);
  if (!claims.works(table, "a table")) return;
  const auto attempt = [&](const std::string& text, std::int32_t last) {
    indices[7] = is_odd ? last : 0;
    const KernelSpec spec = *parse(text);
    const bool is_gather = spec.op == Op::MGather;
    const BufferView views[] = {view_of(is_gather ? "dst" : "src", tile), view_of("idx", indices)};
    return is_gather ? gather_rows(*table, spec, {.buffers = views})
                     : scatter_rows(*table, spec, {.buffers = views});
  };
  const auto spec = [](const std::string& front, const std::string& rest) {
    return front + "=f32[8x8] idx=i32[1x8] table=" + rest;
  };
  const std::string all = std::to_string(4 * ranks_there());
  const std::int32_t beyond = 4 * ranks_there();
  const std::string gather = spec("a5:mgather.row dst", "f32[?x8]");
  const std::string scatter = spec("a5:mscatter.row src", "f32[" + all + "x8]");
  claims.fails(attempt(gather, beyond), "index.range", 1);
  claims.fails(attempt(scatter, -1), "index.range", 1);
  claims.fails(attempt(spec("a5:mgather.row dst", "f32[3x8]"), 0), "spread.shape");
  claims.fails(attempt(is_odd ? spec("a5:mgather.row dst", "f32[3x8]") : gather, 0), "spread.shape",
               1);
  claims.fails(
      attempt(spec(is_odd ? "a5:mgather.row.clamp dst" : "a5:mgather.row dst", "f32[?x8]"), 0),
      "spread.differs");
  claims.fails(attempt("cpu:mgather.row dst=f32[8x8|8x1] idx=i32[8x8|8x1] table=f32[?x?]", 0),
               "spread.form");
  claims.fails(attempt("a5:mgather.elem dst=f32[1x8] idx=i32[1x8] table=f32[?x8]", 0),
               "spread.form");
  claims.that(std::ranges::count(rows, 2.5F) == 32 && std::ranges::count(tile, 1.5F) == 64,
              "nothing has moved");
  claims.works(attempt(gather, beyond - 1), "an index in range");
  claims.that(std::ranges::count(tile, 2.5F) == 64, "all rows are there");
}

// Rows that are const are read by any rank and written by none.
void keep_const(Claims& claims) {
  const bool is_odd = rank_here() == 1;
  std::vector<float> rows(32, 2.5F);
  const std::int64_t shape[] = {4, 8};
  BufferView local = view_of("table", rows, shape);
  local.is_const = is_odd;
  Result<mpi::SpreadTable> table = mpi::SpreadTable::make(MPI_COMM_WORLD, local, 4);
  if (!claims.works(table, "a table")) return;
  std::vector<float> tile(64, 1.5F);
  std::vector<std::int32_t> indices(8);
  const BufferView from[] = {view_of("dst", tile), view_of("idx", indices)};
  const BufferView to[] = {view_of("src", tile), view_of("idx", indices)};
  claims.works(
      gather_rows(*table, *parse("a5:mgather.row dst=f32[8x8] idx=i32[1x8] table=f32[?x8]"),
                  {.buffers = from}),
      "a gather");
  claims.fails(
      scatter_rows(*table, *parse("a5:mscatter.row src=f32[8x8] idx=i32[1x8] table=f32[?x8]"),
                   {.buffers = to}),
      "call.const", 1);
  claims.that(std::ranges::count(rows, 2.5F) == 32, "nothing was written");
  const Diagnostics why = {error("my.id", "no indices")};
  claims.fails(is_odd ? table->refuse(why)
                      : gather_rows(*table,
                                    *parse("a5:mgather.row dst=f32[8x8] idx=i32[1x8] "
                                           "table=f32[?x8]"),
                                    {.buffers = from}),
               "my.id", 1);
}

int run(const std::string& command) {
  Claims claims;
  if (command == "cases") run_cases(claims);
  if (command == "errors") {
    refuse_tables(claims);
    refuse_calls(claims);
    keep_const(claims);
  }
  return claims.end();
}

}  // namespace
}  // namespace pto::jit::tests

int main(int argc, char** argv) {
  return pto::jit::tests::run_program(argc, argv, pto::jit::tests::run);
}
