// KernelSpec: what to move, how, on which target, with which shapes. Plain data, trivially copyable
// and without padding, so that two specs are equal exactly when their bytes are.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "ir/dtype.h"

namespace pto::jit {

enum class Target : std::uint8_t { Cpu, A2A3, A5 };
enum class Op : std::uint8_t { MScatter, MGather, TScatter, TScatterMask, TGatherB, CommTScatter };
enum class Coalesce : std::uint8_t { Row, Elem };
enum class Oob : std::uint8_t { Undefined, Skip, Clamp, Wrap, Zero };
enum class Atomic : std::uint8_t { None, Add, Max, Min };
enum class Conflict : std::uint8_t {
  Unstated,
  Last,
  Default
};  // Unstated means Last where there is a choice
enum class MaskPattern : std::uint8_t { P1111, P0101, P1010, P0001, P0010, P0100, P1000 };
enum class Unit : std::uint8_t { Element, Block };
enum class Engine : std::uint8_t { Aiv, Ccu };
enum class Staging : std::uint8_t { Single, PingPong };
enum class TileLayout : std::uint8_t { RowMajor, ColMajor, Nz };
enum class TableLayout : std::uint8_t { Nd, Nz };

inline constexpr std::size_t kTargets = 3;
inline constexpr std::size_t kOps = 6;

// An extent or stride read at invocation.
inline constexpr std::int32_t kRuntime = -1;

inline constexpr std::int64_t kBlockBytes =
    32;  // one burst of the data path, one NZ block row, one TGATHERB block
inline constexpr std::int32_t kNzBlockRows = 16;
inline constexpr std::int64_t kMaxStride = std::int64_t{1} << 47;

// Local storage of `rows x cols` elements, of which `vr x vc` are valid.
struct Tile {
  std::int32_t rows = 0;
  std::int32_t cols = 0;
  std::int32_t vr = 0;
  std::int32_t vc = 0;
  DType dtype = DType::I8;
  TileLayout layout = TileLayout::RowMajor;
  std::uint16_t zero = 0;  // explicit padding

  bool operator==(const Tile&) const = default;
};

// A tensor in global memory. Strides count elements; all zero means packed.
struct Table {
  std::array<std::int32_t, 5> shape{};
  DType dtype = DType::I8;
  TableLayout layout = TableLayout::Nd;
  std::uint16_t zero = 0;  // explicit padding
  std::array<std::int64_t, 5> strides{};

  bool operator==(const Table&) const = default;
};

// Whether the strides of a table are stated, packed or not.
constexpr bool has_strides(const Table& table) {
  const auto& s = table.strides;
  return (s[0] | s[1] | s[2] | s[3] | s[4]) != 0;
}

// Operands by role. `data` is the tile whose valid region is walked: src of the scatters, dst of
// the gathers, the stage of the communication form. `index` holds indices or byte offsets. `store`
// is the addressed tile of the tile-to-tile forms: dst of tscatter, src of tgatherb. `table` is the
// addressed tensor (communication: the root's source), `peer` each rank's destination.
struct KernelSpec {
  Target target = Target::Cpu;
  Op op = Op::MScatter;
  Coalesce coalesce = Coalesce::Row;
  Oob oob = Oob::Undefined;
  Atomic atomic = Atomic::None;
  Conflict conflict = Conflict::Unstated;
  MaskPattern mask = MaskPattern::P1111;
  Unit unit = Unit::Element;
  Engine engine = Engine::Aiv;
  Staging staging = Staging::Single;
  bool audit = false;
  std::uint8_t zero = 0;  // explicit padding
  std::int32_t ranks = 0;
  std::int32_t root = 0;
  Tile data;
  Tile index;
  Tile store;
  Table table;
  Table peer;

  bool operator==(const KernelSpec&) const = default;
};

static_assert(std::is_trivially_copyable_v<KernelSpec>);
static_assert(std::has_unique_object_representations_v<KernelSpec>);

// How a mask pattern spreads one source element over `factor` lanes.
struct MaskShape {
  std::int32_t factor;
  std::int32_t position;
};

constexpr MaskShape shape_of(MaskPattern pattern) {
  constexpr std::array<MaskShape, 7> kShapes = {
      {{1, 0}, {2, 0}, {2, 1}, {4, 0}, {4, 1}, {4, 2}, {4, 3}}};
  return kShapes[static_cast<std::size_t>(pattern)];
}

// Elements of one 32-byte block, the width of an NZ block column.
constexpr std::int32_t block_elements(DType dtype) {
  return static_cast<std::int32_t>(kBlockBytes / size_of(dtype));
}

}  // namespace pto::jit
