// The shapes worth having are in the grid, legal and often enough.
#include <gtest/gtest.h>

#include <iostream>
#include <string_view>

#include "ir/canonical.h"
#include "targets/rules.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {
namespace {

struct Feature {
  std::string_view name;
  int least;
  bool (*has)(const KernelSpec&);
};

using Spec = const KernelSpec&;

bool is_memory(Spec s) { return kMemoryOps.contains(s.op); }
bool is_row(Spec s) { return is_memory(s) && s.coalesce == Coalesce::Row; }
bool is_elem(Spec s) { return is_memory(s) && s.coalesce == Coalesce::Elem; }
bool is_nz(Spec s) { return is_memory(s) && s.table.layout == TableLayout::Nz; }
bool is_comm(Spec s) { return s.op == Op::CommTScatter; }
bool is_padded(Spec s) { return s.data.vr != s.data.rows || s.data.vc != s.data.cols; }
bool is_open(Spec s) { return s.data.vr == kRuntime || s.data.vc == kRuntime; }
std::int32_t lanes(Spec s) { return block_elements(s.data.dtype); }
bool leads(Spec s) {
  return s.table.shape[0] != 1 || s.table.shape[1] != 1 || s.table.shape[2] != 1;
}

constexpr Feature kFeatures[] = {
    {"one valid element", 100, [](Spec s) { return s.data.vr == 1 && s.data.vc == 1; }},
    {"one row", 300, [](Spec s) { return s.data.vr == 1; }},
    {"a block less one", 300, [](Spec s) { return s.data.vc == lanes(s) - 1; }},
    {"a block", 300, [](Spec s) { return s.data.vc == lanes(s); }},
    {"a block and one", 300, [](Spec s) { return s.data.vc == lanes(s) + 1; }},
    {"a prime", 300, [](Spec s) { return s.data.vc == 13; }},
    {"groups of rows and one", 300, [](Spec s) { return s.data.vr == 9 || s.data.vr == 17; }},
    {"full tiles", 500, [](Spec s) { return !is_padded(s) && !is_open(s); }},
    {"padded tiles", 500, [](Spec s) { return is_padded(s) && !is_open(s); }},
    {"ragged tiles of the simulator", 100,
     [](Spec s) {
       return s.target == Target::Cpu && !is_memory(s) && s.data.cols % lanes(s) != 0;
     }},
    {"outer extents of a table, Row", 200,
     [](Spec s) { return is_row(s) && !is_nz(s) && leads(s); }},
    {"outer extents of a table, Elem", 200,
     [](Spec s) { return is_elem(s) && !is_nz(s) && leads(s); }},
    {"padded rows of a table", 100,
     [](Spec s) {
       return is_row(s) && !is_nz(s) && !is_packed(s.table) && s.table.strides[3] > 1;
     }},
    {"a table wider than its rows", 50,
     [](Spec s) { return is_row(s) && !is_nz(s) && !is_open(s) && s.table.shape[4] > s.data.vc; }},
    {"NZ Row", 500, [](Spec s) { return is_nz(s) && is_row(s); }},
    {"NZ Elem", 500, [](Spec s) { return is_nz(s) && is_elem(s); }},
    {"NZ with a batch", 100, [](Spec s) { return is_nz(s) && s.table.shape[0] > 1; }},
    {"NZ with padded strides", 100, [](Spec s) { return is_nz(s) && s.table.strides[2] > 1; }},
    {"NZ with apart elements", 30, [](Spec s) { return is_nz(s) && s.table.strides[4] == 2; }},
    {"[1,R] indices", 500, [](Spec s) { return is_row(s) && s.index.vr == 1 && s.data.vr > 1; }},
    {"[R,1] column-major indices", 300,
     [](Spec s) { return is_row(s) && s.index.layout == TileLayout::ColMajor; }},
    {"[R,1] row-major indices", 100,
     [](Spec s) { return is_row(s) && s.target == Target::Cpu && s.data.vr > 1; }},
    {"column-major data", 1000, [](Spec s) { return s.data.layout == TileLayout::ColMajor; }},
    {"column-major indices of Elem", 500,
     [](Spec s) { return is_elem(s) && s.index.layout == TileLayout::ColMajor; }},
    {"a table of one slot", 200,
     [](Spec s) {
       return is_memory(s) && s.table.shape == std::array{1, 1, 1, 1, s.table.shape[4]};
     }},
    {"runtime strides", 500, [](Spec s) { return is_memory(s) && s.table.strides[3] == kRuntime; }},
    {"runtime table shape", 500,
     [](Spec s) { return is_memory(s) && s.table.shape[4] == kRuntime; }},
    {"one side of a pair runtime", 300,
     [](Spec s) { return is_elem(s) && (s.data.vr == kRuntime) != (s.index.vr == kRuntime); }},
    {"blocks of TGATHERB", 300, [](Spec s) { return s.unit == Unit::Block; }},
    {"one rank", 50, [](Spec s) { return is_comm(s) && s.ranks == 1; }},
    {"two ranks", 50, [](Spec s) { return is_comm(s) && s.ranks == 2; }},
    {"three ranks", 50, [](Spec s) { return is_comm(s) && s.ranks == 3; }},
    {"four ranks", 50, [](Spec s) { return is_comm(s) && s.ranks == 4; }},
    {"a root that is not the first", 50, [](Spec s) { return is_comm(s) && s.root > 0; }},
    {"two stages", 100, [](Spec s) { return s.staging == Staging::PingPong; }},
    {"the CCU engine", 50, [](Spec s) { return s.engine == Engine::Ccu; }},
    {"a runtime stage", 50, [](Spec s) { return is_comm(s) && is_open(s); }},
    {"a static stage", 50, [](Spec s) { return is_comm(s) && !is_open(s); }},
    {"padded strides of a group", 50, [](Spec s) { return is_comm(s) && s.peer.strides[3] > 1; }},
    {"audited scatters", 500, [](Spec s) { return s.audit && s.op == Op::MScatter; }},
    {"audited gathers", 500, [](Spec s) { return s.audit && s.op == Op::MGather; }},
    {"audited tile forms", 200, [](Spec s) { return s.audit && !is_memory(s); }},
};

TEST(Grid, HasEveryShapeWorthHaving) {
  const std::vector<KernelSpec> legal = legal_grid();
  for (const Feature& feature : kFeatures) {
    int count = 0;
    for (const KernelSpec& spec : legal) count += feature.has(spec) ? 1 : 0;
    std::cout << "  " << feature.name << ": " << count << "\n";
    EXPECT_GE(count, feature.least) << feature.name;
  }
}

TEST(Grid, HasEveryMaskPatternOnEveryDType) {
  std::array<std::array<int, kDTypes.size()>, 7> counts{};
  for (const KernelSpec& spec : legal_grid()) {
    if (spec.op != Op::TScatterMask) continue;
    ++counts[static_cast<std::size_t>(spec.mask)][static_cast<std::size_t>(spec.data.dtype)];
  }
  for (const auto& pattern : counts) {
    kNumbers.for_each([&](DType dtype) { EXPECT_GE(pattern[static_cast<std::size_t>(dtype)], 6); });
  }
}

}  // namespace
}  // namespace pto::jit::tests
