// Enumerations that kernels spell out: where tiles live, how they are laid out, what scatters and
// gathers do.
#pragma once

#include <cstdint>

namespace pto {

constexpr int DYNAMIC = -1;
constexpr int BLOCK_BYTE_SIZE = 32;
constexpr int C0_SIZE_BYTE = 32;
constexpr int FRACTAL_NZ_ROW = 16;

enum class TileType : std::uint8_t { Vec, Mat, Left, Right, Acc, Bias, Scaling };
enum class BLayout : std::uint8_t { RowMajor, ColMajor };
enum class SLayout : std::uint8_t { NoneBox, RowMajor, ColMajor };
enum class Layout : std::uint8_t { ND, DN, NZ };

// Unscoped, because dimensions are also plain integers.
enum GlobalTensorDim : int { DIM_0, DIM_1, DIM_2, DIM_3, DIM_4, TOTAL_DIM };

enum class Coalesce : std::uint8_t { Row = 0, Elem = 1 };
enum class ScatterAtomicOp : std::uint8_t { None = 0, Add = 1, Max = 2, Min = 3 };
enum class ScatterOOB : std::uint8_t { Undefined = 0, Skip = 1, Clamp = 2, Wrap = 3 };
enum class GatherOOB : std::uint8_t { Undefined = 0, Clamp = 1, Wrap = 2, Zero = 3 };
enum class MaskPattern : std::uint8_t { P0101, P1010, P0001, P0010, P0100, P1000, P1111 };

#if defined(REGISTER_BASE)
enum class ScatterConflict : std::uint8_t { Last = 0, Default = 1 };
#endif

}  // namespace pto
