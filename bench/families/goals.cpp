#include "bench/families/goals.h"

#include <array>

namespace pto::jit::bench {
namespace {

std::int64_t row_bytes(const KernelSpec& spec) { return spec.data.vc * size_of(spec.data.dtype); }

bool is_plain(const Cell& cell) { return cell.indices == Indices::Random; }

std::vector<Goal> row_goals(const Cell& cell) {
  std::vector<Goal> out = {{1, Against::Static, 1.0, true}};
  const std::int64_t bytes = row_bytes(cell.spec);
  if (bytes <= 32 && cell.home == Home::L1) {
    out.push_back({2, Against::Static, 1.0, true});
    out.push_back({2, Against::Dispatched, 6.0});
  }
  if (bytes >= 4096) {
    out.push_back({3, Against::Limit, 0.85});
  } else if (bytes >= 128) {
    out.push_back({3, Against::Limit, cell.home == Home::L1 ? 95.0 / 112 : 42.0 / 47});
  }
  return out;
}

std::vector<Goal> dram_goals(const Cell& cell) {
  if (cell.home != Home::Dram) return {};
  if (is_gather(cell.spec)) return {{4, Against::Limit, 1.12}};
  const std::int64_t bytes = row_bytes(cell.spec);
  const double factor = bytes == 64 ? 1.2 : bytes == 128 ? 1.5 : 1.8;
  return {{4, Against::StaticAndLimit, factor}};
}

std::vector<Goal> elem_gather_goals(const Cell& cell) {
  if (cell.home != Home::L1 || !is_plain(cell)) return {};
  const std::int64_t size = size_of(cell.spec.data.dtype);
  if (size != 4) return {{6, Against::Static, size == 2 ? 1.4 : 1.3}};
  switch (cell.spec.oob) {
    case Oob::Undefined: return {{5, Against::Static, 1.25}, {5, Against::Limit, 0.9}};
    case Oob::Clamp: return {{5, Against::SameKernel, 1 / 1.25}};
    case Oob::Wrap:
    case Oob::Zero: return {{5, Against::SameKernel, 1 / 1.35}};
    case Oob::Skip: break;
  }
  return {};
}

std::vector<Goal> elem_scatter_goals(const Cell& cell) {
  if (cell.spec.op == Op::TScatter) return {};
  if (cell.home != Home::L1 || !is_plain(cell)) return {};
  if (size_of(cell.spec.data.dtype) != 4) {
    return {{8, Against::Static, 1.15}, {8, Against::Limit, 0.95}};
  }
  switch (cell.spec.oob) {
    case Oob::Undefined: return {{8, Against::Static, 1.25}};
    case Oob::Clamp: return {{8, Against::Static, 0.97}};
    case Oob::Skip: return {{8, Against::Static, 1.2}};
    case Oob::Wrap: return {{8, Against::Static, 1.05}};
    case Oob::Zero: break;
  }
  return {};
}

double add_factor(DType dtype) {
  if (dtype == DType::I32) return 1.15;
  if (dtype == DType::F32) return 1.05;
  return dtype == DType::F16 ? 1.4 : 1.3;
}

std::vector<Goal> add_goals(const Cell& cell) {
  const KernelSpec& spec = cell.spec;
  if (spec.atomic != Atomic::Add) return {};
  if (is_row(spec)) {
    if (spec.data.dtype == DType::F16) return {{9, Against::Static, 1.0, true}};
    if (spec.data.dtype == DType::BF16) return {{9, Against::Static, 1.6}};
    return {};
  }
  const bool has_many_conflicts = spec.table.shape[4] <= 16;
  return {{9, Against::Static, has_many_conflicts ? 0.95 : add_factor(spec.data.dtype)}};
}

std::vector<Goal> mask_goals(const Cell& cell) {
  if (shape_of(cell.spec.mask).factor != 2) return {};
  const std::array<double, 3> factors = {10, 4, 3};  // by element size 1, 2, 4
  return {
      {10, Against::Literal, factors[static_cast<std::size_t>(size_of(cell.spec.data.dtype) / 2)]}};
}

}  // namespace

std::string_view name_of(Against against) {
  switch (against) {
    case Against::Static: return "S";
    case Against::Literal: return "D";
    case Against::Dispatched: return "R";
    case Against::Limit: return "L";
    case Against::StaticAndLimit: return "S,L";
    case Against::SameKernel: return "K";
  }
  return "";
}

std::vector<Goal> goals_of(const Cell& cell) {
  const KernelSpec& spec = cell.spec;
  switch (cell.family) {
    case Family::Rows: return row_goals(cell);
    case Family::DramRows: return dram_goals(cell);
    case Family::ElemGather: return elem_gather_goals(cell);
    case Family::ElemScatter: return elem_scatter_goals(cell);
    case Family::ByteOffsets:
      if (spec.unit == Unit::Element && size_of(spec.data.dtype) == 4)
        return {{6, Against::Static, 3.3}};
      return {};
    case Family::SmallTables: return {{7, Against::Static, 6.0}};
    case Family::Adds: return add_goals(cell);
    case Family::Masks: return mask_goals(cell);
    case Family::LastWins: return {{11, Against::Static, spec.table.shape[3] == 64 ? 20.0 : 2.0}};
    case Family::Extents: return {{12, Against::SameKernel, 0.97}};
    case Family::Groups:
    case Family::Layouts:
    case Family::Workloads:
    case Family::Sizes: return {};
  }
  return {};
}

Limit limit_of(const Cell& cell) {
  const KernelSpec& spec = cell.spec;
  if (cell.family == Family::Sizes) return Limit::Copy;
  if (is_dram(cell.home)) return is_row(spec) ? Limit::Libc : Limit::None;
  if (cell.family == Family::Rows) {
    const std::int64_t bytes = row_bytes(spec);
    return bytes >= 4096 ? Limit::StringMove : bytes >= 128 ? Limit::OnePiece : Limit::None;
  }
  if (cell.indices == Indices::Outside || percent_outside(cell.indices) > 0) return Limit::None;
  if (cell.family == Family::ElemGather) return Limit::Loads;
  if (cell.family == Family::ElemScatter && spec.op == Op::MScatter) return Limit::Stores;
  return Limit::None;
}

}  // namespace pto::jit::bench
