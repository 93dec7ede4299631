// The extents of a spec as a module of the PTO assembler writes them.
#include <algorithm>

#include "targets/assembler.h"
#include "targets/source_parts.h"
#include "targets/ties.h"

namespace pto::jit {
namespace {

constexpr std::size_t at(Dim dim) { return static_cast<std::size_t>(dim); }

}  // namespace

AssemblerExtents::AssemblerExtents(const LegalSpec& legal) {
  const KernelSpec& spec = legal.spec();
  const ExtentTable table(spec, legal.profile());
  for (std::size_t i = 0; i < kDims; ++i) amounts_[i] = table.of(static_cast<Dim>(i));
  pair(legal);
  if (is_collective(spec.op)) size_stage(spec);
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

void AssemblerExtents::pair(const LegalSpec& legal) {
  std::ranges::transform(amounts_, in_type_.begin(), &Amount::is_static);
  if (!legal.profile().dialect.assembler.pairs_runtime_extents) return;
  for (const Tie& tie : ties_of(legal.spec(), legal.profile())) {
    if (!tie.right) continue;
    bool& left = in_type_[at(tie.left)];
    bool& right = in_type_[at(*tie.right)];
    left = right = left && right;
  }
}

}  // namespace pto::jit
