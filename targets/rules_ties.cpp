// Rules that tie one extent to another, or to a number.
#include <algorithm>

#include "targets/remedies.h"
#include "targets/rules.h"
#include "targets/ties.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

Truth ties_hold(const Subject& s, TieKind kind) {
  Truth all = Truth::Holds;
  for (const Tie& tie : s.ties) {
    if (tie.kind == kind) all = both(all, holds(tie, s.spec));
  }
  return all;
}

const Tie* broken_tie(const Subject& s, TieKind kind) {
  for (const Tie& tie : s.ties) {
    if (tie.kind == kind && holds(tie, s.spec) == Truth::Broken) return &tie;
  }
  return nullptr;
}

std::string scaled(std::string_view factor, const std::string& what) {
  return factor == "1" ? what : str(factor) + "*" + what;
}

// "idx.vc is 8, src.vr is 9"
std::string tie_finding(const Subject& s, TieKind kind) {
  const Tie* tie = broken_tie(s, kind);
  if (tie == nullptr) return {};
  std::string out = value_phrase(s.spec, tie->left);
  if (!tie->right) return out + ", not " + str(tie->right_factor);
  out += ", " + value_phrase(s.spec, *tie->right);
  if (tie->left_factor == 1 && tie->right_factor == 1) return out;
  return out + ": " + scaled(str(tie->left_factor), dim_name(s.spec.op, tie->left)) +
         " must equal " + scaled(str(tie->right_factor), dim_name(s.spec.op, *tie->right));
}

template <TieKind Kind>
Truth tie_rule(const Subject& s) {
  return ties_hold(s, Kind);
}
template <TieKind Kind>
std::string tie_words(const Subject& s) {
  return tie_finding(s, Kind);
}

bool flatten_table(KernelSpec& spec, const Profile&) {
  std::int64_t rows = 1;
  for (int dim = 0; dim < 4; ++dim)
    rows = saturating_product(rows, std::max(spec.table.shape[static_cast<std::size_t>(dim)], 1));
  spec.table.shape = {1, 1, 1, static_cast<std::int32_t>(std::min<std::int64_t>(rows, 1 << 20)),
                      spec.table.shape[4]};
  spec.table.strides = {};
  return true;
}

bool to_elem(KernelSpec& spec, const Profile& profile) {
  if (spec.coalesce != Coalesce::Row) return false;
  spec.coalesce = Coalesce::Elem;
  remedy::reshape_index(spec, profile);
  return true;
}

bool to_one_column(KernelSpec& spec, const Profile& profile) {
  if (profile.behaviour.row_width != RowWidth::One) return false;
  spec.data.vc = 1;
  return true;
}

}  // namespace

const Rule kIndexShapeRule = {"index.shape",
                              tie_rule<TieKind::IndexShape>,
                              tie_words<TieKind::IndexShape>,
                              {remedy::reshape_index}};

const Rule kFlatTableRule = {"table.flat",
                             tie_rule<TieKind::LeadingOnes>,
                             tie_words<TieKind::LeadingOnes>,
                             {flatten_table, remedy::to_a2a3}};

const Rule kRowWidthRule = {"row.width",
                            tie_rule<TieKind::RowWidth>,
                            tie_words<TieKind::RowWidth>,
                            {to_one_column, remedy::fit_table_width, to_elem}};

const Rule kNzBlockRule = {"nz.block",
                           tie_rule<TieKind::NzBlock>,
                           tie_words<TieKind::NzBlock>,
                           {[](KernelSpec& spec, const Profile&) {
                             spec.table.shape[3] = kNzBlockRows;
                             spec.table.shape[4] = block_elements(spec.table.dtype);
                             spec.table.strides = {};
                             return true;
                           }}};

const Rule kStoreShapeRule = {
    "store.shape",
    tie_rule<TieKind::StoreShape>,
    tie_words<TieKind::StoreShape>,
    {[](KernelSpec& spec, const Profile& profile) {
      const std::int64_t factor = shape_of(spec.mask).factor;
      spec.data.vc = std::min(spec.data.vc, 1 << 18);  // wider ones cannot fit anyway
      const std::int64_t width = spec.data.vc == kRuntime ? kRuntime : spec.data.vc * factor;
      spec.store.vr = spec.data.vr;
      spec.store.vc = static_cast<std::int32_t>(width);
      if (width == kRuntime)
        spec.store.cols = static_cast<std::int32_t>(std::max<std::int64_t>(
            spec.store.cols, std::min<std::int64_t>(spec.data.cols * factor, 1 << 20)));
      if (spec.data.vr == kRuntime) spec.store.rows = std::max(spec.store.rows, spec.data.rows);
      remedy::grow_tiles(spec, profile);
      return true;
    }}};

const Rule kGroupShapeRule = {"group.shape",
                              tie_rule<TieKind::Group>,
                              tie_words<TieKind::Group>,
                              {[](KernelSpec& spec, const Profile&) {
                                for (const std::size_t dim : {0u, 1u, 2u, 4u})
                                  spec.table.shape[dim] = spec.peer.shape[dim];
                                spec.table.strides = {};
                                return true;
                              }}};

}  // namespace pto::jit
