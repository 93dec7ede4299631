// The C interface with what a caller may get wrong: specs as texts, names and numbers of every kind
// for every function, and calls with one change each on memory between inaccessible pages.
#include <charconv>
#include <map>
#include <thread>

#include "ir/quantity.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "targets/planner.h"
#include "tests/fuzz/c_door.h"
#include "tests/fuzz/changed_spec.h"
#include "tests/fuzz/fuzzers.h"
#include "tests/support/spoiled_text.h"

namespace pto::jit::tests {
namespace {

constexpr std::int64_t kMostBytes = 1 << 16;  // of all operands together

struct Met {
  std::uint64_t inputs = 0;
  std::uint64_t specs = 0;
  std::uint64_t calls = 0;
  std::uint64_t refused = 0;
  std::map<std::string_view, std::uint64_t> changes;
};
Met met;

// What every function owes whoever asks: diagnostics exactly with what needs some.
std::string complaint_about_answer(ptojit_status status, ptojit_diagnostics* why, bool has_notes) {
  const std::size_t count = ptojit_diagnostics_count(why);
  const std::string_view text = ptojit_diagnostics_text(why);
  const std::string_view json = ptojit_diagnostics_json(why);
  const bool is_told = count > 0 && !text.empty() && json.size() > 2 && json.front() == '[';
  ptojit_diagnostics_free(why);
  switch (status) {
    case PTOJIT_OK: return count == 0 || has_notes ? "" : "done, and yet there is a diagnostic";
    case PTOJIT_ILLEGAL:
    case PTOJIT_UNUSABLE: return is_told ? "" : "refused without a diagnostic";
    case PTOJIT_FAILED: break;
  }
  return "failed with status " + std::to_string(static_cast<int>(status));
}

// A function that gives a text: all of it or nothing.
template <class Ask>
std::string complaint_about_text_of(const char* what, Ask&& ask) {
  char untouched = 0;
  char* text = &untouched;
  ptojit_diagnostics* why = nullptr;
  const ptojit_status status = ask(&text, &why);
  std::string found = complaint_about_answer(status, why, false);
  const bool is_given = text != &untouched;
  if (found.empty() && is_given != (status == PTOJIT_OK)) found = "a text with a refusal, or none";
  if (is_given) ptojit_text_free(text);
  return found.empty() ? "" : std::string(what) + ": " + found;
}

std::string complaint_about_texts(const ptojit_spec* spec, Random& random) {
  const ptojit_spec* given = random.below(16) == 0 ? nullptr : spec;
  const int form = static_cast<int>(random.below(9)) - 2;
  std::string found = complaint_about_text_of("print", [&](char** text, ptojit_diagnostics** why) {
    return ptojit_print(given, text, why);
  });
  if (found.empty())
    found = complaint_about_text_of("plan", [&](char** text, ptojit_diagnostics** why) {
      return ptojit_plan(given, text, why);
    });
  if (found.empty())
    found = complaint_about_text_of("source", [&](char** text, ptojit_diagnostics** why) {
      return ptojit_source(given, static_cast<ptojit_form>(form), text, why);
    });
  ptojit_diagnostics* why = nullptr;
  const ptojit_status status = ptojit_check(given, &why);
  return found.empty() ? complaint_about_answer(status, why, true) : found;
}

std::string complaint_about_kernel_of(const ptojit_spec* spec, Random& random) {
  ptojit_kernel* kernel = nullptr;
  ptojit_diagnostics* why = nullptr;
  constexpr std::array<const char*, 5> kBackends = {nullptr, "auto", "xbyak", "interpreter", "x"};
  constexpr std::array<const char*, 5> kFeatures = {nullptr, "native", "avx2", "sve2", ""};
  const ptojit_options options = {kBackends[random.below(5)], kFeatures[random.below(5)]};
  const ptojit_status status = ptojit_compile(spec, &options, &kernel, &why);
  std::string found = complaint_about_answer(status, why, false);
  if (found.empty() && (kernel != nullptr) != (status == PTOJIT_OK)) found = "a kernel, or none";
  if (kernel && found.empty())
    found = complaint_about_text_of("asm", [&](char** text, ptojit_diagnostics** reasons) {
      return ptojit_asm(kernel, text, reasons);
    });
  ptojit_kernel_free(kernel);
  return found;
}

std::string complaint_about_names(const ptojit_spec* spec, std::string_view text, Random& random) {
  const std::string name(text.substr(random.below(text.size() + 1), random.below(12)));
  const int at = ptojit_extent(spec, name.c_str());
  return at >= -1 && at < static_cast<int>(kDims) ? "" : "an extent where there is none: " + name;
}

bool is_small(const KernelSpec& bound, const KernelPlan& plan) {
  if (plan.ranks > 16) return false;
  const Frame frame = frame_of(bound);
  std::int64_t bytes = 0;
  for (const Operand& operand : operands_of(bound.op))
    bytes = saturating_sum(bytes, storage_bytes(bound, operand.role, plan, frame));
  return bytes <= kMostBytes;
}

std::optional<Workload> any_workload(const LegalSpec& legal, Random& random) {
  const std::vector<KernelSpec> bindings = bindings_for(legal);
  if (bindings.empty()) return std::nullopt;
  const KernelSpec& bound = bindings[random.below(bindings.size())];
  if (!is_small(bound, make_plan(legal))) return std::nullopt;
  const auto seed = static_cast<std::uint32_t>(random.next());
  const std::optional<Workload> load =
      make_workload(legal, bound, kPatterns[random.below(kPatterns.size())], seed);
  return load ? load : make_workload(legal, bound, Pattern::Sequential, seed);
}

// What a call that was done leaves alone, whatever was changed.
bool keeps_what_is_read(const Workload& load, const Image& after) {
  for (const MemoryOperand& operand : memory_operands(load.bound)) {
    const bool is_written = operand.role == written_role(load.bound.op);
    if (!is_written && after.of(operand) != load.memory.of(operand)) return false;
  }
  return true;
}

std::string complaint_about_call(const Workload& load, const ptojit_spec* spec, Random& random) {
  const auto changes = DoorCall::changes();
  const DoorCall::Change& change = changes[random.below(changes.size())];
  ++met.calls, ++met.changes[change.name];
  Answer wanted = Answer::Either;
  ptojit_status status = PTOJIT_OK;
  std::string found;
  const Guard guard = random.below(2) == 0 ? Guard::Behind : Guard::Before;
  const Image after = run_guarded(load, guard, [&](const Frame& frame) {
    DoorCall call(load, frame);
    wanted = change.make(call, random);
    ptojit_diagnostics* why = nullptr;
    const bool asks = random.below(8) != 0;
    status = call.run(spec, asks ? &why : nullptr);
    if (asks) found = complaint_about_answer(status, why, false);
    call.restore();
  });
  const bool is_done = status == PTOJIT_OK;
  met.refused += !is_done;
  if (found.empty() && is_done && wanted == Answer::Refusal) found = "it was done";
  if (found.empty() && !is_done && wanted == Answer::Same) found = "it was refused";
  if (found.empty() && !is_done) found = difference(load, load.memory, after);
  if (found.empty() && is_done && wanted == Answer::Same)
    found = difference(load, run_model(load), after);
  if (found.empty() && !keeps_what_is_read(load, after)) found = "an operand that is read changed";
  return found.empty()
             ? ""
             : "changed " + std::string(change.name) + ": " + found + "\n  " + load.replay;
}

// One kernel used by two threads at a time, each on memory of its own.
std::string complaint_about_threads(const Workload& load, const ptojit_spec* spec) {
  ptojit_kernel* kernel = nullptr;
  if (ptojit_compile(spec, nullptr, &kernel, nullptr) != PTOJIT_OK) return "not compiled";
  std::array<std::string, 2> found;
  const auto work = [&](std::string& out) {
    const Image after = run_guarded(load, Guard::Behind, [&](const Frame& frame) {
      ptojit_run(kernel, reinterpret_cast<const ptojit_frame*>(&frame));
    });
    out = difference(load, run_model(load), after);
  };
  std::thread other([&] { work(found[1]); });
  work(found[0]);
  other.join();
  ptojit_kernel_free(kernel);
  return found[0].empty() ? found[1] : found[0];
}

std::string complaint_about_spec(const ptojit_spec* handle, std::string_view text, Random& random) {
  std::string found = complaint_about_texts(handle, random);
  if (found.empty()) found = complaint_about_kernel_of(handle, random);
  if (found.empty()) found = complaint_about_names(handle, text, random);
  const Result<LegalSpec> legal = verify(*parse(text));
  if (!found.empty() || !legal) return found;
  const std::optional<Workload> load = any_workload(*legal, random);
  if (!load) return "";
  for (int i = 0; i < 4 && found.empty(); ++i) found = complaint_about_call(*load, handle, random);
  if (found.empty() && random.below(32) == 0) found = complaint_about_threads(*load, handle);
  if (random.below(64) == 0) ptojit_cache_clear(nullptr);
  return found;
}

// A spec's text, and in a second line the number that picks everything else. A text ends at a null.
std::string finding(std::string_view input) {
  ++met.inputs;
  const std::string text(input.substr(0, std::min(input.find('\n'), input.find('\0'))));
  std::uint64_t number = 0;
  const std::size_t line = input.find('\n');
  if (line != std::string_view::npos)
    std::from_chars(input.data() + line + 1, input.data() + input.size(), number);
  Random random(number);
  ptojit_spec* spec = nullptr;
  ptojit_diagnostics* why = nullptr;
  const ptojit_status status =
      ptojit_parse(text.c_str(), random.below(64) == 0 ? nullptr : &spec, &why);
  std::string found = complaint_about_answer(status, why, false);
  if (!spec) return found;
  ++met.specs;
  if (found.empty()) found = complaint_about_spec(spec, text, random);
  ptojit_spec_free(spec);
  return found;
}

std::string mutated(std::string_view input, Random& random) {
  const std::string text(input.substr(0, input.find('\n')));
  const std::string number = "\n" + std::to_string(random.below(1000000));
  const std::size_t choice = random.below(8);
  if (choice == 0) return spoiled(text, random) + number;
  const Result<KernelSpec> spec = parse(text);
  if (spec && choice < 4) return text + number;
  return print(changed(spec && choice < 7 ? *spec : any_beginning(random), random)) + number;
}

Reached reached() {
  constexpr std::uint64_t kEnough = 5000;
  Reached out{std::to_string(met.inputs) + " inputs, " + std::to_string(met.specs) + " specs, " +
              std::to_string(met.calls) + " calls, " + std::to_string(met.refused) + " refused;"};
  for (const auto& [name, count] : met.changes)
    out.text += " " + std::string(name) + " " + std::to_string(count) + ",";
  out.text.back() = '\n';
  if (met.inputs < kEnough) return out;
  for (const DoorCall::Change& change : DoorCall::changes()) {
    if (!met.changes.contains(change.name))
      out.falls_short += " never changed: " + std::string(change.name);
  }
  return out;
}

}  // namespace

constinit const Fuzzer kCFuzzer = {"c", finding, mutated, reached};

}  // namespace pto::jit::tests
