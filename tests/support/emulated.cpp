#include "tests/support/emulated.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <optional>

#include "ir/spec_text.h"
#include "jit/checks/emulation/harness_text.h"
#include "jit/checks/emulation/operand_run.h"
#include "jit/text/source/kernel_text.h"
#include "targets/source_planner.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kKernelsPerUnit = 48;

struct Emitted {
  SourcePlan plan;
  std::string text;  // kernel, launch and harness
  std::string flags;
};

std::string cut_out(std::string text, const TextCut& cut) {
  if (cut.text.empty()) return text;
  std::size_t at = text.find(cut.text);
  for (std::size_t i = 0; i < cut.occurrence; ++i) at = text.find(cut.text, at + 1);
  return at == std::string::npos ? text : text.erase(at, cut.text.size());
}

Result<Emitted> emit(const EmulatedCase& entry, const std::string& name) {
  const Result<LegalSpec> legal = verify(entry.load.declared);
  if (!legal) return legal.error();
  const Result<SourcePlan> plan = make_source_plan(
      *legal, {.is_expanded = entry.is_expanded, .placement = entry.placement, .name = name});
  if (!plan) return plan.error();
  return Emitted{*plan,
                 cut_out(source::kernel_text(*plan), entry.without) + source::launch_text(*plan) +
                     source::harness_text(*plan),
                 source::host_flags(*plan)};
}

// Calls `work(i)` for every i below `count`, two at a time.
template <class Work>
void in_parallel(std::size_t count, Work&& work) {
  std::atomic<std::size_t> next = 0;
  const auto worker = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::future<void> other = std::async(std::launch::async, worker);
  worker();
  other.get();
}

// A kernel, who wants it, and the program it became part of.
struct Built {
  std::optional<Emitted> emitted;
  std::shared_ptr<const HostProgram> program;
  std::string trouble;
};

class Builder {
 public:
  explicit Builder(HostSetting setting) : setting_(std::move(setting)) {}

  // The place of the kernel of a case, emitted when no earlier case has the same.
  std::size_t add(const EmulatedCase& entry) {
    const std::string key = print(entry.load.declared) + (entry.is_expanded ? "|e|" : "|") +
                            (entry.placement == Placement::Auto ? "a|" : "|") +
                            std::to_string(entry.without.occurrence) + entry.without.text;
    const auto [known, is_new] = places_.try_emplace(key, kernels_.size());
    if (!is_new) return known->second;
    Built built;
    Result<Emitted> emitted = emit(entry, "k" + std::to_string(kernels_.size()));
    if (emitted) {
      built.emitted = std::move(*emitted);
    } else {
      built.trouble = render(emitted.error());
    }
    kernels_.push_back(std::move(built));
    return known->second;
  }

  void build() {
    std::map<std::string, std::vector<std::size_t>> by_flags;
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      if (kernels_[i].emitted) by_flags[kernels_[i].emitted->flags].push_back(i);
    }
    for (const auto& [flags, members] : by_flags) {
      for (std::size_t at = 0; at < members.size(); at += kKernelsPerUnit) {
        const auto first = members.begin() + static_cast<std::ptrdiff_t>(at);
        const std::size_t count = std::min(kKernelsPerUnit, members.size() - at);
        units_.emplace_back(first, first + static_cast<std::ptrdiff_t>(count));
      }
    }
    in_parallel(units_.size(), [&](std::size_t i) { build_unit(units_[i]); });
  }

  const Built& at(std::size_t place) const { return kernels_[place]; }

 private:
  void build_unit(const std::vector<std::size_t>& members) {
    HostUnit unit{source::harness_head(), kernels_[members[0]].emitted->flags, setting_};
    for (const std::size_t i : members) unit.text += kernels_[i].emitted->text;
    Result<HostProgram> program = HostProgram::build(unit);
    const auto shared =
        program ? std::make_shared<const HostProgram>(std::move(*program)) : nullptr;
    for (const std::size_t i : members) {
      kernels_[i].program = shared;
      if (!program) kernels_[i].trouble = render(program.error());
    }
  }

  HostSetting setting_;
  std::map<std::string, std::size_t> places_;
  std::vector<Built> kernels_;
  std::vector<std::vector<std::size_t>> units_;
};

EmulatedRun run_one(const EmulatedCase& entry, const Built& built) {
  EmulatedRun out{built.trouble, "", entry.load.memory};
  if (!built.program) return out;
  const OperandStore operands = operands_of(entry.load);
  const Result<RunRecord> record = built.program->run(call_on(operands, built.emitted->plan));
  out.reports = record ? record->reports : render(record.error());
  out.image = image_of(entry.load, operands);
  return out;
}

}  // namespace

std::vector<EmulatedRun> run_emulated(const std::vector<EmulatedCase>& cases,
                                      const HostSetting& setting) {
  Builder builder(setting);
  std::vector<std::size_t> places;
  for (const EmulatedCase& entry : cases) places.push_back(builder.add(entry));
  builder.build();
  std::vector<EmulatedRun> out(cases.size());
  in_parallel(cases.size(),
              [&](std::size_t i) { out[i] = run_one(cases[i], builder.at(places[i])); });
  return out;
}

}  // namespace pto::jit::tests
