#include "bench/families/goals.h"

namespace pto::jit::bench {
namespace {

constexpr const char* kBest = "best";
using Goals = std::vector<Goal>;

constexpr double kAtTheLimit = 1 / 1.05;

std::int64_t row_bytes(const KernelSpec& spec) { return spec.data.vc * size_of(spec.data.dtype); }

bool is_large_tile(const Cell& cell) {
  return cell.family == Family::DramRows && cell.indices == Indices::Runs;
}

Goals policy_goals(const Cell& cell) {
  if (!is_about_policy(cell)) return {};
  return {{2, "K", 1 / (is_row(cell.spec) ? 1.25 : 1.4)}, {2, "S", 1.2, kAtTheLimit}};
}

Goals dram_goals(const Cell& cell) {
  if (is_large_tile(cell)) return {{3, "L", 0.9}};
  if (is_gather(cell.spec)) return {{3, kBest, 1.02}};
  const std::int64_t bytes = row_bytes(cell.spec);
  return {{3, kBest, bytes == 64 ? 1.3 : bytes == 128 ? 2.0 : 2.8}};
}

Goals elem_scatter_goals(const Cell& cell) {
  Goals out = {{5, kBest, 0.97, 0, true}};
  if (limit_of(cell) == Limit::Stores && cell.spec.oob == Oob::Undefined) {
    out.push_back({5, "L", 0.95});
  }
  return out;
}

Goals add_goals(const KernelSpec& spec) {
  if (is_row(spec) && spec.data.dtype == DType::BF16) return {{7, "S", 1.6}};
  return {{7, "S", spec.data.dtype == DType::F16 ? 1.2 : 1.0, 0, true}};
}

Goals layout_goals(const KernelSpec& spec) {
  const bool is_elem = spec.coalesce == Coalesce::Elem;
  if (spec.data.layout == TileLayout::Nz) return is_elem ? Goals{{9, "S", 2.0}} : Goals{};
  const bool has_columns = spec.data.layout == TileLayout::ColMajor ||
                           (is_elem && spec.index.layout == TileLayout::ColMajor);
  return has_columns ? Goals{{9, "S", 1.0, 0, true}} : Goals{};
}

// Without those of policies.
Goals own_goals(const Cell& cell) {
  const KernelSpec& spec = cell.spec;
  const std::int64_t size = size_of(spec.data.dtype);
  const Goal mask = {8, "S", 1.4, kAtTheLimit};
  switch (cell.family) {
    case Family::Rows: return {{1, kBest, 0.97, 0, true}};
    case Family::DramRows: return dram_goals(cell);
    case Family::ElemGather: return {{4, "S", 1.25}};
    case Family::ElemScatter: return elem_scatter_goals(cell);
    case Family::ByteOffsets: return spec.unit == Unit::Element ? Goals{{6, "S", 1.3}} : Goals{};
    case Family::SmallTables: return {{6, "S", size == 4 ? 7.0 : 4.0}};
    case Family::Adds: return add_goals(spec);
    case Family::Masks: return {mask};
    case Family::ShortCalls: return {{15, "S", 1 / 1.2}};
    case Family::LastWins: return {{10, "S", spec.table.shape[3] == 64 ? 20.0 : 2.0}};
    case Family::Extents:
      if (spec.op == Op::TScatterMask) return {mask, {11, "K", 0.95, 0, true}};
      return {{11, "K", 0.95, 0, true}};
    case Family::Layouts: return layout_goals(spec);
    case Family::Groups:
    case Family::Workloads:
    case Family::Sizes: return {};
  }
  return {};
}

}  // namespace

std::vector<Goal> goals_of(const Cell& cell) {
  const bool has_own = percent_outside(cell.indices) == 0;  // else only what the policy costs
  Goals out = has_own ? own_goals(cell) : Goals{};
  for (const Goal& goal : policy_goals(cell)) out.push_back(goal);
  return out;
}

Limit limit_of(const Cell& cell) {
  const KernelSpec& spec = cell.spec;
  if (cell.family == Family::Sizes || is_large_tile(cell)) return Limit::Copy;
  if (is_dram(cell.home)) return is_row(spec) ? Limit::Libc : Limit::None;
  if (spec.op == Op::TScatterMask) return Limit::Fill;
  if (cell.family == Family::Rows && !has_outside(cell.indices)) {
    const std::int64_t bytes = row_bytes(spec);
    return bytes >= 4096 ? Limit::StringMove : bytes >= 128 ? Limit::OnePiece : Limit::None;
  }
  if (cell.family == Family::ElemGather) return Limit::Loads;
  if (cell.family == Family::ElemScatter && spec.op == Op::MScatter) return Limit::Stores;
  return Limit::None;
}

}  // namespace pto::jit::bench
