#include "jit/doors/python/array_moves.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "ir/frame.h"
#include "jit/compile/compile.h"
#include "jit/doors/python/failure.h"
#include "jit/doors/python/wide_indices.h"
#include "jit/doors/python/without_lock.h"
#include "runtime/host/host_features.h"
#include "runtime/parallel/work_pool.h"
#include "targets/binding.h"

namespace pto::jit::python {
namespace {

// Indices of a call: few enough to be in the nearest cache, enough to forget what a call costs.
constexpr std::int32_t kBlock = 4096;
constexpr std::size_t kMostKernels = 512;

// The first that takes a spec is as good as another on the host.
constexpr std::array kTargets = {Target::A5, Target::A2A3};

KernelSpec spec_for(const MoveWish& wish, Target target) {
  const bool by_rows = wish.coalesce == Coalesce::Row;
  const Tile line{1, kBlock, 1, kRuntime, DType::I32};
  KernelSpec out;
  out.target = target;
  out.op = wish.op;
  out.coalesce = wish.coalesce;
  out.oob = wish.oob;
  out.atomic = wish.atomic;
  out.conflict = wish.conflict;
  out.index = line;
  out.data = by_rows ? Tile{kBlock, wish.pitch, kRuntime, wish.width} : line;
  out.data.dtype = wish.dtype;
  out.table.shape = {1, 1, 1, by_rows ? kRuntime : 1, by_rows ? wish.width : kRuntime};
  out.table.dtype = wish.dtype;
  return out;
}

struct MadeKernel {
  Kernel kernel;
  KernelSpec spec;
  Frame frame;  // of that many slots, one block of indices
};

// The frame is the proof that the table breaks no rule.
Result<MadeKernel> make_for(const MoveWish& wish, Target target) {
  const Result<LegalSpec> legal = verify(spec_for(wish, target));
  if (!legal) return legal.error();
  const bool by_rows = wish.coalesce == Coalesce::Row;
  const Binding values[] = {{by_rows ? Dim::TableD3 : Dim::TableD4, wish.slots},
                            {by_rows ? Dim::DataVr : Dim::DataVc, kBlock}};
  const Result<BoundSpec> bound = bind(*legal, values);
  if (!bound) return bound.error();
  const Result<Kernel> kernel = compile(*legal);
  if (!kernel) return kernel.error();
  return MadeKernel{*kernel, legal->spec(), frame_of(bound->spec())};
}

MadeKernel make_for(const MoveWish& wish) {
  Result<MadeKernel> first = make_for(wish, kTargets[0]);
  for (std::size_t i = 1; !first && i < kTargets.size(); ++i) {
    if (Result<MadeKernel> other = make_for(wish, kTargets[i])) return std::move(*other);
  }
  return value_of(std::move(first));
}

struct WishHash {
  std::size_t operator()(const MoveWish& wish) const {
    std::array<std::uint64_t, sizeof(MoveWish) / 8> words{};
    static_assert(sizeof(words) == sizeof(MoveWish) &&
                  std::has_unique_object_representations_v<MoveWish>);
    std::memcpy(words.data(), &wish, sizeof(words));
    std::uint64_t out = 0;
    for (const std::uint64_t word : words) out = (out ^ word) * 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(out ^ (out >> 32));
  }
};

// Guarded by the interpreter's lock. Beyond its size it starts anew: the library's own cache still
// has the code.
std::shared_ptr<const MadeKernel> find_kernel(const MoveWish& wish) {
  static auto& known =
      *new std::unordered_map<MoveWish, std::shared_ptr<const MadeKernel>, WishHash>;
  const auto found = known.find(wish);
  if (found != known.end()) return found->second;
  auto made = std::make_shared<const MadeKernel>(make_for(wish));
  if (known.size() >= kMostKernels) known.clear();
  known.emplace(wish, made);
  return made;
}

// The last one of an operation is most often the next.
const std::shared_ptr<const MadeKernel>& kernel_for(const MoveWish& wish) {
  struct Last {
    MoveWish wish;
    std::shared_ptr<const MadeKernel> made;
  };
  static auto& last = *new std::array<Last, 4>;
  const bool is_scatter = wish.op == Op::MScatter;
  Last& entry = last[2 * is_scatter + (wish.coalesce == Coalesce::Row)];
  if (!entry.made || entry.wish != wish) entry = {wish, find_kernel(wish)};
  return entry.made;
}

// What the indices must be; nothing where everything will do.
std::optional<IndexRange> range_of(const Move& move) {
  const bool is_wide = move.indices.size == 8;
  if (!move.refuses) return is_wide ? std::optional(range_of_words(move.index_kind)) : std::nullopt;
  std::uint64_t limit = static_cast<std::uint64_t>(move.wish.slots);
  const bool may_alias = !is_wide && move.index_kind == NumberKind::Signed;
  if (may_alias) limit = std::min(limit, std::uint64_t{1} << 31);
  return IndexRange{.limit = limit};
}

[[noreturn]] void fail_at_index(const Move& move, IndexRange range) {
  fail_at_first(move.indices, move.index_kind, range, move.index_name,
                move.refuses ? "; the table has " + std::to_string(move.wish.slots) +
                                   (move.wish.coalesce == Coalesce::Row ? " rows" : " elements")
                             : std::string(", which 32 bits do not hold"));
}

// Copies indices, as kernels take them, and says whether all are in range: other threads may write
// to the array, and what was checked is what is followed.
bool take_indices(const IndexRun& run, std::optional<IndexRange> range, std::uint32_t* out) {
  if (run.size == 8) return narrow_indices(run, *range, out);
  std::memcpy(out, run.first, static_cast<std::size_t>(run.count * run.size));
  return !range || all_inside({out, run.count, run.size}, *range);
}

// The blocks of one move, or of what it moves to some of the slots.
class Blocks {
 public:
  Blocks(const Move& move, const Kernel& kernel, const Frame& frame)
      : move_(move), kernel_(kernel), frame_(frame) {
    const std::int64_t pitch = std::int64_t{move.wish.pitch} * size_of(move.wish.dtype);
    is_packed_ = move.tile_step != pitch && move.indices.count > 1;
    if (is_packed_)
      rows_.resize(
          static_cast<std::size_t>(std::min<std::int64_t>(kBlock, move.indices.count) * pitch));
    frame_.table = move.table;
  }

