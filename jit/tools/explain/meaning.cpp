// A plan in plain words.
#include "ir/mnemonic.h"
#include "jit/tools/explain/views.h"

namespace pto::jit::cli {
namespace {

std::string unit_words(const KernelSpec& spec, const Work& work) {
  const bool is_one = work.elements_per_index == 1;
  return (is_one ? "one element" : std::to_string(work.elements_per_index) + " elements") + " of " +
         std::string(name_of(dtype_of(spec, operation_of(spec.op).from))) + " (" +
         count_text(work.bytes_per_index, "byte") + ")";
}

std::string_view outside_words(const KernelPlan& plan) {
  switch (policy_of(plan)) {
    case Oob::Undefined: return "The caller promises that no index is beyond the end.";
    case Oob::Skip: return "An index beyond the end moves nothing.";
    case Oob::Clamp: return "An index beyond the end goes to the last slot.";
    case Oob::Wrap: return "An index beyond the end begins again at the first slot.";
    case Oob::Zero: return "An index beyond the end leaves zeros.";
  }
  return "";
}

std::string_view combine_words(const KernelPlan& plan) {
  switch (plan.combine) {
    case Atomic::None: break;
    case Atomic::Add: return "What arrives is added to what is there, in the order of the indices.";
    case Atomic::Max: return "The larger of what arrives and what is there stays.";
    case Atomic::Min: return "The smaller of what arrives and what is there stays.";
  }
  switch (plan.writer) {
    case Writer::Any: return "Where several indices name one slot, any of them may win.";
    case Writer::Last:
    case Writer::InOrder: return "Where several indices name one slot, the last one wins.";
  }
  return "";
}

std::string moved_words(const BoundSpec& bound, const Work& work) {
  const KernelSpec& spec = bound.spec();
  const Operation& row = operation_of(spec.op);
  const std::string from(operand_name(spec.op, row.from));
  const std::string to(operand_name(spec.op, row.to));
  const std::string unit = unit_words(spec, work);
  if (!bound.plan().has_index())
    return "Moves " + count_text(work.indices, "unit") + " of " + unit + " from " + from + " to " +
           to + (spec.ranks > 0 ? ", dealt to " + count_text(spec.ranks, "rank") : "") + ".";
  const std::string index(operand_name(spec.op, Role::Index));
  const std::string kind = row.counts_bytes ? "byte offset" : "index";
  const std::string slots = row.counts_bytes ? " places an offset may name" : " slots";
  return "For each " + kind + " in " + index + ", of which there are " +
         std::to_string(work.indices) + ", moves " + unit + " from " + from + " to " + to +
         "; the " + kind + " says where in " +
         (bound.plan().direction == Direction::ToTable ? to : from) + ", which has " +
         std::to_string(work.capacity) + slots + ".";
}

}  // namespace

Oob policy_of(const KernelPlan& plan) {
  const bool is_cleared = plan.fill_bytes > 0 && plan.direction == Direction::ToTile;
  return plan.oob == Oob::Skip && is_cleared ? Oob::Zero : plan.oob;
}

std::string meaning_of(const BoundSpec& bound, const Work& work) {
  const KernelPlan& plan = bound.plan();
  std::string out = moved_words(bound, work);
  const auto add = [&](std::string_view sentence) {
    if (!sentence.empty()) out.append(" ").append(sentence);
  };
  if (plan.has_index()) add(outside_words(plan));
  if (plan.has_index() && plan.direction == Direction::ToTable) add(combine_words(plan));
  if (plan.fill_bytes > 0 && plan.direction == Direction::ToTable)
    add("Before that, " + count_text(plan.fill_bytes, "byte") + " of what is written are cleared.");
  if (plan.audit.is_on) add("Indices beyond the end and colliding writes are counted.");
  return out;
}

}  // namespace pto::jit::cli
