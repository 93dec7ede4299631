// The communication part of the grid: groups of one to four ranks.
#include <array>

#include "targets/profile.h"
#include "tests/support/grid_parts.h"

namespace pto::jit::tests {
namespace {

// What one rank receives, in rows and 32-byte blocks, and the stage it passes through.
struct GroupShape {
  std::array<std::int32_t, 4> outer;  // d0 d1 d2 and rows
  std::int32_t blocks;
  std::int32_t cols;
  std::int32_t stage_rows;
  std::int32_t stage_blocks;
};

constexpr std::array<GroupShape, 8> kShapes = {{
    {{1, 1, 1, 1}, 1, 0, 1, 1},
    {{1, 1, 1, 4}, 2, 0, 2, 1},  // chunked both ways
    {{1, 1, 1, 6}, 1, 0, 3, 1},  // chunked by rows
    {{1, 1, 1, 3}, 0, 5, 3, 1},  // narrower than the stage
    {{1, 1, 2, 3}, 1, 0, 8, 1},
    {{2, 1, 3, 2}, 1, -1, 16, 2},
    {{1, 3, 1, 2}, 2, 0, 2, 2},  // chunked over outer dimensions
    {{2, 2, 1, 5}, 1, 0, 5, 1},
}};

constexpr int kRounds = 2;  // each shape with so many choices of ranks, root and strides

class GroupBases {
 public:
  GroupBases(Target target, const VisitBase& visit) : visit_(visit) {
    base_.target = target;
    base_.op = Op::CommTScatter;
  }

  void run() {
    op().dtypes.for_each([&](DType dtype) {
      op().engines.for_each([&](Engine engine) {
        base_.engine = engine;
        for (const Staging staging : {Staging::Single, Staging::PingPong}) {
          base_.staging = staging;
          for (int round = 0; round < kRounds; ++round) {
            for (const GroupShape& shape : kShapes) emit(dtype, shape);
          }
        }
      });
    });
  }

 private:
  const OpProfile& op() const { return profile_of(base_.target).of(base_.op); }

  void emit(DType dtype, const GroupShape& shape) {
    const std::int32_t block = block_elements(dtype);
    const std::int32_t width = shape.blocks * block + shape.cols;
    base_.ranks = static_cast<std::int32_t>(1 + ranks_.deal());
    base_.root = static_cast<std::int32_t>(roots_.deal()) % base_.ranks;
    base_.peer = table(dtype, shape, shape.outer[3], width);
    const auto surplus = static_cast<std::int32_t>(surplus_.deal());
    base_.table = table(dtype, shape, shape.outer[3] * base_.ranks + surplus, width);
    if (strides_.deal() == 0) pad(base_.table, 2);
    if (strides_.deal() == 1) pad(base_.peer, 3);
    base_.data = stage(dtype, shape, width);
    visit_(base_);
  }

  static Table table(DType dtype, const GroupShape& shape, std::int32_t rows, std::int32_t width) {
    return {.shape = {shape.outer[0], shape.outer[1], shape.outer[2], rows, width}, .dtype = dtype};
  }

  static void pad(Table& table, std::int64_t gap) {
    std::int64_t stride = 1;
    for (std::size_t dim = 5; dim-- > 0;) {
      table.strides[dim] = stride;
      stride = stride * table.shape[dim] + gap;
    }
  }

  // A stage wider than the data moves them in one piece; its valid columns then stay the data's.
  static Tile stage(DType dtype, const GroupShape& shape, std::int32_t width) {
    const std::int32_t cols = shape.stage_blocks * block_elements(dtype);
    return {.rows = shape.stage_rows,
            .cols = cols,
            .vr = shape.stage_rows,
            .vc = width < cols ? width : cols,
            .dtype = dtype};
  }

  const VisitBase& visit_;
  KernelSpec base_;
  Deck ranks_{4, 31};
  Deck roots_{4, 32};
  Deck surplus_{3, 33};
  Deck strides_{3, 34};
};

}  // namespace

void for_each_group_base(const VisitBase& visit) {
  for (const Profile* profile : all_profiles()) GroupBases(profile->target, visit).run();
}

}  // namespace pto::jit::tests
