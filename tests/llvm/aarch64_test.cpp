// Kernels for another machine: objects for aarch64 at each of its levels, linked into one program
// by the cross compiler, run once under an emulator, and compared with the interpreter here.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "targets/planner.h"
#include "tests/llvm/cross_program.h"
#include "tests/llvm/elf_symbols.h"
#include "tests/style/tree.h"
#include "tests/support/cells.h"
#include "tests/support/grid.h"
#include "tests/support/paths.h"
#include "tests/support/wide_rows.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

using style::quoted;

constexpr std::uint32_t kSeed = 20260909;
constexpr std::size_t kEvery = 2000;  // of the grid's cases, besides those that meet a new cell
Image take_image(Exchange& from, const Workload& load) {
  Image image = load.memory;
  image.ranks.clear();
  for (Bytes* bytes : {&image.data, &image.index, &image.store, &image.table}) {
    std::ranges::copy(from.take_bytes(), bytes->begin());
  }
  for (std::size_t i = 0; i < load.memory.ranks.size(); ++i) {
    image.ranks.push_back(from.take_bytes());
  }
  for (std::int64_t* number : {&image.report.out_of_bounds, &image.report.first_out_of_bounds,
                               &image.report.collisions, &image.report.first_collision}) {
    *number = from.take_number();
  }
  return image;
}

// The kernels of some specs as objects with their headers, and workloads for each.
struct Program {
  Folder folder;
  std::vector<Workload> loads;
  std::vector<std::int64_t> kernels;  // of each load
  std::string table;                  // source text
  std::string names;
  std::int64_t count = 0;
};

void add(Program& program, const GridCase& entry, const Host& host) {
  const Result<LegalSpec> legal = verify(entry.spec);
  ASSERT_TRUE(legal);
  const KernelPlan plan = make_plan(*legal);
  const std::string name = "k" + std::to_string(program.count);
  write_kernel(program.folder, name, plan, host);
  program.table += "#include \"" + name + ".h\"\n";
  program.names += name + ", ";
  std::vector<KernelSpec> bindings = bindings_for(*legal);
  bindings.push_back(entry.bound);
  for (const KernelSpec& bound : bindings) {
    const auto number = static_cast<std::uint32_t>(program.loads.size());
    for (const Pattern pattern : {kPatterns[number % kPatterns.size()], Pattern::Random}) {
      std::optional<Workload> load = make_workload(*legal, bound, pattern, kSeed + number);
      if (!load) continue;
      program.loads.push_back(std::move(*load));
      program.kernels.push_back(program.count);
    }
  }
  ++program.count;
}

style::Outcome build(const Program& program) {
  const std::string root = source_root();
  program.folder.write("kernels.cpp",
                       program.table + "using Kernel = void (*)(const ptojit_frame*);\n" +
                           "extern const Kernel kKernels[];\nconst Kernel kKernels[] = {" +
                           program.names + "};\n");
  return style::run("cd " + quoted(program.folder.path()) + " && " + kCrossCompiler +
                    " -std=c++20 -O1 -Wall -Wextra -Werror -static -I " + quoted(root) +
                    " -I . kernels.cpp " + quoted(root + "/tests/llvm/cross/runner.cpp") + " " +
                    quoted(root + "/tests/support/guarded.cpp") + " k*.o -o program");
}

Exchange run(const Program& program, const Host& host) {
  Exchange calls;
  for (std::size_t i = 0; i < program.loads.size(); ++i) {
    put(calls, call_of(program.loads[i], program.kernels[i]));
  }
  calls.save(program.folder.file("calls"));
  const style::Outcome outcome =
      style::run("cd " + quoted(program.folder.path()) + " && " + kEmulator + " -cpu " + host.cpu +
                 " ./program calls results");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  return outcome.exit_code == 0 ? Exchange::from_file(program.folder.file("results")) : Exchange();
}

class LlvmAarch64 : public ::testing::TestWithParam<Host> {};

INSTANTIATE_TEST_SUITE_P(Hosts, LlvmAarch64, ::testing::ValuesIn(kHosts),
                         [](const auto& host) { return std::string(host.param.name); });

TEST_P(LlvmAarch64, AgreesWithTheInterpreter) {
  if (host_features().neon) GTEST_SKIP() << "this host runs such kernels itself";
  for (const char* needed : {kCrossCompiler, kEmulator}) {
    if (!is_installed(needed)) GTEST_SKIP() << needed << " is not installed";
  }
  Program program;
  for (const GridCase& entry : chosen_cases(runnable_grid(), kEvery))
    add(program, entry, GetParam());
  for (const WideRows& rows : kWideRows) {
    KernelSpec bound = *parse(rows.text);
    bound.table.shape[4] = bound.data.vc = bound.data.cols;
    add(program, {*parse(rows.text), bound}, GetParam());
  }
  ASSERT_GE(program.count, 100);
  const style::Outcome built = build(program);
  ASSERT_EQ(built.exit_code, 0) << built.output;
  Exchange results = run(program, GetParam());
  ASSERT_FALSE(results.is_at_end());
  std::size_t changed = 0;  // calls after which memory is not what it was
  for (const Workload& load : program.loads) {
    const Image expected =
        run_guarded(load, Guard::Behind, [&](const Frame& frame) { interpret(load.plan, frame); });
    if (!difference(load, expected, load.memory).empty()) ++changed;
    for (int guard = 0; guard < 2; ++guard) {
      EXPECT_EQ(difference(load, expected, take_image(results, load)), "");
    }
  }
  EXPECT_TRUE(results.is_at_end());
  EXPECT_GT(changed, program.loads.size() / 2);
  std::printf("%lld kernels, %zu runs, seed %u\n", static_cast<long long>(program.count),
              2 * program.loads.size(), kSeed);
}

// The instructions of all those kernels that `reader` does not know.
std::size_t unknown_to(const llvm_backend::MachineTarget& reader, const Host& host) {
  std::size_t out = 0;
  for (const GridCase& entry : chosen_cases(runnable_grid(), kEvery)) {
    const auto object =
        llvm_backend::emit_object(make_plan(*verify(entry.spec)), "kernel", machine_of(host));
    EXPECT_TRUE(object);
    const auto decoded = llvm_backend::decode(instructions_of(*object), reader);
    EXPECT_TRUE(decoded && !decoded->empty());
    for (const llvm_backend::DecodedInstruction& instruction : *decoded) {
      if (!instruction.is_known && out++ < 3) std::printf("%s\n", instruction.text.c_str());
    }
  }
  return out;
}

TEST_P(LlvmAarch64, KeepsToTheInstructionsOfItsLevel) {
  EXPECT_EQ(unknown_to(machine_of(GetParam()), GetParam()), 0u);
}

// So the test above can fail, and vectors of SVE are made use of.
TEST(LlvmAarch64Levels, WideVectorsTakeInstructionsThatNeonHasNot) {
  EXPECT_GT(unknown_to(machine_of(kHosts[0]), kHosts[3]), 100u);
}

}  // namespace
}  // namespace pto::jit::tests
