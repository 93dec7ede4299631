// The text of communication kernels: a list of ranks, and a stage as large as it has to be.
#include "ir/quantity.h"
#include "targets/source_parts.h"
#include "targets/source_words.h"

namespace pto::jit {
namespace {

// The stage: as large as one rank's data where that is known and they fit, else as the spec has it.
TileType stage_type(const KernelSpec& spec, GroupPlan& group) {
  const Tile& stage = spec.data;
  const auto most = [](std::int32_t valid, std::int32_t padded) {
    return std::int64_t{valid == kRuntime ? padded : valid};
  };
  group.most = {most(stage.vr, stage.rows), most(stage.vc, stage.cols)};
  const bool is_known = group.rows.is_static() && group.cols.is_static();
  const bool fits =
      is_known && group.rows.factor <= group.most[0] && group.cols.factor <= group.most[1];
  group.is_sized_at_run_time = !is_known;
  TileType type{.name = "stage",
                .dtype = stage.dtype,
                .rows = stage.rows,
                .cols = round_up(stage.cols, block_elements(stage.dtype)),
                .layout = stage.layout,
                .valid_rows = {{fits ? group.rows : Amount(group.most[0])}, true},
                .valid_cols = {{fits ? group.cols : Amount(group.most[1])}, true}};
  const bool is_static = fits || (is_known && stage.vr != kRuntime && stage.vc != kRuntime);
  type.valid_rows.is_in_type = type.valid_cols.is_in_type = is_static;
  return type;
}

}  // namespace

void plan_group(const LegalSpec& legal, SourcePlan& plan) {
  const KernelSpec& spec = legal.spec();
  const ExtentTable extents(spec, legal.profile());
  GroupPlan group;
  group.rank = tensor_of(spec, extents, Role::Peer);
  group.ranks = spec.ranks;
  group.root = spec.root;
  group.is_triggered = spec.engine == Engine::Ccu;
  group.rows = 1;
  for (int dim = 0; dim < 4; ++dim) group.rows = group.rows * extents.of(Dim::PeerD0 + dim);
  group.cols = extents.of(Dim::PeerD4);
  TileType stage = stage_type(spec, group);
  if (spec.staging == Staging::PingPong) {
    stage.name = "ping";
    plan.tiles.push_back({.type = stage});
    stage.name = "pong";
  }
  plan.tiles.push_back({.type = stage});
  plan.tensors.push_back(tensor_of(spec, extents, Role::Table));
  plan.call = call_of(spec, legal.profile().dialect);
  plan.last = legal.profile().dialect.waits(SyncShape::Group).last;
  plan.group = group;
}

}  // namespace pto::jit