  bool run(std::optional<IndexRange> range) {
    for (std::int64_t first = 0; first < move_.indices.count; first += kBlock) {
      const std::int64_t count = std::min<std::int64_t>(kBlock, move_.indices.count - first);
      if (!place_indices(first, count, range)) return false;
      place_rows(first, count);
      const bool by_rows = move_.wish.coalesce == Coalesce::Row;
      auto& extents = frame_.extents;
      extents[static_cast<std::size_t>(by_rows ? Dim::DataVr : Dim::DataVc)] = count;
      extents[static_cast<std::size_t>(Dim::IndexVc)] = count;
      kernel_(frame_);
    }
    return true;
  }

 private:
  bool place_indices(std::int64_t first, std::int64_t count, std::optional<IndexRange> range) {
    const IndexRun& all = move_.indices;
    const IndexRun run{static_cast<const std::byte*>(all.first) + first * all.size, count,
                       all.size};
    frame_.index = own_.data();
    return take_indices(run, range, own_.data());
  }

  // A source without gaps between its rows is laid out as the tile is.
  void place_rows(std::int64_t first, std::int64_t count) {
    std::byte* from = move_.tile + first * move_.tile_step;
    frame_.tile = is_packed_ ? rows_.data() : from;
    if (!is_packed_) return;
    const std::int64_t size = size_of(move_.wish.dtype);
    for (std::int64_t row = 0; row < count; ++row) {
      std::memcpy(rows_.data() + row * move_.wish.pitch * size, from + row * move_.tile_step,
                  static_cast<std::size_t>(move_.wish.width * size));
    }
  }

  const Move& move_;
  const Kernel& kernel_;
  Frame frame_;
  bool is_packed_ = false;
  std::vector<std::byte> rows_;
  std::array<std::uint32_t, kBlock> own_;  // indices; written before it is read
};

// A gather's indices, or a scatter's slots, as many for each thread.
class Shares {
 public:
  Shares(const Move& move, const MadeKernel& made, int threads)
      : move_(move), made_(made), threads_(threads), kernel_(kernel_of(move, made)) {}

