// The forms of a kernel's text and the waits in them: where each stands, and the same kernel
// without it.
#include <array>

#include "jit/text/source/expanded_text.h"
#include "jit/text/source/kernel_text.h"
#include "jit/tools/explain/views.h"
#include "targets/source_planner.h"

namespace pto::jit::cli {
namespace {

// Calls `visit` with each list of waits in the order of the text, and where it stands.
template <class Plan, class Visit>
void for_each_list(Plan& plan, Visit&& visit) {
  visit(plan.before, "between the loads and the call");
  if (plan.expanded) {
    visit(plan.expanded->enter, "before the body");
    visit(plan.expanded->start, "before the first burst");
    visit(plan.expanded->each, "after each burst");
    visit(plan.expanded->reset, "before the store mode is taken back");
    visit(plan.expanded->leave, "after the body");
  }
  visit(plan.after, "between the call and the store");
  visit(plan.between, "after each part");
  visit(plan.last, "at the end");
}

struct PipeWords {
  std::string_view name;
  std::string_view work;
};
// In the order of Pipe.
constexpr std::array kPipes = {PipeWords{"S", "scalar accesses"},
                               PipeWords{"V", "vector operations"}, PipeWords{"MTE2", "loads"},
                               PipeWords{"MTE3", "stores"}};

const PipeWords& words_of(Pipe pipe) { return kPipes[static_cast<std::size_t>(pipe)]; }

WaitView wait_view(const Sync& sync, std::string_view place) {
  const PipeWords& from = words_of(sync.from);
  const PipeWords& to = words_of(sync.to);
  switch (sync.kind) {
    case SyncKind::Flag:
      return {
          .what = std::string(from.name) + " to " + std::string(to.name),
          .place = std::string(place),
          .protects = std::string(from.work) + " end before " + std::string(to.work) + " begin"};
    case SyncKind::Barrier:
      return {.what = "barrier",
              .place = std::string(place),
              .protects = "everything before it ends before anything behind it begins"};
    case SyncKind::Flush:
      return {.what = "flush",
              .place = std::string(place),
              .protects = "what lies in the data cache reaches memory"};
  }
  return {};
}

// The plan without the wait of this number, and what that was.
struct Removed {
  SourcePlan plan;
  WaitView wait;
};

std::optional<Removed> without(const SourcePlan& plan, std::size_t number) {
  Removed out{plan, {}};
  std::size_t seen = 0;
  bool is_found = false;
  for_each_list(out.plan, [&](Syncs& list, std::string_view place) {
    if (!is_found && number < seen + list.size()) {
      const auto at = list.begin() + static_cast<std::ptrdiff_t>(number - seen);
      out.wait = wait_view(*at, place);
      list.erase(at);
      is_found = true;
      return;
    }
    seen += list.size();
  });
  return is_found ? std::optional(std::move(out)) : std::nullopt;
}

// The line in which two texts part, from 1; behind the guard of a list that is gone altogether.
std::size_t first_difference(std::string_view whole, std::string_view less) {
  std::size_t line = 1;
  std::size_t start = 0;
  for (std::size_t i = 0; i < whole.size() && i < less.size() && whole[i] == less[i]; ++i) {
    if (whole[i] != '\n') continue;
    ++line;
    start = i + 1;
  }
  return line + (whole.substr(start).starts_with("#ifndef") ? 1 : 0);
}

void add_waits(PlannedForm& form) {
  const std::string text = source::kernel_text(*form.plan);
  for (std::size_t number = 0;; ++number) {
    std::optional<Removed> removed = without(*form.plan, number);
    if (!removed) return;
    const std::string less = source::kernel_text(removed->plan);
    if (less == text) continue;  // automatic placement leaves it to the device's compiler
    removed->wait.line = first_difference(text, less);
    form.view.waits.push_back(std::move(removed->wait));
    form.without.push_back(std::move(removed->plan));
  }
}

std::string how(const SourcePlan& plan) {
  if (plan.written_out)
    return "scalar accesses: " + std::string(plan.written_out->reason).substr(3);
  if (!plan.expanded) return "one " + std::string(plan.call.function) + " instruction";
  switch (plan.expanded->means) {
    case Means::Scalars: return "scalar accesses, one element after the other";
    case Means::Bursts: return "one burst of the data path for each run of bytes";
    case Means::Lanes:
      return "a launch of 32 x " + std::to_string(source::warps_of(plan)) + " lanes";
  }
  return "";
}

}  // namespace

LegalSpec on_device(const LegalSpec& legal) {
  KernelSpec spec = legal.spec();
  spec.audit = false;
  return *verify(spec);
}

PlannedForm planned_form(const LegalSpec& legal, bool is_expanded) {
  PlannedForm out{.view = {.name = is_expanded ? "expanded" : "intrinsic"}};
  Result<SourcePlan> plan = make_source_plan(legal, {.is_expanded = is_expanded});
  if (!plan) {
    out.view.absent = plan.error().front().message;
    return out;
  }
  out.plan = std::move(*plan);
  out.view.how = how(*out.plan);
  out.view.text = source::kernel_text(*out.plan) + "\n" + source::launch_text(*out.plan);
  add_waits(out);
  return out;
}

}  // namespace pto::jit::cli
