#include "jit/python/array_moves.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "ir/frame.h"
#include "jit/compile.h"
#include "jit/python/failure.h"
#include "jit/python/wide_indices.h"
#include "jit/python/without_lock.h"
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
  return MadeKernel{*kernel, frame_of(bound->spec())};
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

// The blocks of one move.
class Blocks {
 public:
  Blocks(const Move& move, std::shared_ptr<const MadeKernel> made)
      : move_(move), made_(std::move(made)), frame_(made_->frame) {
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
      made_->kernel(frame_);
    }
    return true;
  }

 private:
  bool place_indices(std::int64_t first, std::int64_t count, std::optional<IndexRange> range) {
    const IndexRun& all = move_.indices;
    const IndexRun run{static_cast<const std::byte*>(all.first) + first * all.size, count,
                       all.size};
    if (all.size == 8) {
      frame_.index = narrow_.data();
      return narrow_indices(run, *range, narrow_.data());
    }
    frame_.index = run.first;
    return !range || all_inside(run, *range);
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
  std::shared_ptr<const MadeKernel> made_;
  Frame frame_;
  bool is_packed_ = false;
  std::vector<std::byte> rows_;
  std::array<std::uint32_t, kBlock> narrow_;  // written before it is read
};

}  // namespace

std::int64_t padded_width(DType dtype, std::int64_t width) {
  const std::int64_t step = block_elements(dtype);
  return (width + step - 1) / step * step;
}

void carry_out(const Move& move) {
  Blocks blocks(move, kernel_for(move.wish));
  const std::optional<IndexRange> range = range_of(move);
  // One block is looked through before it is done anyway.
  const bool is_first_look_needed = move.wish.op == Op::MScatter && move.indices.count > kBlock;
  const std::int64_t unit = move.wish.width * size_of(move.wish.dtype) + move.indices.size;
  const WithoutLock unlocked(move.indices.count * unit);
  if (is_first_look_needed && range && !all_inside(move.indices, *range))
    fail_at_index(move, *range);
  if (!blocks.run(range)) fail_at_index(move, *range);
}

}  // namespace pto::jit::python
