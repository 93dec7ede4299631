// Rules of the communication TSCATTER: the group, its tensors and the staging tile.
#include <algorithm>

#include "targets/remedies.h"
#include "targets/rules.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

Truth group_rows(const Subject& s) {
  return at_most(Quantity(s.spec.peer.shape[3]) * s.spec.ranks, s.spec.table.shape[3]);
}

bool raise_source_rows(KernelSpec& spec, const Profile&) {
  const Quantity rows = Quantity(spec.peer.shape[3]) * spec.ranks;
  if (!rows.known || rows.value > std::numeric_limits<std::int32_t>::max()) {
    spec.peer.shape[3] = std::max(spec.table.shape[3] / std::max(spec.ranks, 1), 1);
    spec.ranks = std::clamp(spec.ranks, 1, std::max(spec.table.shape[3], 1));
    spec.root = std::min(spec.root, spec.ranks - 1);
    return true;
  }
  spec.table.shape[3] = static_cast<std::int32_t>(rows.value);
  spec.table.strides = {};
  return true;
}

// The most rows or columns one chunk takes.
std::int64_t chunk_side(std::int32_t valid, std::int32_t padded) {
  return valid == kRuntime ? padded : valid;
}

Truth is_whole(const Subject& s) {
  const Tile& stage = s.spec.data;
  const Quantity rows = extents(s.spec.peer, 0, 4);
  const Quantity cols = s.spec.peer.shape[4];
  return both(at_most(rows, chunk_side(stage.vr, stage.rows)),
              at_most(cols, chunk_side(stage.vc, stage.cols)));
}

Truth divides(std::int32_t declared, Quantity total) {
  if (declared == kRuntime || declared < 1) return Truth::Holds;
  return total.known ? truth(total.value % declared == 0) : Truth::AtInvocation;
}

// A static valid extent moves only whole chunks; data that fit in one need no chunk at all.
Truth stage_divides(const Subject& s) {
  const Tile& stage = s.declared.data;
  const Truth whole_chunks =
      both(divides(stage.vr, s.spec.peer.shape[3]), divides(stage.vc, s.spec.peer.shape[4]));
  if (whole_chunks == Truth::Holds) return Truth::Holds;
  const Truth whole = is_whole(s);
  return whole == Truth::Broken ? whole_chunks : whole;
}

}  // namespace

const Rule kRanksRule = {"ranks",
                         [](const Subject& s) { return truth(s.spec.ranks >= 1); },
                         [](const Subject& s) { return "ranks is " + str(s.spec.ranks); },
                         {[](KernelSpec& spec, const Profile&) {
                           spec.ranks = 1;
                           return true;
                         }}};

const Rule kRootRule = {
    "root",
    [](const Subject& s) { return truth(s.spec.root >= 0 && s.spec.root < s.spec.ranks); },
    [](const Subject& s) {
      return "root is " + str(s.spec.root) + " of " + str(s.spec.ranks) + " ranks";
    },
    {[](KernelSpec& spec, const Profile&) {
      spec.root = 0;
      spec.ranks = std::max(spec.ranks, 1);
      return true;
    }}};

const Rule kGroupRowsRule = {"group.rows",
                             group_rows,
                             [](const Subject& s) {
                               return value_phrase(s.spec, Dim::TableD3) + ", " +
                                      str(s.spec.ranks) + " ranks of " + str(s.spec.peer.shape[3]) +
                                      " rows need " +
                                      str((Quantity(s.spec.peer.shape[3]) * s.spec.ranks).value);
                             },
                             {raise_source_rows}};

const Rule kStageDivisorRule = {
    "stage.divides",
    stage_divides,
    [](const Subject& s) {
      return "a stage of " + str(s.spec.data.vr) + "x" + str(s.spec.data.vc) + " cannot cut " +
             str(s.spec.peer.shape[3]) + "x" + str(s.spec.peer.shape[4]) + " into whole chunks";
    },
    {[](KernelSpec& spec, const Profile&) {
      spec.data.vr = spec.data.vc = kRuntime;
      return true;
    }}};

const Rule kEngineRule = {
    "engine",
    [](const Subject& s) { return truth(s.op().engines.contains(s.spec.engine)); },
    [](const Subject& s) {
      return "the CCU engine is not available on " + str(name_of(s.spec.target));
    },
    {[](KernelSpec& spec, const Profile&) {
       spec.engine = Engine::Aiv;
       return true;
     },
     remedy::to_a5}};

}  // namespace pto::jit
