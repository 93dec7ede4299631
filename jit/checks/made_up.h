// Values and operands made up for one run of a kernel, where a user has given none.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/result.h"
#include "runtime/operands.h"
#include "targets/binding.h"

namespace pto::jit::cli {

// Every '?' has a value: the one given, one that ties make of it, or else the most middling one
// with which all rules are kept. Where none is found, an error names what is open.
Result<BoundSpec> made_up_binding(const LegalSpec& legal, const std::vector<Binding>& given);

enum class IndexPattern : std::uint8_t {
  Sequential,
  Random,
  Beyond,  // half of them past the last slot
  Mixed,   // for pictures: some repeat the one before, some are past the last slot where they may
};
std::string_view name_of(IndexPattern pattern);

// Those a kernel has an answer to; one where it has no index.
std::vector<IndexPattern> patterns_for(const KernelPlan& plan);

// Small numbers everywhere. Too much to be run element by element is an error.
Result<OperandStore> made_up_operands(const BoundSpec& bound, IndexPattern pattern);

}  // namespace pto::jit::cli