  bool run(int number, std::optional<IndexRange> range) const {
    return move_.wish.op == Op::MScatter ? scatter(number, range) : gather(number, range);
  }

 private:
  std::int64_t cut(std::int64_t all, int number) const {
    return all / threads_ * number + all % threads_ * number / threads_;
  }

  bool gather(int number, std::optional<IndexRange> range) const {
    const std::int64_t first = cut(move_.indices.count, number);
    Move own = move_;
    own.indices.first =
        static_cast<const std::byte*>(move_.indices.first) + first * move_.indices.size;
    own.indices.count = cut(move_.indices.count, number + 1) - first;
    own.tile = move_.tile + first * move_.tile_step;
    return Blocks(own, kernel_, made_.frame).run(range);
  }

  bool scatter(int number, std::optional<IndexRange> range) const {
    const std::int64_t first = cut(move_.wish.slots, number);
    const std::int64_t count = cut(move_.wish.slots, number + 1) - first;
    if (count == 0) return true;
    Frame own = made_.frame;
    own.part = {first, count, 0};
    return Blocks(move_, kernel_, own).run(range);
  }

  // A scatter's moves to some of the slots only.
  static Kernel kernel_of(const Move& move, const MadeKernel& made) {
    if (move.wish.op != Op::MScatter) return made.kernel;
    return value_of(compile(made.spec, {.kind = KernelKind::Part}));
  }

  const Move& move_;
  const MadeKernel& made_;
  int threads_;
  Kernel kernel_;
};

// Few bytes are not worth waking a thread up for, nor is a table that one core's caches hold.
bool is_worth_sharing(const Move& move) {
  constexpr std::int64_t kWorth = std::int64_t{1} << 20;
  const std::int64_t unit = std::int64_t{move.wish.width} * size_of(move.wish.dtype);
  const bool is_far = move.wish.slots * unit > static_cast<std::int64_t>(host_features().l2);
  return move.indices.count * unit >= kWorth && is_far;
}

// Whether all indices were in range.
bool share(const Move& move, const MadeKernel& made, std::optional<IndexRange> range) {
  const int threads = move.threads == 0 ? usable_threads() : move.threads;
  if (threads == 1 || !is_worth_sharing(move))
    return Blocks(move, made.kernel, made.frame).run(range);
  WorkPool& pool = *value_of(built_in_pool(threads));
  const Shares shares(move, made, threads);
  std::atomic<bool> are_all_inside = true;
  pool.run(threads, [&](int number) {
    if (!shares.run(number, range)) are_all_inside = false;
  });
  return are_all_inside;
}

}  // namespace

std::int64_t padded_width(DType dtype, std::int64_t width) {
  const std::int64_t step = block_elements(dtype);
  return (width + step - 1) / step * step;
}

void carry_out(const Move& move) {
  const std::optional<IndexRange> range = range_of(move);
  if (move.wish.width == 0) {
    if (range && !all_inside(move.indices, *range)) fail_at_index(move, *range);
    return;
  }
  const std::shared_ptr<const MadeKernel> made = kernel_for(move.wish);
  const std::int64_t unit = move.wish.width * size_of(move.wish.dtype) + move.indices.size;
  const WithoutLock unlocked(move.indices.count * unit);
  // A single block is looked through before one thread does it anyway.
  const bool is_one_block = move.indices.count <= kBlock && move.threads == 1;
  const bool is_taken_whole = range && move.wish.op == Op::MScatter && !is_one_block;
  if (!is_taken_whole) {
    if (!share(move, *made, range)) fail_at_index(move, *range);
    return;
  }
  const auto count = static_cast<std::size_t>(move.indices.count);
  const auto own = std::make_unique_for_overwrite<std::uint32_t[]>(count);
  if (!take_indices(move.indices, range, own.get())) fail_at_index(move, *range);
  Move taken = move;
  taken.indices = {own.get(), move.indices.count, sizeof(std::uint32_t)};
  share(taken, *made, std::nullopt);
}

}  // namespace pto::jit::python
