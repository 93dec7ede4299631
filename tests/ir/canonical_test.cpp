// canonical(spec): specs that cannot differ in meaning are one, all others are many.
#include "ir/canonical.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>
#include <unordered_set>

#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "ir/spec_text.h"
#include "runtime/cache/cache_entry.h"
#include "tests/support/grid.h"
#include "tests/support/grid_parts.h"

namespace pto::jit::tests {
namespace {

constexpr Tile kJunkTile = {.rows = 3, .cols = 5, .vr = 9, .vc = kRuntime, .dtype = DType::HIF8};
constexpr Table kJunkTable = {.shape = {7, 0, 7, kRuntime, 7}, .strides = {1, 2, 3, 4, kRuntime}};

bool is_known(const Table& table) {
  for (const std::int32_t extent : table.shape) {
    if (extent == kRuntime) return false;
  }
  return true;
}

// --- what must not matter -----------------------------------------------------------------------

// False when the spec has nothing of the kind.
struct Disguise {
  std::string_view name;
  bool (*put_on)(KernelSpec&);
};

bool state_packed_strides(Table& table) {
  if (has_strides(table) || !is_known(table)) return false;
  table.strides = strides_of(table);
  return true;
}

bool scramble_idle_strides(Table& table) {
  if (!has_strides(table) && !state_packed_strides(table)) return false;
  bool changed = false;
  for (std::size_t dim = 0; dim < 5; ++dim) {
    if (table.shape[dim] != 1) continue;
    table.strides[dim] = 1000 + static_cast<std::int64_t>(dim);
    changed = true;
  }
  return changed;
}

bool is_a5_scatter(const KernelSpec& spec) {
  return spec.target == Target::A5 && spec.op == Op::MScatter;
}

template <class Change>
bool for_unused(KernelSpec& spec, Change&& change) {
  bool any = false;
  for (const Role role : {Role::Data, Role::Index, Role::Store, Role::Table, Role::Peer}) {
    if (has_role(spec.op, role)) continue;
    change(role);
    any = true;
  }
  return any;
}

constexpr Disguise kDisguises[] = {
    {"packed strides written out", [](KernelSpec& s) { return state_packed_strides(s.table); }},
    {"packed strides of a destination", [](KernelSpec& s) { return state_packed_strides(s.peer); }},
    {"strides of single extents", [](KernelSpec& s) { return scramble_idle_strides(s.table); }},
    {"last wins, on A5",
     [](KernelSpec& s) {
       if (!is_a5_scatter(s) || s.conflict != Conflict::Unstated) return false;
       s.conflict = Conflict::Last;
       return true;
     }},
    {"a conflict policy beside an atomic, on A5",
     [](KernelSpec& s) {
       s.conflict = Conflict::Default;
       return is_a5_scatter(s) && s.atomic != Atomic::None;
     }},
    {"junk in operands the operation does not have",
     [](KernelSpec& s) {
       return for_unused(s, [&](Role role) {
         if (is_tile(role)) {
           tile_of(s, role) = kJunkTile;
         } else {
           table_of(s, role) = kJunkTable;
         }
       });
     }},
    {"a group where there is none",
     [](KernelSpec& s) {
       s.ranks = 7;
       s.root = -3;
       s.engine = Engine::Ccu;
       s.staging = Staging::PingPong;
       return s.op != Op::CommTScatter;
     }},
    {"a mode where there is none",
     [](KernelSpec& s) {
       s.coalesce = Coalesce::Elem;
       return !has_suffix(s.op, SuffixKind::Coalesce);
     }},
    {"a mask where there is none",
     [](KernelSpec& s) {
       s.mask = MaskPattern::P0100;
       return s.op != Op::TScatterMask;
     }},
    {"a unit where there is none",
     [](KernelSpec& s) {
       s.unit = Unit::Block;
       return s.op != Op::TGatherB;
     }},
    {"junk in the padding",
     [](KernelSpec& s) {
       s.zero = 1;
       s.data.zero = s.index.zero = s.store.zero = 2;
       s.table.zero = s.peer.zero = 3;
       return true;
     }},
};

// --- what must matter ---------------------------------------------------------------------------

template <class Enum>
void next(Enum& value, int count) {
  value = static_cast<Enum>((static_cast<int>(value) + 1) % count);
}

void next(std::int32_t& extent) { extent = extent == kRuntime ? 77 : extent + 1; }

void expect_differs(const KernelSpec& spec, const KernelSpec& changed) {
  ASSERT_NE(canonical(spec), canonical(changed)) << print(spec);
  ASSERT_NE(print(spec), print(changed));
}

template <class Change>
void expect_matters(const KernelSpec& spec, Change&& change) {
  KernelSpec changed = spec;
  change(changed);
  expect_differs(spec, changed);
}

void expect_tile_matters(const KernelSpec& spec, Role role) {
  const auto alter = [&](auto&& change) {
    expect_matters(spec, [&](KernelSpec& s) { change(tile_of(s, role)); });
  };
  alter([](Tile& tile) { ++tile.rows; });
  alter([](Tile& tile) { ++tile.cols; });
  alter([](Tile& tile) { next(tile.vr); });
  alter([](Tile& tile) { next(tile.vc); });
  alter([](Tile& tile) { next(tile.dtype, kDTypes.size()); });
  alter([](Tile& tile) { next(tile.layout, 3); });
}

void expect_table_matters(const KernelSpec& spec, Role role) {
  const auto alter = [&](auto&& change) {
    expect_matters(spec, [&](KernelSpec& s) { change(table_of(s, role)); });
  };
  for (std::size_t dim = 0; dim < 5; ++dim) {
    alter([&](Table& table) { next(table.shape[dim]); });
    const Table& table = table_of(spec, role);
    if (table.shape[dim] == 1 || !is_known(table)) continue;
    alter([&](Table& changed) {
      changed.strides = strides_of(table);
      changed.strides[dim] = changed.strides[dim] == kRuntime ? 99 : changed.strides[dim] + 1;
    });
    alter([&](Table& changed) {
      changed.strides = strides_of(table);
      changed.strides[dim] = changed.strides[dim] == kRuntime ? 99 : kRuntime;
    });
  }
  alter([](Table& table) { next(table.dtype, kDTypes.size()); });
  alter([](Table& table) { next(table.layout, 2); });
}

void expect_policies_matter(const KernelSpec& spec) {
  expect_matters(spec, [](KernelSpec& s) { next(s.target, kTargets); });
  expect_matters(spec, [](KernelSpec& s) { next(s.oob, 5); });
  expect_matters(spec, [](KernelSpec& s) { next(s.atomic, 4); });
  expect_matters(spec, [](KernelSpec& s) { s.audit = !s.audit; });
  const bool states_conflict = !is_a5_scatter(spec) || spec.atomic == Atomic::None;
  if (states_conflict && spec.conflict == Conflict::Unstated)
    expect_matters(spec, [](KernelSpec& s) { s.conflict = Conflict::Default; });
  if (has_suffix(spec.op, SuffixKind::Coalesce))
    expect_matters(spec, [](KernelSpec& s) { next(s.coalesce, 2); });
  if (spec.op == Op::TScatterMask) expect_matters(spec, [](KernelSpec& s) { next(s.mask, 7); });
  if (spec.op == Op::TGatherB) expect_matters(spec, [](KernelSpec& s) { next(s.unit, 2); });
  if (spec.op != Op::CommTScatter) return;
  expect_matters(spec, [](KernelSpec& s) { ++s.ranks; });
  expect_matters(spec, [](KernelSpec& s) { ++s.root; });
  expect_matters(spec, [](KernelSpec& s) { next(s.engine, 2); });
  expect_matters(spec, [](KernelSpec& s) { next(s.staging, 2); });
}

// --- claims -------------------------------------------------------------------------------------

TEST(Canonical, IsIdempotent) {
  for_each_spec([](const KernelSpec& spec) {
    ASSERT_EQ(canonical(spec), spec) << print(spec);
    for (const Disguise& disguise : kDisguises) {
      KernelSpec raw = spec;
      disguise.put_on(raw);
      ASSERT_EQ(canonical(canonical(raw)), canonical(raw)) << disguise.name << " " << print(spec);
    }
  });
}

TEST(Canonical, LooksThroughEveryDisguise) {
  std::array<int, std::size(kDisguises)> used{};
  std::size_t count = 0;
  for_each_spec([&](const KernelSpec& spec) {
    const bool is_printed = count++ % 16 == 0;
    for (std::size_t i = 0; i < std::size(kDisguises); ++i) {
      KernelSpec raw = spec;
      if (!kDisguises[i].put_on(raw)) continue;
      ++used[i];
      ASSERT_EQ(canonical(raw), spec) << kDisguises[i].name << " " << print(spec);
      if (is_printed) {
        ASSERT_EQ(print(raw), print(spec));
      }
    }
  });
  for (std::size_t i = 0; i < used.size(); ++i) EXPECT_GE(used[i], 100) << kDisguises[i].name;
}

TEST(Canonical, KeepsWhateverMatters) {
  std::size_t count = 0;
  for_each_spec([&](const KernelSpec& spec) {
    if (count++ % 23 != 0) return;
    for (const Operand& operand : operands_of(spec.op)) {
      if (is_tile(operand.role)) {
        expect_tile_matters(spec, operand.role);
      } else {
        expect_table_matters(spec, operand.role);
      }
    }
    expect_policies_matter(spec);
  });
}

TEST(Canonical, EachGridSpecHasATextAndHashOfItsOwn) {
  std::size_t count = 0;
  std::unordered_set<std::uint64_t> hashes;
  std::unordered_set<std::string> texts;
  for_each_spec([&](const KernelSpec& spec) {
    ++count;
    hashes.insert(hash_of(spec, 0));
    texts.insert(print(spec));
  });
  EXPECT_EQ(texts.size(), count);
  EXPECT_EQ(hashes.size(), count);
}

TEST(Canonical, PackedMeansNoStrideDiffersAsFarAsIsKnown) {
  const auto table = [](std::array<std::int32_t, 5> shape, std::array<std::int64_t, 5> strides) {
    return Table{.shape = shape, .strides = strides};
  };
  EXPECT_TRUE(is_packed(table({1, 1, 1, 4, 8}, {})));
  EXPECT_TRUE(is_packed(table({1, 1, 1, 4, 8}, {9, 9, 9, 8, 1})));
  EXPECT_TRUE(is_packed(table({1, 1, 1, kRuntime, 8}, {9, 9, 9, 8, 1})));
  EXPECT_FALSE(is_packed(table({1, 1, 1, 4, 8}, {9, 9, 9, 9, 1})));
  EXPECT_FALSE(is_packed(table({1, 1, 1, 4, 8}, {9, 9, 9, 8, 2})));
  EXPECT_FALSE(is_packed(table({1, 1, 1, 4, kRuntime}, {9, 9, 9, 8, 1})));
  EXPECT_FALSE(is_packed(table({1, 1, 1, 4, 8}, {9, 9, 9, kRuntime, 1})));
  EXPECT_TRUE(is_packed(table({1, 1, 1, 1, 1}, {9, 9, 9, kRuntime, 5})));
}

}  // namespace
}  // namespace pto::jit::tests
