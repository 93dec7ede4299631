#include "jit/calls/parallel/part_choice.h"

#include <algorithm>

#include "ir/boxes.h"
#include "ir/interpreter.h"
#include "ir/quantity.h"
#include "ir/reach.h"
#include "jit/calls/parallel/slot_sample.h"

namespace pto::jit {
namespace {

// Bytes that a thread has to move to be worth waking up; a piece counts for a line at least. What a
// scatter stores around the caches takes so much less time that it takes more of it.
constexpr std::int64_t kWorthAThread = std::int64_t{1} << 20;
constexpr std::int64_t kWorthOfSlots = std::int64_t{4} << 20;
// Parts for each thread where a part costs nothing but its call, so that threads end together.
constexpr int kPartsAThread = 4;
constexpr std::int64_t kLine = 64;

// What a call is going to move.
struct Work {
  std::int64_t bytes = 0;
  std::int64_t lines = 0;  // bytes of the lines that these are in, at most
};

Work work_of(const KernelPlan& plan, const Frame& frame) {
  const auto value = [&](const Amount& amount) { return value_in(frame, amount); };
  const std::int64_t unit = saturating_product(
      value(plan.unit.run),
      saturating_product(value(plan.unit.inner.count), value(plan.unit.outer.count)));
  const std::int64_t walks = std::max(plan.ranks, 1);
  const std::int64_t positions = saturating_product(BoxedWalk(plan, frame).positions(), walks);
  return {.bytes = saturating_product(positions, unit),
          .lines = saturating_product(positions, std::max(unit, kLine))};
}

// Data that one core's caches hold would have to leave them; and a scatter reads all indices in
// each part, which only pays where its slots are slow to reach.
bool is_near(const KernelPlan& plan, const Frame& frame, const Work& work,
             const HostFeatures& host) {
  const auto near = static_cast<std::int64_t>(host.l2);
  const std::int64_t table = plan.has_index() ? table_reach(plan, frame) : work.bytes;
  const std::int64_t met = saturating_sum(std::min(table, work.lines), work.bytes);
  return met <= 2 * near || (parting_of(plan) == Parting::Slots && table <= near);
}

// What is quick to find out comes first: most calls are small.
int parts_worth(const KernelPlan& plan, const Frame& frame, int threads, const HostFeatures& host) {
  const Work work = work_of(plan, frame);
  const bool by_slots = parting_of(plan) == Parting::Slots;
  const std::int64_t worth = work.lines / (by_slots ? kWorthOfSlots : kWorthAThread);
  const auto used = static_cast<int>(std::min<std::int64_t>(worth, threads));
  if (used <= 1 || is_near(plan, frame, work, host)) return 1;
  return by_slots ? used : used * kPartsAThread;
}

// Cuts between pieces that share no line of what is written, where pieces are small.
std::int64_t pieces_in_line(const KernelPlan& plan, const Frame& frame) {
  if (parting_of(plan) != Parting::Slots || plan.digit_count != 1) return 1;
  const std::int64_t step = value_in(frame, plan.digits[0].step);
  return step > 0 && step < kLine ? kLine / step : 1;
}

std::vector<PartRange> between(const std::vector<std::int64_t>& cuts, std::int64_t pieces) {
  std::vector<PartRange> out;
  std::int64_t from = 0;
  for (const std::int64_t cut : cuts) {
    if (cut <= from || cut >= pieces) continue;
    out.push_back({from, cut});
    from = cut;
  }
  out.push_back({from, pieces});
  return out;
}

std::vector<std::int64_t> even_cuts(std::int64_t pieces, int parts, std::int64_t unit) {
  std::vector<std::int64_t> out;
  for (int i = 1; i < parts; ++i) {
    const std::int64_t cut = pieces / parts * i + pieces % parts * i / parts;
    out.push_back(unit > 1 && pieces > unit * parts ? cut / unit * unit : cut);
  }
  return out;
}

}  // namespace

bool is_worth_sharing(const KernelPlan& plan, const Frame& frame, const HostFeatures& host) {
  return parts_worth(plan, frame, kMostThreads, host) > 1;
}

Dealt deal_out(const KernelPlan& plan, const Frame& frame, const Parallel& parallel,
               const HostFeatures& host) {
  const int wanted =
      parallel.parts > 0 ? parallel.parts : parts_worth(plan, frame, parallel.threads, host);
  if (wanted <= 1) return {};
  Dealt out{pieces_in(plan, frame)};
  const auto parts = static_cast<int>(std::min<std::int64_t>(wanted, out.pieces));
  if (parts <= 1) return out;
  const std::int64_t unit = pieces_in_line(plan, frame);
  std::vector<std::int64_t> cuts = even_cuts(out.pieces, parts, unit);
  if (parting_of(plan) == Parting::Slots && parallel.parts == 0)
    cuts = cuts_by_sample(plan, frame, parts, unit);
  out.parts = between(cuts, out.pieces);
  return out;
}

}  // namespace pto::jit
