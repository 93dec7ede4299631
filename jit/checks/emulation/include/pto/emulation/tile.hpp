// Tiles in the unified buffer and where they are put. What the device's types refuse to compile is
// refused here too; what they cannot know is reported when the kernel runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "pto/emulation/element.hpp"
#include "pto/emulation/execution.hpp"
#include "pto/emulation/pointer.hpp"
#include "pto/emulation/policies.hpp"
#include "pto/emulation/target.hpp"
#include "pto/emulation/views.hpp"

namespace pto {
inline namespace PTO_EMULATION_TARGET {

template <TileType Loc_, typename Element_, int Rows_, int Cols_,
          BLayout BFractal_ = BLayout::RowMajor, int RowValid_ = Rows_, int ColValid_ = Cols_,
          SLayout SFractal_ = SLayout::NoneBox, int SFractalSize_ = 512>
class Tile {
 public:
  using DType = Element_;
  static constexpr TileType Loc = Loc_;
  static constexpr int Rows = Rows_;
  static constexpr int Cols = Cols_;
  static constexpr int ValidRow = RowValid_;
  static constexpr int ValidCol = ColValid_;
  static constexpr BLayout BFractal = BFractal_;
  static constexpr SLayout SFractal = SFractal_;
  static constexpr int SFractalSize = SFractalSize_;
  static constexpr int Numel = Rows * Cols;
  static constexpr bool isRowMajor = BFractal == BLayout::RowMajor;
  static constexpr int RowStride = isRowMajor ? Cols : 1;
  static constexpr int ColStride = isRowMajor ? 1 : Rows;

  static constexpr bool kIsNz = !isRowMajor && SFractal == SLayout::RowMajor && SFractalSize == 512;
  static constexpr emulation::TileLayout kLayout =
      kIsNz ? emulation::TileLayout::Nz
            : (isRowMajor ? emulation::TileLayout::RowMajor : emulation::TileLayout::ColMajor);
  static constexpr emulation::StorageType kStorage = {emulation::kElementOf<DType>, kLayout, Rows,
                                                      Cols};

  static constexpr bool kTakesOneExtent =
      kTarget != emulation::Device::Simulator || !kPlacesAutomatically;

  static_assert(Loc == TileType::Vec, "only vector tiles are emulated");
  static_assert(SFractal == SLayout::NoneBox || kIsNz, "the only boxed layout emulated is NZ");
  static_assert(Rows > 0 && Cols > 0, "extents are positive");
  static_assert(ValidRow == DYNAMIC || (ValidRow > 0 && ValidRow <= Rows),
                "valid rows are -1 or 1 to Rows");
  static_assert(ValidCol == DYNAMIC || (ValidCol > 0 && ValidCol <= Cols),
                "valid columns are -1 or 1 to Cols");
  static_assert(kIsNz || (isRowMajor ? Cols : Rows) * sizeof(DType) % 32 == 0,
                "the contiguous extent is a multiple of 32 bytes");
  static_assert(!kIsNz || Cols * sizeof(DType) % 32 == 0, "NZ columns come in 32-byte blocks");

  Tile() {
    emulation::execution().declare_tile(kTarget, kPlacesAutomatically);
    if (emulation::execution().places_automatically()) place_anywhere();
  }

  template <typename R, typename C,
            std::enable_if_t<std::is_integral_v<R> && std::is_integral_v<C>, int> = 0>
  Tile(R rows, C cols) : Tile() {
    SetValidShape(rows, cols);
  }

  // The simulator's own placement takes both extents or none.
  template <typename N, std::enable_if_t<std::is_integral_v<N> && kTakesOneExtent, int> = 0>
  explicit Tile(N extent) : Tile() {
    static_assert((ValidRow == DYNAMIC) != (ValidCol == DYNAMIC), "one extent is a runtime one");
    if constexpr (ValidRow == DYNAMIC) SetValidRow(extent);
    if constexpr (ValidCol == DYNAMIC) SetValidCol(extent);
  }

  Tile(const Tile&) = delete;
  Tile& operator=(const Tile&) = delete;
  Tile(Tile&&) = delete;
  Tile& operator=(Tile&&) = delete;
  ~Tile() {
    if (emulation::running != nullptr) emulation::running->remove_tile(this);
  }

  unsigned GetValidRow() const { return static_cast<unsigned>(valid_rows_); }
  unsigned GetValidCol() const { return static_cast<unsigned>(valid_cols_); }

  template <typename N>
  void SetValidRow(N rows) {
    static_assert(ValidRow == DYNAMIC, "the valid rows are in the type");
    valid_rows_ = checked(static_cast<std::int64_t>(rows), Rows, "rows");
  }
  template <typename N>
  void SetValidCol(N cols) {
    static_assert(ValidCol == DYNAMIC, "the valid columns are in the type");
    valid_cols_ = checked(static_cast<std::int64_t>(cols), Cols, "columns");
  }
  template <typename R, typename C>
  void SetValidShape(R rows, C cols) {
    SetValidRow(rows);
    SetValidCol(cols);
  }

  // Scalar access to the storage, by element offset.
  DType GetValue(std::uint32_t offset) { return pointer()[offset]; }
  void SetValue(std::uint32_t offset, DType value) { pointer()[offset] = value; }

  // Where a compiler places tiles, their data are a value of its own, and nothing points to it.
#if defined(__PTO_AUTO__)
  struct PlacedByTheCompiler {};
  PlacedByTheCompiler data() { return {}; }
#else
  UbPointer<DType> data() { return pointer(); }
#endif

  // Where a compiler places tiles, TASSIGN has no say.
  void place(std::int64_t at) {
    if (emulation::execution().places_automatically()) return;
    emulation::execution().place_tile(this, at, kStorage);
    at_ = at;
  }

  emulation::TileView view() {
    if (at_ == kNowhere) {
      emulation::execution().report(emulation::ReportKind::TileNotPlaced,
                                    "a tile of " + std::to_string(Rows) + " x " +
                                        std::to_string(Cols) + " elements is used before TASSIGN");
      place_anywhere();
    }
    return {at_, kStorage, valid_rows_, valid_cols_};
  }

 private:
  static constexpr std::int64_t kNowhere = -1;

  UbPointer<DType> pointer() { return UbPointer<DType>(static_cast<std::uint64_t>(view().at)); }
  void place_anywhere() { at_ = emulation::execution().place_tile_anywhere(this, kStorage); }

  static std::int64_t checked(std::int64_t valid, std::int64_t padded, const char* what) {
    if (valid >= 0 && valid <= padded) return valid;
    emulation::execution().report(
        emulation::ReportKind::Extent,
        std::to_string(valid) + " valid " + what + " in a tile of " + std::to_string(padded));
    return valid < 0 ? 0 : padded;
  }

  std::int64_t at_ = kNowhere;
  std::int64_t valid_rows_ = ValidRow == DYNAMIC ? 0 : ValidRow;
  std::int64_t valid_cols_ = ValidCol == DYNAMIC ? 0 : ValidCol;
};

// Puts a tile at a byte offset known to the compiler, which refuses what cannot be right.
template <std::int64_t kOffset, typename TileData>
void TASSIGN(TileData& tile) {
  static_assert(kOffset >= 0 && kOffset % emulation::kBlockBytes == 0,
                "offsets are multiples of 32 bytes");
  static_assert(kOffset + TileData::kStorage.bytes() <= emulation::ub_capacity(kTarget),
                "the tile ends beyond the unified buffer");
  tile.place(kOffset);
}

// The same for any offset, checked when the kernel runs.
template <typename TileData, typename Offset, std::enable_if_t<std::is_integral_v<Offset>, int> = 0>
void TASSIGN(TileData& tile, Offset offset) {
  tile.place(static_cast<std::int64_t>(offset));
}

}  // namespace PTO_EMULATION_TARGET
}  // namespace pto
