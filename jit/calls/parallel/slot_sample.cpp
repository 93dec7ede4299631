#include "jit/calls/parallel/slot_sample.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "ir/boxes.h"
#include "ir/resolved.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kSampled = 256;       // indices, or all where there are fewer
constexpr std::int64_t kSampledOfPart = 16;  // at least

std::vector<std::int64_t> sampled_slots(const KernelPlan& plan, const Frame& frame, int parts) {
  const BoxedWalk walk(plan, frame);
  const std::int64_t count = std::min(walk.positions(), std::max(kSampled, kSampledOfPart * parts));
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t position = walk.positions() / count * i;
    std::uint32_t raw = 0;
    std::memcpy(&raw, static_cast<const std::byte*>(frame.index) + walk.place_of(position).index,
                plan.index_size);
    if (const std::optional<std::int64_t> slot = resolved_slot(plan, frame, raw))
      out.push_back(*slot);
  }
  return out;
}

}  // namespace

std::vector<std::int64_t> cuts_by_sample(const KernelPlan& plan, const Frame& frame, int parts,
                                         std::int64_t unit) {
  std::vector<std::int64_t> slots = sampled_slots(plan, frame, parts);
  std::sort(slots.begin(), slots.end());
  std::vector<std::int64_t> out;
  for (int i = 1; i < parts && !slots.empty(); ++i) {
    const std::size_t at =
        slots.size() * static_cast<std::size_t>(i) / static_cast<std::size_t>(parts);
    out.push_back(slots[at] / unit * unit);
  }
  return out;
}

}  // namespace pto::jit
