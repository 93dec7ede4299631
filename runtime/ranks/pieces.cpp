#include "runtime/ranks/pieces.h"

#include <algorithm>

#include "ir/quantity.h"

namespace pto::jit {

Result<Done> for_each_piece(const Table& tensor, const Tile& stage,
                            const std::function<Result<Done>(const Piece&)>& visit) {
  Extents all{};
  std::ranges::copy(tensor.shape, all.begin());
  const std::int64_t rows = extents(tensor, 0, 4).value;
  if (rows == 0 || all[4] == 0) return Done{};
  if (rows <= stage.vr && all[4] <= stage.vc) return visit({{}, all});
  const Extents step = {1, 1, 1, std::max<std::int64_t>(stage.vr, 1),
                        std::max<std::int64_t>(stage.vc, 1)};
  Piece piece;
  for (;;) {
    for (std::size_t dim = 0; dim < 5; ++dim)
      piece.extents[dim] = std::min(step[dim], all[dim] - piece.at[dim]);
    if (Result<Done> seen = visit(piece); !seen) return seen;
    std::size_t dim = 5;
    while (dim-- > 0) {
      piece.at[dim] += step[dim];
      if (piece.at[dim] < all[dim]) break;
      piece.at[dim] = 0;
      if (dim == 0) return Done{};
    }
  }
}

}  // namespace pto::jit
