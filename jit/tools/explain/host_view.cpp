// What the host makes of a kernel.
#include <algorithm>

#include "jit/backends/watching/code_lines.h"
#include "jit/backends/watching/written_code.h"
#include "jit/compile/compile.h"
#include "jit/tools/bench/memory_level.h"
#include "jit/tools/explain/verb_words.h"
#include "jit/tools/explain/views.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

std::string bound_by(std::int64_t bytes) {
  const HostFeatures& host = host_features();
  const auto fits = [&](std::size_t level) { return static_cast<std::size_t>(bytes) <= level; };
  if (fits(host.l1d)) return "the instructions for each index: everything stays in the first cache";
  if (fits(host.l3)) return "the cache the operands come from";
  return "memory: the operands exceed the caches";
}

VerbView& verb_named(const std::string& name, std::vector<VerbView>& verbs) {
  const auto known = std::ranges::find(verbs, name, &VerbView::name);
  if (known != verbs.end()) return *known;
  VerbWords words = words_of_verb(name);
  return verbs.emplace_back(
      VerbView{.name = name, .lines = std::move(words.lines), .does = std::move(words.does)});
}

void add_code(const WrittenCode& written, HostView& out) {
  for (CodeLine& line : code_lines(written.bytes)) {
    InstructionView made{.offset = line.offset, .text = std::move(line.text)};
    for (const std::string_view verb : verbs_at(written.writings, line.offset))
      made.verbs.emplace_back(verb);
    VerbView& verb = verb_named(made.verbs.back(), out.verbs);
    ++verb.instructions;
    verb.bytes += static_cast<std::int64_t>(line.bytes);
    out.code.push_back(std::move(made));
  }
}

}  // namespace

Result<HostView> host_view(const BoundSpec& bound, const OperandStore& memory) {
  const Result<std::string> strategy = describe_strategy(bound.plan());
  if (!strategy) return strategy.error();
  HostView out{.strategy = *strategy};
  for (const OperandStore::Held& held : memory.operands())
    out.bytes += static_cast<std::int64_t>(held.bytes().size());
  out.level = level_met(static_cast<double>(out.bytes), 0, host_features());
  out.bound_by = bound_by(out.bytes);
  if (const Result<WrittenCode> written = written_code(make_plan(bound.legal())); written) {
    add_code(*written, out);
  } else {
    out.absent = written.error().front().message;
  }
  return out;
}

}  // namespace pto::jit::cli
