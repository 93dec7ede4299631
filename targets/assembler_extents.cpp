// The extents of a spec as a module of the PTO assembler writes them.
#include <algorithm>

#include "targets/assembler.h"
#include "targets/ties.h"

namespace pto::jit {
namespace {

constexpr std::size_t at(Dim dim) { return static_cast<std::size_t>(dim); }

}  // namespace

AssemblerExtents::AssemblerExtents(const LegalSpec& legal) {
  const KernelSpec& spec = legal.spec();
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (has_role(spec.op, role_of(dim))) amounts_[i] = amount_of(spec, dim);
  }
  tie(legal);
  if (spec.op == Op::CommTScatter) size_stage(spec);
}

// As large as one rank's data where they fit, for the instruction never narrows its stage; else as
// the spec has it, a runtime stage being full and cut by the instruction.
void AssemblerExtents::size_stage(const KernelSpec& spec) {
  Amount rows = 1;
  for (int dim = 0; dim < 4; ++dim) rows = rows * of(Dim::PeerD0 + dim);
  const Amount& cols = of(Dim::PeerD4);
  const auto most = [](std::int32_t valid, std::int32_t padded) {
    return valid == kRuntime ? padded : valid;
  };
  const std::int32_t most_rows = most(spec.data.vr, spec.data.rows);
  const std::int32_t most_cols = most(spec.data.vc, spec.data.cols);
  const bool fits = rows.factor <= most_rows && cols.factor <= most_cols;
  amounts_[at(Dim::DataVr)] = fits ? rows : most_rows;
  amounts_[at(Dim::DataVc)] = fits ? cols : most_cols;
  in_type_[at(Dim::DataVr)] = fits || spec.data.vr != kRuntime;
  in_type_[at(Dim::DataVc)] = fits || spec.data.vc != kRuntime;
}

void AssemblerExtents::tie(const LegalSpec& legal) {
  const Ties ties = ties_of(legal.spec(), legal.profile());
  for (const Tie& tie : ties) {
    Amount& left = amounts_[at(tie.left)];
    if (!tie.right) {
      left = tie.right_factor / tie.left_factor;
      continue;
    }
    Amount& right = amounts_[at(*tie.right)];
    if (left.is_static() || right.is_static()) continue;  // each is what the spec says
    if (tie.right_factor % tie.left_factor == 0) {
      left = right * (tie.right_factor / tie.left_factor);
    } else {
      right = left * (tie.left_factor / tie.right_factor);
    }
  }
  std::ranges::transform(amounts_, in_type_.begin(), &Amount::is_static);
  if (!assembler_of(legal.spec().target).pairs_runtime_extents) return;
  for (const Tie& tie : ties) {
    if (!tie.right) continue;
    bool& left = in_type_[at(tie.left)];
    bool& right = in_type_[at(*tie.right)];
    left = right = left && right;
  }
}

}  // namespace pto::jit
