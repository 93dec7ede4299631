// Every instruction of many kernels replaced by NOPs, one at a time: what is left must be noticed.
// Shows that the checks of generated code see each instruction, or that it has no say in the
// result.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <numeric>

#include "ir/spec_text.h"
#include "tests/machine_code/decoded.h"
#include "tests/support/sample_size.h"
#include "tests/xbyak/mutant_cases.h"
#include "tests/xbyak/mutant_excuses.h"
#include "tests/xbyak/mutant_sample.h"
#include "tests/xbyak/sandbox.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260202;
constexpr SampleSize kKernels = {20, 130};  // with the strategy they would get
constexpr std::size_t kMostInstructions = 16384;
constexpr std::size_t kFewestOfTrait = 4;
constexpr std::size_t kFewCases = 16;  // one of so many for what is proven to do nothing
constexpr unsigned kChildSeconds = 120;
constexpr std::size_t kMostShown = 20;
#if defined(__SANITIZE_THREAD__)
constexpr bool kHasThreadSanitizer = true;
#else
constexpr bool kHasThreadSanitizer = false;
#endif

enum class Verdict : std::uint8_t {
  Untried,
  Differs,
  BreaksItsCaller,
  Faults,
  TimesOut,
  KillsTheChild,
  Survives
};
constexpr std::array<const char*, 7> kVerdicts = {
    "not tried", "differ", "break their caller", "fault", "time out", "kill the child", "survive"};

// One verdict per instruction, in memory that parent and child share.
class Verdicts {
 public:
  Verdicts() {
    void* memory = ::mmap(nullptr, kMostInstructions, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    all_ = static_cast<volatile Verdict*>(memory);
  }
  ~Verdicts() { ::munmap(const_cast<Verdict*>(all_), kMostInstructions); }
  Verdicts(const Verdicts&) = delete;
  Verdicts(Verdicts&&) = delete;
  Verdicts& operator=(const Verdicts&) = delete;
  Verdicts& operator=(Verdicts&&) = delete;

  volatile Verdict& operator[](std::size_t i) { return all_[i]; }
  void clear() { std::fill_n(all_, kMostInstructions, Verdict::Untried); }

 private:
  volatile Verdict* all_;
};

// A kernel, its instructions and what its mutants are run on.
struct Patient {
  Sample sample;
  std::vector<std::byte> code;
  xbyak::Stretches served;
  Decoded decoded;
  Dataflow flow;
  std::vector<Case> cases;
};

// Whether an instruction can be seen to do nothing.
bool is_proven(const Patient& patient, std::size_t at) {
  const bool is_nop = patient.decoded.instructions[at].info.mnemonic == ZYDIS_MNEMONIC_NOP;
  return is_nop || patient.flow.is_dead(at) || patient.flow.is_repeated(at);
}

Verdict judge(const Case& on, const Aftermath& aftermath) {
  if (aftermath.ending != on.aftermath.ending)
    return aftermath.ending == Ending::TimedOut ? Verdict::TimesOut : Verdict::Faults;
  if (!left_the_same_memory(on)) return Verdict::Differs;
  return aftermath == on.aftermath ? Verdict::Survives : Verdict::BreaksItsCaller;
}

// In the child: whether some case, of every `step`th, tells the loaded code from the original. The
// one that told the last mutant is tried first: neighbours mostly matter to the same.
class Examiner {
 public:
  Examiner(Sandbox& sandbox, const std::vector<Case>& cases) : sandbox_(sandbox), cases_(cases) {}

  Verdict examine(std::size_t step = 1) {
    for (std::size_t i = 0; i < cases_.size(); i += step) {
      const std::size_t at = (first_ + i) % cases_.size();
      const Verdict verdict = judge(cases_[at], run(sandbox_, cases_[at]));
      if (verdict == Verdict::Survives) continue;
      first_ = at;
      return verdict;
    }
    return Verdict::Survives;
  }

 private:
  Sandbox& sandbox_;
  const std::vector<Case>& cases_;
  std::size_t first_ = 0;
};

// In the child: what the original does is what is expected of its mutants.
bool learn(Sandbox& sandbox, Patient& patient) {
  constexpr std::array kReturn = {std::byte{0xc3}};
  sandbox.load(kReturn);
  const Aftermath untouched = run(sandbox, patient.cases[0]);
  sandbox.load(patient.code);
  for (Case& on : patient.cases) {
    remember(on, run(sandbox, on));
    const bool has_returned = on.aftermath.ending == Ending::Returned;
    if (has_returned && on.aftermath.registers != untouched.registers) return false;
  }
  return patient.cases[0].aftermath.ending == Ending::Returned &&
         Examiner(sandbox, patient.cases).examine() == Verdict::Survives;
}

std::vector<std::byte> without(const Patient& patient, const Instruction& instruction) {
  std::vector<std::byte> out = patient.code;
  std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(instruction.offset),
              instruction.info.length, std::byte{0x90});
  return out;
}

enum class ChildExit : std::uint8_t { Good, OriginalFails, OriginalChanged };

// In the child: every instruction from `first` on. The original at the end shows that no mutant has
// damaged what they are judged by.
ChildExit operate(Sandbox& sandbox, Patient& patient, Verdicts& verdicts, std::size_t first) {
  ::alarm(kChildSeconds);
  sandbox.arm();
  if (!learn(sandbox, patient)) return ChildExit::OriginalFails;
  Examiner examiner(sandbox, patient.cases);
  for (std::size_t i = first; i < patient.decoded.instructions.size(); ++i) {
    verdicts[i] = Verdict::KillsTheChild;
    sandbox.load(without(patient, patient.decoded.instructions[i]));
    verdicts[i] = examiner.examine(is_proven(patient, i) ? kFewCases : 1);
  }
  sandbox.load(patient.code);
  const bool is_sane = examiner.examine() == Verdict::Survives;
  return is_sane ? ChildExit::Good : ChildExit::OriginalChanged;
}

