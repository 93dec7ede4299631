// What an emulated kernel left, against what the interpreter leaves.
#include <cstring>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "targets/planner.h"
#include "tests/support/emulated.h"

namespace pto::jit::tests {
namespace {

Image interpreted(const Workload& load) {
  return run_guarded(load, Guard::Behind, [&](const Frame& frame) { interpret(load.plan, frame); });
}

// Bytes of one position of a tile.
std::size_t place(const Tile& tile, std::int32_t row, std::int32_t col) {
  const bool is_flat = tile.layout == TileLayout::RowMajor;
  const std::int64_t at =
      is_flat ? std::int64_t{row} * tile.cols + col : std::int64_t{col} * tile.rows + row;
  return static_cast<std::size_t>(at * size_of(tile.dtype));
}

// A kernel of one writer: a row, or a single element.
KernelSpec single_writer(KernelSpec spec) {
  spec.data.vr = spec.index.vr = spec.index.vc = 1;
  if (spec.coalesce == Coalesce::Elem) spec.data.vc = 1;
  return spec;
}

// Calls `visit(data, index)` with the place of each writer's data and index.
template <class Visit>
void for_each_writer(const KernelSpec& spec, Visit&& visit) {
  const bool is_row = spec.coalesce == Coalesce::Row;
  const bool lies = spec.index.layout == TileLayout::RowMajor;
  for (std::int32_t r = 0; r < spec.data.vr; ++r) {
    for (std::int32_t c = 0; c < (is_row ? 1 : spec.data.vc); ++c) {
      const bool turns = is_row && lies;
      visit(place(spec.data, r, c), place(spec.index, turns ? 0 : r, turns ? r : c));
    }
  }
}

// Where any writer may win, `expected` takes over what one of them, alone, leaves as it is found.
void accept_any_writer(const Workload& load, const Image& actual, Image& expected) {
  const std::size_t size = load.plan.element_size;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at + size <= expected.table.size(); at += size) {
    if (std::memcmp(&expected.table[at], &actual.table[at], size) != 0) open.push_back(at);
  }
  Image image = load.memory;
  const KernelSpec single = single_writer(load.bound);
  const Result<LegalSpec> legal = verify(single);
  if (!legal) return;  // an extent is zero: nobody writes
  const KernelPlan plan = make_plan(*legal);
  for_each_writer(load.bound, [&](std::size_t data, std::size_t index) {
    for (const std::size_t at : open) image.table[at] = ~actual.table[at];
    Frame frame = frame_of(single);
    frame.tile = image.data.data() + data;
    frame.index = image.index.data() + index;
    frame.table = image.table.data();
    interpret(plan, frame);
    std::erase_if(open, [&](std::size_t at) {
      const bool is_his = std::memcmp(&image.table[at], &actual.table[at], size) == 0;
      if (is_his) std::memcpy(&expected.table[at], &actual.table[at], size);
      return is_his;
    });
  });
}

// The same kernel checked by the tool, on memory of its own making.
std::string replay_of(const EmulatedCase& entry) {
  const KernelSpec& spec = entry.load.declared;
  std::string values;
  for (const Dim dim : runtime_dims(spec)) {
    values += (values.empty() ? " --bind " : ",") + dim_name(spec.op, dim) + "=" +
              std::to_string(get(entry.load.bound, dim));
  }
  return "build/bin/ptojit emit '" + print(spec) + "' --check" +
         (entry.is_expanded ? " --form expanded" : "") +
         (entry.placement == Placement::Auto ? " --placement auto" : "") + values;
}

}  // namespace

std::string difference(const EmulatedCase& entry, const EmulatedRun& run) {
  const Workload& load = entry.load;
  const std::string words = run.trouble.empty() ? run.reports : run.trouble;
  if (!words.empty()) return replay_of(entry) + "\n" + load.replay + "\n" + words;
  Image expected = interpreted(load);
  if (load.bound.conflict == Conflict::Default) accept_any_writer(load, run.image, expected);
  const std::string found = difference(load, expected, run.image);
  return found.empty() ? "" : replay_of(entry) + "\n" + found;
}

}  // namespace pto::jit::tests
