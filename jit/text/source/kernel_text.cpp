#include "jit/text/source/kernel_text.h"

#include "jit/text/source/declaration_text.h"
#include "jit/text/source/expanded_text.h"
#include "jit/text/source/sync_text.h"
#include "jit/text/source/text_writer.h"
#include "jit/text/source/type_text.h"

namespace pto::jit::source {
namespace {

// The constants need the keywords that the instructions' header defines.
constexpr std::string_view kIncludes = R"(
#include <cstdint>
#include <pto/pto-inst.hpp>
#include <pto/common/constants.hpp>
)";

constexpr std::string_view kPointers = R"(
#ifndef PTO_EMULATION
template <typename T>
using GmPointer = __gm__ T*;
template <typename T>
using UbPointer = __ubuf__ T*;
#endif
)";

constexpr std::string_view kByteGather = R"(
for (uint32_t r = 0; r < $rows; ++r) {
  for (uint32_t c = 0; c < $cols; ++c) {
    const uint32_t at = $at;
    for (uint32_t b = 0; b < $size; ++b) {
      dstTile.SetValue($to + b, srcTile.GetValue(at + b));
    }
  }
}
)";

constexpr std::string_view kClampedByteGather = R"(
for (uint32_t r = 0; r < $rows; ++r) {
  for (uint32_t c = 0; c < $cols; ++c) {
    const uint32_t named = $at;
    const uint32_t at = named < $last ? named : $last;
    for (uint32_t b = 0; b < $size; ++b) {
      dstTile.SetValue($to + b, srcTile.GetValue(at + b));
    }
  }
}
)";

constexpr std::string_view kGroup = R"(
// The addresses of all ranks' buffers lie at dst.
DstTensor tensors[$ranks];
GmPointer<uint64_t> addresses = dst;
for (int64_t rank = 0; rank < $ranks; ++rank) {
  const uint64_t address = addresses[rank];
  __gm__ $type* data = reinterpret_cast<__gm__ $type*>(address);
  tensors[rank] = DstTensor(data$arguments);
}
comm::ParallelGroup<DstTensor> group(tensors, $ranks, $root);
)";

constexpr std::string_view kStageSize = R"(
// A stage does not shrink to data that fit it, so it is made as large as they are.
const int64_t dataRows = $rows;
const int64_t dataCols = $cols;
const bool fits = dataRows <= $mostRows && dataCols <= $mostCols;
)";

// "r * 32 + c"
std::string place_text(const std::array<std::int64_t, 2>& steps) {
  const auto term = [](std::string_view name, std::int64_t step) {
    return std::string(name) + (step == 1 ? "" : " * " + std::to_string(step));
  };
  return term("r", steps[0]) + " + " + term("c", steps[1]);
}

std::string number(std::int64_t value) { return std::to_string(value); }

class KernelText {
 public:
  explicit KernelText(const SourcePlan& plan) : plan_(plan) {}

  std::string run() {
    head();
    write_types(out_, plan_);
    out_.blank();
    refuse_empty_table();
    for (std::size_t i = first_table(); i < declared_tensors(plan_); ++i)
      write_tensor(out_, plan_, plan_.tensors[i]);
    if (plan_.group) group(*plan_.group);
    if (plan_.loop) open_loop(*plan_.loop);
    part();
    if (plan_.loop) close_loop();
    if (!plan_.last.empty()) out_.blank();
    write_syncs(out_, plan_, plan_.last);
    out_.outdent();
    out_.lines("}");
    return out_.take();
  }

 private:
  // Another engine is triggered by every rank; otherwise only the root deals.
  bool is_dealt() const { return plan_.group && !plan_.group->is_triggered; }
  std::size_t first_table() const { return plan_.group ? 0 : plan_.tiles.size(); }
  std::string value(const Amount& amount) const { return value_text(plan_, {amount}); }

  void head() {
    out_.lines("// $summary\n// Spec: $spec\n", {{"summary", plan_.summary}, {"spec", plan_.spec}});
    out_.blank();
    out_.lines(kIncludes);
    if (plan_.group) out_.lines("#include <pto/comm/pto_comm_inst.hpp>");
    out_.blank();
    out_.lines("using namespace pto;\n");
    out_.blank();
    if (plan_.group || plan_.expanded) {
      out_.lines(kPointers);
      out_.blank();
    }
    if (const std::string helpers = helpers_text(plan_); !helpers.empty()) {
      out_.lines(helpers);
      out_.blank();
    }
    out_.lines("extern \"C\" __global__ AICORE $signature {",
               {{"signature", signature_text(plan_)}});
    out_.indent();
  }

  void refuse_empty_table() {
    if (!plan_.capacity) return;
    out_.lines("if ($capacity == 0) return;  // no slot to go to or come from",
               {{"capacity", value(*plan_.capacity)}});
    out_.blank();
  }

  void group(const GroupPlan& group) {
    out_.blank();
    out_.lines(kGroup, {{"ranks", number(group.ranks)},
                        {"root", number(group.root)},
                        {"type", std::string(type_name(group.rank.dtype))},
                        {"arguments", tensor_arguments(plan_, group.rank)}});
    out_.blank();
    if (!group.is_sized_at_run_time) return;
    out_.lines(kStageSize, {{"rows", value(group.rows)},
                            {"cols", value(group.cols)},
                            {"mostRows", number(group.most[0])},
                            {"mostCols", number(group.most[1])}});
  }