// A child that dies has met a mutant it could not contain; the next one goes on behind that.
void operate_in_children(Sandbox& sandbox, Patient& patient, Verdicts& verdicts) {
  std::size_t first = 0;
  verdicts.clear();
  while (first < patient.decoded.instructions.size()) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(static_cast<int>(operate(sandbox, patient, verdicts, first)));
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    while (first < patient.decoded.instructions.size() && verdicts[first] != Verdict::Untried)
      ++first;
    if (!WIFEXITED(status)) continue;
    ASSERT_EQ(WEXITSTATUS(status), 0)
        << print(patient.sample.strategy) << " " << print(patient.sample.entry.spec);
  }
}

// --- what came of it ----------------------------------------------------------------------------

struct Tally {
  std::size_t kernels = 0;
  std::size_t cases = 0;
  std::size_t unexplained = 0;
  std::array<std::size_t, kVerdicts.size()> verdicts{};
  std::map<std::string_view, std::size_t> excused;
  std::size_t proven = 0;  // survivors that can be seen to do nothing

  std::size_t mutants() const {
    return std::accumulate(verdicts.begin(), verdicts.end(), std::size_t{0});
  }
};

std::string context(const Decoded& decoded, std::size_t at) {
  std::string out;
  for (std::size_t i = at < 3 ? 0 : at - 3; i < std::min(at + 4, decoded.instructions.size()); ++i)
    out += (i == at ? "  >> " : "     ") + print(decoded.instructions[i]) + "\n";
  return out;
}

// Every survivor needs an excuse.
void count(const Patient& patient, Verdicts& verdicts, Tally& tally) {
  const std::vector<Instruction>& code = patient.decoded.instructions;
  const Dataflow& flow = patient.flow;
  ++tally.kernels;
  tally.cases += patient.cases.size();
  for (std::size_t i = 0; i < code.size(); ++i) {
    const Verdict verdict = verdicts[i];
    ++tally.verdicts[static_cast<std::size_t>(verdict)];
    EXPECT_TRUE(verdict == Verdict::Survives || !is_proven(patient, i))
        << context(patient.decoded, i);
    if (verdict != Verdict::Survives) continue;
    tally.proven += is_proven(patient, i) ? 1 : 0;
    const std::string_view reason = excuse_for({patient.sample, code, flow, patient.served, i});
    ++tally.excused[reason];
    if (!reason.empty() || tally.unexplained++ >= kMostShown) continue;
    ADD_FAILURE() << "nobody misses an instruction of '" << print(patient.sample.entry.spec)
                  << "', " << print(patient.sample.strategy) << ", seed " << kSeed << ":\n"
                  << context(patient.decoded, i);
  }
}

void report(const Tally& tally) {
  std::printf("%zu kernels, %zu mutants, %zu cases, seed %u\n", tally.kernels, tally.mutants(),
              tally.cases, kSeed);
  for (std::size_t i = 0; i < kVerdicts.size(); ++i)
    std::printf("%7zu %s\n", tally.verdicts[i], kVerdicts[i]);
  for (const auto& [reason, times] : tally.excused)
    std::printf("%7zu   %s\n", times, reason.empty() ? "unexplained" : reason.data());
}

void expect_every_trait(const std::vector<Sample>& samples) {
  for (const StrategyTrait& trait : strategy_traits()) {
    const std::size_t times = count_of(trait, samples);
    std::printf("%7zu kernels: %s\n", times, trait.name);
    EXPECT_TRUE(times >= kFewestOfTrait || !has_level(host_features(), trait.needs));
  }
}

TEST(Mutants, AreNoticedOrExcused) {
  if (kHasThreadSanitizer) GTEST_SKIP() << "the thread sanitizer holds signals back";
  Sandbox sandbox;
  Verdicts verdicts;
  Tally tally;
  const std::vector<Sample> samples = draw_samples(taken(kKernels, "kernels"), kSeed);
  for (const Sample& sample : samples) {
    xbyak::Notes notes;
    const std::vector<std::byte> code = assembled(sample.plan, sample.strategy, &notes);
    const Decoded decoded = decode(code);
    Patient patient{sample,
                    code,
                    notes.served,
                    decoded,
                    Dataflow(decoded.instructions),
                    make_cases(sandbox, sample, kSeed)};
    operate_in_children(sandbox, patient, verdicts);
    if (HasFatalFailure()) return;
    count(patient, verdicts, tally);
  }
  report(tally);
  expect_every_trait(samples);
  EXPECT_EQ(tally.unexplained, 0u);
  EXPECT_EQ(tally.verdicts[static_cast<std::size_t>(Verdict::Untried)], 0u);
  EXPECT_GT(tally.mutants(), 80 * tally.kernels);
  // Most instructions that are reached, and not proven to do nothing, matter; a list of excuses
  // that grows would hide those that should. A short sample has more of the rare kernels, with
  // several ways through them.
  const std::size_t part = takes_full_samples() ? 15 : 11;
  const std::size_t apart = tally.excused[kOutOfReach] + tally.proven;
  EXPECT_LT((tally.verdicts[static_cast<std::size_t>(Verdict::Survives)] - apart) * part,
            tally.mutants() - apart);
}

}  // namespace
}  // namespace pto::jit::tests
