// Pieces: how a rank's data pass through the stage: whole where they fit, else as a window that
// slides over rows and columns.
#pragma once

#include <functional>

#include "ir/result.h"
#include "ir/spec.h"
#include "runtime/ranks/layout.h"

namespace pto::jit {

struct Piece {
  Extents at{};
  Extents extents{};
};

// In order, until one fails. `stage` has its valid extents bound.
Result<Done> for_each_piece(const Table& tensor, const Tile& stage,
                            const std::function<Result<Done>(const Piece&)>& visit);

}  // namespace pto::jit
