#include "tests/support/lane_cases.h"

#include <gtest/gtest.h>

#include <array>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/doors/cli/bind_text.h"
#include "targets/binding.h"
#include "tests/support/sample_size.h"

namespace pto::jit::tests {
namespace {

constexpr int kMostShown = 10;
constexpr std::uint32_t kEveryPair = 8;  // in a short sample

struct LaneCase {
  std::string spec;
  std::vector<std::string> bindings = {""};
};

std::string text(std::size_t number) { return std::to_string(number); }

// Three groups of sixteen rows and some behind them, of each class of length, known or not.
void add_rows(std::vector<LaneCase>& out) {
  constexpr std::array kScatters = {".skip", ".clamp", ".wrap", ".skip.atomic_add",
                                    ".clamp.atomic_max"};
  const auto add = [&](const std::string& op, const char* data) {
    const std::string indices = " idx=i32[1x56|1x53] table=f32[";
    for (const std::size_t width : {8, 16, 24, 64, 128}) {
      const std::string tile = std::string(data) + "=f32[56x" + text(width) + "|53x";
      out.push_back({op + tile + text(width) + "]" + indices + "40x" + text(width) + "]"});
    }
    const std::string tile = std::string(data) + "=f32[56x128|53x?]";
    const auto width = [&](std::size_t columns) {
      return std::string(data) + ".vc=" + text(columns) + ",table.d3=32,table.d4=" + text(columns);
    };
    out.push_back({op + tile + indices + "?x?]", {width(5), width(16), width(64), width(128)}});
  };
  for (const char* policy : kScatters) add("a5:mscatter.row" + std::string(policy) + " ", "src");
  for (const char* policy : {".clamp", ".wrap", ".zero"})
    add("a5:mgather.row" + std::string(policy) + " ", "dst");
}

// Elements of each size, of tables of any size and of such as registers or 32 slots hold.
void add_elements(std::vector<LaneCase>& out) {
  const auto add = [&](const std::string& op, const std::string& dtype) {
    const std::string shape = dtype + "[1x64|1x53] idx=i32[1x56|1x53] table=" + dtype;
    for (const char* table : {"[100]", "[32]"}) out.push_back({op + shape + table});
    out.push_back({op + shape + "[?]", {"table.d4=100", "table.d4=7"}});
  };
  for (const char* dtype : {"f32", "f16", "u8"}) {
    for (const char* policy : {".skip", ".clamp", ".wrap"})
      add("a5:mscatter.elem" + std::string(policy) + " src=", dtype);
    for (const char* policy : {".clamp", ".wrap", ".zero"})
      add("a5:mgather.elem" + std::string(policy) + " dst=", dtype);
  }
  for (const char* dtype : {"f32", "f16", "bf16"})
    add("a5:mscatter.elem.skip.atomic_add src=", dtype);
}

// What lies apart, in digits, or is looked through first.
void add_others(std::vector<LaneCase>& out) {
  for (const char* policy : {".clamp", ".wrap", ".zero"}) {
    const std::string op = "mgather.elem" + std::string(policy);
    out.push_back({"a5:" + op + " dst=f32[53x8|53x1] idx=i32[53x8|53x1] table=f32[100]"});
    out.push_back({"a5:" + op + " dst=f32[32x8] idx=i32[32x8]:cm table=f32[100]"});
    out.push_back({"a2a3:" + op + " dst=f32[16x32]:nz idx=i32[16x32] table=f32[1x4x1x16x8]:nz"});
  }
  out.push_back(
      {"a2a3:mscatter.elem.skip src=f32[16x32]:nz idx=i32[16x32] "
       "table=f32[1x4x1x16x8]:nz"});
  for (const char* policy : {".skip", ".wrap", ""})
    out.push_back({"a5:mscatter.row" + std::string(policy) +
                   ".audit src=f32[56x64|53x64] idx=i32[1x56|1x53] table=f32[40x64]"});
}

std::vector<LaneCase> lane_cases() {
  std::vector<LaneCase> out;
  add_rows(out);
  add_elements(out);
  add_others(out);
  return out;
}

// Single lanes with and without groups in range before them, pairs with: all, or some of them that
// differ from case to case.
std::vector<std::uint32_t> seeds_of(std::size_t number) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t way = 0; way < kLaneWays; ++way) {
    const bool is_single = way < kSingleLaneWays;
    if (is_single) out.push_back(way);
    if (is_single || takes_full_samples() || (way / 2 + number) % kEveryPair == 0)
      out.push_back(kLaneWays + way);
  }
  return out;
}

class Comparison {
 public:
  void compare(const LegalSpec& legal, const KernelSpec& bound,
               const std::vector<NamedKernel>& kernels) {
    for (const std::uint32_t seed : seeds_of(cases_++)) {
      const std::optional<Workload> load = make_workload(legal, bound, Pattern::Lanes, seed);
      ASSERT_TRUE(load) << print(bound);
      compare(*load, kernels);
    }
  }

  std::size_t report() const {
    std::printf("%zu cases, %zu runs\n", cases_, runs_);
    return runs_;
  }

 private:
  void compare(const Workload& load, const std::vector<NamedKernel>& kernels) {
    const Image expected =
        run_guarded(load, Guard::Behind, [&](const Frame& frame) { interpret(load.plan, frame); });
    for (const auto& [name, kernel] : kernels) {
      const Guard guard = ++runs_ % 2 == 0 ? Guard::Behind : Guard::Before;
      const std::string found = difference(load, expected, run_guarded(load, guard, kernel));
      if (!found.empty() && failures_++ < kMostShown)
        ADD_FAILURE() << name << ": " << found << "\n" << print(load.plan);
    }
  }

  std::size_t cases_ = 0;
  std::size_t runs_ = 0;
  int failures_ = 0;
};

}  // namespace

std::size_t run_lane_cases(
    const std::function<std::vector<NamedKernel>(const LegalSpec& legal)>& make) {
  Comparison comparison;
  for (const LaneCase& entry : lane_cases()) {
    const Result<KernelSpec> spec = parse(entry.spec);
    EXPECT_TRUE(spec) << entry.spec;
    const Result<LegalSpec> legal = verify(*spec);
    EXPECT_TRUE(legal) << entry.spec << "\n" << render(legal.error());
    const std::vector<NamedKernel> kernels = make(*legal);
    for (const std::string& values : entry.bindings) {
      const Result<BoundSpec> bound = jit::bind(*legal, *cli::parse_bindings(*spec, values));
      EXPECT_TRUE(bound) << entry.spec << " " << values;
      comparison.compare(*legal, bound->spec(), kernels);
    }
  }
  return comparison.report();
}

}  // namespace pto::jit::tests
