// Rules about the shape and size of any operand.
#include <algorithm>
#include <limits>

#include "targets/chunking.h"
#include "targets/remedies.h"
#include "targets/rules.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{1} << 47;

// The first extent or padded side that is out of range, in words; empty when there is none.
std::string bad_extent(const Subject& subject) {
  const KernelSpec& spec = subject.spec;
  const std::int64_t least = subject.is_bound() ? 0 : 1;
  std::string found;
  for_each_role(spec.op, [&](Role role) {
    const int count = is_tile(role) ? 2 : 5;
    for (int i = 0; i < count && found.empty(); ++i) {
      const Dim dim = first_extent(role) + i;
      const std::int64_t value = get(spec, dim);
      if (value != kRuntime && value < least) found = value_phrase(spec, dim);
    }
    if (!is_tile(role) || !found.empty()) return;
    const Tile& tile = tile_of(spec, role);
    if (tile.rows < 1) found = operand(spec, role) + " has " + str(tile.rows) + " padded rows";
    if (tile.cols < 1) found = operand(spec, role) + " has " + str(tile.cols) + " padded cols";
  });
  return found;
}

bool all_extents_are_good(const Subject& subject) {
  const KernelSpec& spec = subject.spec;
  const std::int64_t least = subject.is_bound() ? 0 : 1;
  bool good = true;
  for_each_role(spec.op, [&](Role role) {
    const int count = is_tile(role) ? 2 : 5;
    for (int i = 0; i < count; ++i) {
      const std::int64_t value = get(spec, first_extent(role) + i);
      good &= value == kRuntime || value >= least;
    }
    if (is_tile(role)) good &= tile_of(spec, role).rows >= 1 && tile_of(spec, role).cols >= 1;
  });
  return good;
}

bool raise_extents(KernelSpec& spec, const Profile&) {
  const KernelSpec before = spec;
  for_each_role(spec.op, [&](Role role) {
    for (int i = 0; i < (is_tile(role) ? 2 : 5); ++i) {
      const Dim dim = first_extent(role) + i;
      if (get(spec, dim) != kRuntime && get(spec, dim) < 1) set(spec, dim, 1);
    }
    if (!is_tile(role)) return;
    Tile& tile = tile_of(spec, role);
    tile.rows = std::max(tile.rows, 1);
    tile.cols = std::max(tile.cols, 1);
  });
  return spec != before;
}

// The stride that is out of range, if any. All zero means packed; strides of extent one never
// count.
std::optional<Dim> bad_stride(const KernelSpec& spec, Role role) {
  const Table& table = table_of(spec, role);
  if (!has_strides(table)) return std::nullopt;
  for (std::size_t dim = 0; dim < 5; ++dim) {
    const std::int64_t stride = table.strides[dim];
    const bool good = stride == kRuntime || (stride >= 1 && stride <= kMaxStride);
    if (table.shape[dim] != 1 && !good) return first_stride(role) + static_cast<int>(dim);
  }
  return std::nullopt;
}

std::optional<Dim> bad_stride(const KernelSpec& spec) {
  std::optional<Dim> found;
  for_each_role(spec.op, [&](Role role) {
    if (!is_tile(role) && !found) found = bad_stride(spec, role);
  });
  return found;
}

// Bytes as far as they are known: runtime extents count as one.
std::int64_t least_bytes(const KernelSpec& spec, Role role) {
  if (is_tile(role)) return tile_bytes(tile_of(spec, role));
  const Table& table = table_of(spec, role);
  std::int64_t elements = 1;
  for (const std::int32_t extent : table.shape) {
    if (extent > 1) elements = saturating_product(elements, extent);
  }
  const Quantity span = span_of(table);
  if (span.known) elements = std::max(elements, span.value);
  return saturating_product(elements, size_of(table.dtype));
}

std::optional<Role> oversized(const KernelSpec& spec) {
  std::optional<Role> found;
  for_each_role(spec.op, [&](Role role) {
    if (!found && least_bytes(spec, role) > kMaxBytes) found = role;
  });
  return found;
}

bool shrink_everything(KernelSpec& spec, const Profile&) {
  const KernelSpec before = spec;
  for_each_role(spec.op, [&](Role role) {
    if (is_tile(role)) {
      Tile& tile = tile_of(spec, role);
      for (std::int32_t* side : {&tile.rows, &tile.cols, &tile.vr, &tile.vc}) {
        *side = std::min(*side, 256);
      }
    } else {
      Table& table = table_of(spec, role);
      for (std::int32_t& extent : table.shape) extent = std::min(extent, 256);
      table.strides = {};
    }
  });
  return spec != before;
}

std::optional<Role> overfull(const KernelSpec& spec) {
  std::optional<Role> found;
  for_each_role(spec.op, [&](Role role) {
    if (!is_tile(role) || found) return;
    const Tile& tile = tile_of(spec, role);
    if (tile.vr > tile.rows || tile.vc > tile.cols) found = role;
  });
  return found;
}

Truth valid_fits(const Subject& subject) {
  Truth all = truth(!overfull(subject.spec));
  for_each_role(subject.spec.op, [&](Role role) {
    if (!is_tile(role)) return;
    const Tile& tile = tile_of(subject.spec, role);
    if (tile.vr == kRuntime || tile.vc == kRuntime) all = both(all, Truth::AtInvocation);
  });
  return all;
}

