// Cells: what the families measure. A cell is a spec with the memory it meets and the indices it
// gets. Cells are constants, so that C++ can be compiled for each of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ir/spec.h"

namespace pto::jit::bench {

enum class Family : std::uint8_t {
  Rows,
  DramRows,
  ElemGather,
  ElemScatter,
  ByteOffsets,
  SmallTables,
  Adds,
  Masks,
  ShortCalls,
  LastWins,
  Extents,
  Groups,
  Layouts,
  Workloads,
  Sizes
};

inline constexpr std::array<std::string_view, 15> kFamilyNames = {
    "rows",         "dram_rows", "elem_gather", "elem_scatter", "byte_offsets",
    "small_tables", "adds",      "masks",       "short_calls",  "last_wins",
    "extents",      "groups",    "layouts",     "workloads",    "sizes"};

constexpr std::string_view name_of(Family family) {
  return kFamilyNames[static_cast<std::size_t>(family)];
}

// Where table and tile are found when the kernel runs. Large buffers lie on 2 MB pages, except at
// the last home.
enum class Home : std::uint8_t { L1, L2, L3, Dram, DramOnSmallPages };

inline constexpr std::array<std::string_view, 5> kHomeNames = {"L1", "L2", "L3", "DRAM",
                                                               "DRAM, 4 KB pages"};

constexpr bool is_dram(Home home) { return home >= Home::Dram; }

constexpr std::string_view name_of(Home home) { return kHomeNames[static_cast<std::size_t>(home)]; }

enum class Indices : std::uint8_t {
  Random,      // uniform, in range
  Distinct,    // random without repeats
  Outside,     // uniform, one in eight out of range
  Padded,      // the last quarter is one past the end
  Runs,        // sixteen consecutive ones at a time
  Zipf,        // few slots often, most slots seldom
  Neighbours,  // j ^ 1
  Strided,     // every fourth
  Outside5,    // uniform, so many of 100 out of range
  Outside30,
  Outside90
};

inline constexpr std::array<std::string_view, 11> kIndicesNames = {
    "random",     "distinct", "outside",     "padded",       "runs",        "zipf",
    "neighbours", "strided",  "outside 5 %", "outside 30 %", "outside 90 %"};

// Of 100, how many are out of range by chance.
constexpr std::uint32_t percent_outside(Indices indices) {
  if (indices == Indices::Outside5) return 5;
  if (indices == Indices::Outside30) return 30;
  return indices == Indices::Outside90 ? 90 : 0;
}

constexpr bool is_outside_by_chance(Indices indices) {
  return indices == Indices::Outside || percent_outside(indices) > 0;
}

constexpr bool has_outside(Indices indices) {
  return indices == Indices::Padded || is_outside_by_chance(indices);
}

constexpr std::string_view name_of(Indices indices) {
  return kIndicesNames[static_cast<std::size_t>(indices)];
}

struct Cell {
  Family family = Family::Rows;
  Home home = Home::L1;
  Indices indices = Indices::Random;
  KernelSpec spec;

  bool operator==(const Cell&) const = default;
};

// A list that exists at compile time.
struct CellList {
  static constexpr std::size_t kMost = 768;
  std::array<Cell, kMost> cells{};
  std::size_t count = 0;

  constexpr void add(const Cell& cell) { cells[count++] = cell; }
  constexpr const Cell* begin() const { return cells.data(); }
  constexpr const Cell* end() const { return cells.data() + count; }
};

// Whether a kernel moves from the table or store to the data tile.
constexpr bool is_gather(const KernelSpec& spec) {
  return spec.op == Op::MGather || spec.op == Op::TGatherB;
}

constexpr bool is_row(const KernelSpec& spec) {
  return (spec.op == Op::MGather || spec.op == Op::MScatter) && spec.coalesce == Coalesce::Row;
}

// Whether what a policy costs beside none is part of what a cell tells.
constexpr bool is_about_policy(const Cell& cell) {
  const bool is_one_of = cell.family == Family::Rows || cell.family == Family::ElemGather ||
                         cell.family == Family::ElemScatter || cell.family == Family::Adds;
  const Oob oob = cell.spec.oob;
  return is_one_of && (oob == Oob::Wrap || oob == Oob::Zero || oob == Oob::Skip);
}

}  // namespace pto::jit::bench
