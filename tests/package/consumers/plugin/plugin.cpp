// Moves a row when asked to; whoever loads it knows nothing of pto-jit.
#include <ptojit/ptojit.h>

#include <cstdint>

extern "C" int move_row() {
  using namespace pto::jit;
  static const Result<KernelSpec> spec =
      parse("a5:mscatter.row src=f32[1x8] idx=i32[1x8|1x1] table=f32[4x8]");
  if (!spec) return 1;
  float row[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float table[4 * 8] = {};
  const std::int32_t index[8] = {2};
  Frame frame;
  frame.tile = row;
  frame.index = index;
  frame.table = table;
  if (!invoke(*spec, frame)) return 1;
  return table[2 * 8 + 7] == 8 ? 0 : 1;
}