bool shrink_valid(KernelSpec& spec, const Profile&) {
  const KernelSpec before = spec;
  for_each_role(spec.op, [&](Role role) {
    if (!is_tile(role)) return;
    Tile& tile = tile_of(spec, role);
    tile.vr = std::min(tile.vr, tile.rows);
    tile.vc = std::min(tile.vc, tile.cols);
  });
  return spec != before;
}

// Whether each contiguous side is a whole number of bursts. NZ tiles have a rule of their own.
bool is_whole_bursts(const Tile& tile) {
  if (tile.layout == TileLayout::Nz) return true;
  const std::int64_t side = tile.layout == TileLayout::ColMajor ? tile.rows : tile.cols;
  return side * size_of(tile.dtype) % kBlockBytes == 0;
}

std::optional<Role> ragged(const KernelSpec& spec) {
  std::optional<Role> found;
  for_each_role(spec.op, [&](Role role) {
    if (is_tile(role) && !found && !is_whole_bursts(tile_of(spec, role))) found = role;
  });
  return found;
}

std::string ragged_phrase(const KernelSpec& spec, Role role) {
  const Tile& tile = tile_of(spec, role);
  const bool tall = tile.layout == TileLayout::ColMajor;
  const std::int64_t side = tall ? tile.rows : tile.cols;
  return shown(spec, role) + ": " + str(side) + (tall ? " rows" : " columns") + " of " +
         str(name_of(tile.dtype)) + " are " + str(side * size_of(tile.dtype)) +
         " bytes, not a multiple of 32";
}

// The most rows that take no more than `share` bytes, as a round number.
std::int32_t rows_within(const Tile& tile, std::int64_t share) {
  const std::int64_t row = std::max(tile.cols, 1) * size_of(tile.dtype);
  const auto rows = static_cast<std::int32_t>(std::max<std::int64_t>(share / row, 1));
  for (const std::int32_t grain : {64, 16, 8}) {
    if (rows >= grain) return rows / grain * grain;
  }
  return rows;
}

// Cuts tiles down to what surely fits; the other rules then pull the rest of the spec along. Tiles
// that have equal rows by a rule are cut alike, or it would make the smaller one grow again.
bool shrink_tiles(KernelSpec& spec, const Profile& profile) {
  const KernelSpec before = spec;
  const std::int64_t share = profile.budget.tile_bytes / 4;
  const auto stands_alone = [&](Role role) { return is_indexed_tile(spec.op, role); };
  std::int32_t most = std::numeric_limits<std::int32_t>::max();
  for_each_role(spec.op, [&](Role role) {
    if (!is_tile(role)) return;
    Tile& tile = tile_of(spec, role);
    tile.cols = std::min(tile.cols, 1024);
    if (!stands_alone(role)) most = std::min(most, rows_within(tile, share));
  });
  for_each_role(spec.op, [&](Role role) {
    if (!is_tile(role)) return;
    Tile& tile = tile_of(spec, role);
    tile.rows = std::min(tile.rows, stands_alone(role) ? rows_within(tile, share) : most);
  });
  return spec != before && (shrink_valid(spec, profile), true);
}

}  // namespace

const Rule kExtentRule = {"extent",
                          [](const Subject& s) { return truth(all_extents_are_good(s)); },
                          bad_extent,
                          {raise_extents}};

const Rule kStrideRule = {
    "stride",
    [](const Subject& s) { return truth(!bad_stride(s.spec)); },
    [](const Subject& s) { return value_phrase(s.spec, *bad_stride(s.spec)); },
    {remedy::pack_table}};

const Rule kSizeRule = {"size",
                        [](const Subject& s) { return truth(!oversized(s.spec)); },
                        [](const Subject& s) {
                          return shown(s.spec, *oversized(s.spec)) + " spans more than 2^47 bytes";
                        },
                        {remedy::pack_table, shrink_everything}};

const Rule kValidRule = {"valid",
                         valid_fits,
                         [](const Subject& s) {
                           const Role role = *overfull(s.spec);
                           const Tile& tile = tile_of(s.spec, role);
                           return operand(s.spec, role) + " has a valid region of " + str(tile.vr) +
                                  "x" + str(tile.vc) + " in " + str(tile.rows) + "x" +
                                  str(tile.cols);
                         },
                         {remedy::grow_tiles, shrink_valid}};

const Rule kWidthRule = {"width",
                         [](const Subject& s) { return truth(!ragged(s.spec)); },
                         [](const Subject& s) { return ragged_phrase(s.spec, *ragged(s.spec)); },
                         {remedy::pad_tiles}};

const Rule kDataWidthRule = {"width",
                             [](const Subject& s) { return truth(is_whole_bursts(s.spec.data)); },
                             [](const Subject& s) { return ragged_phrase(s.spec, Role::Data); },
                             {remedy::pad_tiles}};

const Rule kBudgetRule = {
    "ub.budget",
    [](const Subject& s) { return truth(chunking_of(s.spec, s.profile).has_value()); },
    [](const Subject& s) {
      return "the tiles take " + str(footprint(s.spec)) + " bytes of local memory, beyond the " +
             str(s.profile.budget.tile_bytes) + " there are, and cannot be done in parts";
    },
    {shrink_tiles}};

}  // namespace pto::jit