  void open_loop(const Loop& loop) {
    const std::string at(loop.variable);
    const std::string step = number(loop.step);
    out_.blank();
    out_.lines("// In parts, because the tiles are too large for one.");
    out_.lines("for (int64_t $at = 0; $at < $total; $at += $step) {",
               {{"at", at}, {"total", value(loop.total)}, {"step", step}});
    out_.indent();
    if (loop.is_even) return;
    const bool goes_beyond = !(loop.total == loop.valid);
    const std::string left = value(loop.valid) + " - " + at;
    if (goes_beyond) {
      out_.lines("const int64_t left = $valid > $at ? $left : 0;",
                 {{"valid", value(loop.valid)}, {"at", at}, {"left", left}});
    }
    out_.lines("const int64_t $count = $left < $step ? $left : $step;",
               {{"count", std::string(loop.count)},
                {"left", goes_beyond ? "left" : left},
                {"step", step}});
    if (loop.block > 0) blocks(loop, goes_beyond);
    out_.blank();
  }

  void blocks(const Loop& loop, bool goes_beyond) {
    const std::string block = number(loop.block);
    const std::string left = value(loop.total) + " - " + std::string(loop.variable);
    const std::string stored = "(" + left + " < " + number(loop.step) + " ? " + left + " : " +
                               number(loop.step) + ") / " + block;
    const std::string covered =
        "(" + std::string(loop.count) + " + " + number(loop.block - 1) + ") / " + block;
    out_.lines("const int64_t blocks = $blocks;", {{"blocks", goes_beyond ? stored : covered}});
  }

  void close_loop() {
    write_syncs(out_, plan_, plan_.between);
    out_.outdent();
    out_.lines("}");
  }

  // What happens to the tiles, once or in every round of the loop.
  void part() {
    if (!plan_.group) {
      for (std::size_t i = 0; i < plan_.tiles.size(); ++i)
        write_tensor(out_, plan_, plan_.tensors[i]);
    }
    write_tiles(out_, plan_);
    out_.blank();
    for (const std::size_t i : plan_.loads)
      out_.lines("TLOAD($tile, $tensor);", {{"tile", moved(i)}, {"tensor", gm(i)}});
    write_syncs(out_, plan_, plan_.before);
    out_.blank();
    if (plan_.expanded) {
      write_expanded(out_, plan_);
    } else {
      plan_.written_out ? byte_gather(*plan_.written_out) : call();
    }
    if (!plan_.stores.empty()) out_.blank();
    write_syncs(out_, plan_, plan_.after);
    for (const std::size_t i : plan_.stores)
      out_.lines("TSTORE($tensor, $tile);", {{"tensor", gm(i)}, {"tile", moved(i)}});
  }

  std::string gm(std::size_t i) const { return plan_.tensors[i].name + "Gm"; }
  std::string moved(std::size_t i) const {
    const TilePlan& tile = plan_.tiles[i];
    return tile.type.name + (tile.transfer ? "Storage" : "Tile");
  }

  void call() {
    const std::string policies =
        plan_.call.policies.empty() ? "" : "<" + joined(plan_.call.policies) + ">";
    const std::string guard = is_dealt() ? "if (myRank == " + number(plan_.group->root) + ") " : "";
    out_.lines("$guard$function$policies($arguments);",
               {{"guard", guard},
                {"function", std::string(plan_.call.function)},
                {"policies", policies},
                {"arguments", joined(plan_.call.arguments)}});
  }

  void byte_gather(const ByteGather& gather) {
    const TileType& offsets = plan_.tiles[1].type;
    out_.lines(gather.reason);
    out_.lines(gather.last_offset ? kClampedByteGather : kByteGather,
               {{"rows", value_text(plan_, offsets.valid_rows.value)},
                {"cols", value_text(plan_, offsets.valid_cols.value)},
                {"at", "offsetTile.GetValue(" + place_text(gather.offset_steps) + ")"},
                {"last", number(gather.last_offset.value_or(0))},
                {"to", place_text(gather.data_steps)},
                {"size", number(gather.unit_bytes)}});
  }

  const SourcePlan& plan_;
  TextWriter out_;
};

}  // namespace

std::string kernel_text(const SourcePlan& plan) { return KernelText(plan).run(); }

std::string signature_text(const SourcePlan& plan) {
  std::vector<std::string> out;
  for (const TensorPlan& tensor : plan.tensors)
    out.push_back("__gm__ " + std::string(type_name(tensor.dtype)) + "* " + tensor.name);
  if (plan.group) out.emplace_back("__gm__ uint64_t* dst");
  for (const ExtentParameter& extent : plan.extents) out.push_back("int64_t " + extent.name);
  if (plan.group)
    out.emplace_back(plan.group->is_triggered ? "comm::CcuTriggerContext context"
                                              : "int64_t myRank");
  return "void " + plan.name + "(" + joined(out) + ")";
}

}  // namespace pto::jit::source
