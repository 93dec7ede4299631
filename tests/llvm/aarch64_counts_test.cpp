// Instructions that kernels for aarch64 execute for an element, beside those of what clang makes of
// the same spec in C++ for the same processor: at most 1.1 times as many, or a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <fstream>
#include <random>
#include <vector>

#include "ir/spec_text.h"
#include "targets/planner.h"
#include "tests/llvm/cross/counted_cells.h"
#include "tests/llvm/cross_program.h"
#include "tests/style/tree.h"
#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

using style::quoted;

constexpr const char* kClang = "clang++-19";
constexpr double kMost = 1.1;

// Processors, and how clang is told of them.
struct Processor {
  Host host;
  const char* march;
};

constexpr std::array kProcessors = {
    Processor{kHosts[0], "armv8-a"},
    Processor{kHosts[2], "armv8-a+sve -msve-vector-bits=128"},
    Processor{kHosts[3], "armv9-a -msve-vector-bits=256"},
};

// Instructions of the calls of one cell: its kernel's, and those of each form in C++.
struct Counts {
  std::size_t kernel = 0;
  std::vector<std::size_t> moves;

  double ratio() const {
    return static_cast<double>(kernel) / static_cast<double>(*std::ranges::min_element(moves));
  }
};

// Small numbers, whichever float they are.
std::string first_memory() {
  std::string out(2 * kCountedBytes, '\0');
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<char>(i % 2 == 1 ? 0x3c : i * 37 % 64);
  return out;
}

// All of them inside of what is kept of the table.
std::string indices_of(const KernelSpec& spec) {
  std::string out(kCountedIndexBytes, '\0');
  if (spec.op == Op::TScatterMask || spec.op == Op::CommTScatter) return out;
  const KernelPlan plan = make_plan(*verify(spec));
  const std::int64_t step = spec.op == Op::TGatherB ? plan.element_size : 1;
  const std::int64_t reached =
      bench::is_row(spec) ? std::int64_t{kCountedBytes} / plan.unit.run.factor : kCountedElements;
  const std::int64_t slots = plan.oob == Oob::Undefined && spec.op == Op::TGatherB
                                 ? reached
                                 : std::min(plan.capacity.factor, reached);
  std::minstd_rand random(1);
  const auto size = static_cast<std::size_t>(plan.index_size);
  for (std::size_t at = 0; at + size <= out.size(); at += size) {
    const auto index = static_cast<std::uint32_t>(random() % slots * step);
    for (std::size_t i = 0; i < size; ++i) out[at + i] = static_cast<char>(index >> (8 * i));
  }
  return out;
}

// Kernels, memory and indices of one processor, in a folder of their own.
struct Program {
  explicit Program(const Processor& made_for) : processor(made_for), folder(made_for.host.name) {}

  const Processor& processor;
  Folder folder;
};

void write(const Program& program) {
  std::string declared;
  std::string names;
  std::string indices;
  for (std::size_t i = 0; i < kCountedCells.count; ++i) {
    const KernelSpec& spec = kCountedCells.cells[i].spec;
    const std::string name = "k" + std::to_string(i);
    write_kernel(program.folder, name, make_plan(*verify(spec)), program.processor.host);
    declared += "extern \"C\" void " + name + "(const pto::jit::Frame*);\n";
    names += name + ", ";
    indices += indices_of(spec);
  }
  program.folder.write("kernels.cpp",
                       "namespace pto::jit { struct Frame; }\n" + declared +
                           "using Kernel = void (*)(const pto::jit::Frame*);\n"
                           "extern const Kernel kKernels[];\nconst Kernel kKernels[] = {" +
                           names + "};\n");
  program.folder.write("memory", first_memory());
  program.folder.write("indices", indices);
}

// Builds it and runs it, watched.
std::string command_of(const Program& program) {
  const std::string root = source_root();
  return "cd " + quoted(program.folder.path()) + " && " + kClang +
         " --target=aarch64-linux-gnu -std=c++20 -O3 -march=" + program.processor.march +
         " -static -I " + quoted(root) + " " + quoted(root + "/tests/llvm/cross/counted.cpp") +
         " kernels.cpp k*.o -o program && " + kEmulator +
         " -singlestep -d nochain,exec -D log -cpu " + program.processor.host.cpu + " ./program";
}

// All at once.
style::Outcome run(const std::deque<Program>& programs) {
  std::string started;
  std::string awaited = "true";
  for (const Program& program : programs) {
    started +=
        "( " + command_of(program) + " ) & p" + std::string(program.processor.host.name) + "=$!; ";
    awaited += " && wait $p" + std::string(program.processor.host.name);
  }
  return style::run(started + awaited);
}

// The emulator writes a line for each instruction, which ends with the function it is of.
std::vector<Counts> counts_in(const std::string& log) {
  std::vector<Counts> out;
  std::size_t* now = nullptr;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with("] mark_kernel")) {
      now = &out.emplace_back().kernel;
    } else if (line.ends_with("] mark_move")) {
      now = &out.back().moves.emplace_back();
    } else if (line.ends_with("] mark_end")) {
      now = nullptr;
    } else if (now) {
      ++*now;
    }
  }
  return out;
}

// Each form in C++ left what the kernel left.
void expect_same_memory(const Folder& folder, const std::vector<Counts>& counts) {
  std::ifstream file(folder.file("results"), std::ios::binary);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::string kernel(2 * kCountedBytes, '\0');
    std::string move = kernel;
    file.read(kernel.data(), static_cast<std::streamsize>(kernel.size()));
    for (std::size_t form = 0; form < counts[i].moves.size(); ++form) {
      file.read(move.data(), static_cast<std::streamsize>(move.size()));
      EXPECT_TRUE(file && move == kernel) << print(kCountedCells.cells[i].spec) << ", " << form;
    }
  }
}

double elements_of(const KernelSpec& spec) {
  const Table& slice = spec.peer;
  return spec.op == Op::CommTScatter ? 1.0 * spec.ranks * slice.shape[3] * slice.shape[4]
                                     : 1.0 * spec.data.vr * spec.data.vc;
}

// Why more may be executed: for cells of a family, on a processor or all, whose text has a word.
struct Reason {
  Family family;
  std::string_view processor;  // empty: all
  std::string_view word;
  std::string_view why;
};

constexpr std::array<Reason, 1> kReasons = {{
    {Family::Masks, "neon", "src=i8[4x128] dst=i8[4x256]",
     "a store of two vectors in turn counts as one instruction, and is done as the two zips and "
     "the store that stand here instead"},
}};

bool applies(const Reason& reason, const Cell& cell, const Processor& processor) {
  return reason.family == cell.family &&
         (reason.processor.empty() || reason.processor == processor.host.name) &&
         print(cell.spec).find(reason.word) != std::string::npos;
}

// For an element: the kernel's, those of C++, and how many times as many.
void print_table(const std::vector<std::vector<Counts>>& all) {
  std::printf("instructions for an element: ours, clang's, ratio, on");
  for (const Processor& processor : kProcessors) std::printf(" %s", processor.host.name);
  for (std::size_t i = 0; i < kCountedCells.count; ++i) {
    const Cell& cell = kCountedCells.cells[i];
    std::printf("\n%-12s", bench::kFamilyNames[static_cast<std::size_t>(cell.family)].data());
    for (const std::vector<Counts>& counts : all) {
      const double ours = static_cast<double>(counts[i].kernel) / elements_of(cell.spec);
      std::printf(" %6.2f %6.2f %5.2f |", ours, ours / counts[i].ratio(), counts[i].ratio());
    }
    std::printf(" %s", print(cell.spec).c_str());
  }
  std::printf("\n");
}

// Each reason is needed.
void expect_reasons(const std::vector<std::vector<Counts>>& all) {
  std::array<bool, kReasons.size()> is_needed{};
  for (std::size_t at = 0; at < kProcessors.size(); ++at) {
    for (std::size_t i = 0; i < kCountedCells.count; ++i) {
      const Cell& cell = kCountedCells.cells[i];
      if (all[at][i].ratio() <= kMost) continue;
      const auto* reason = std::ranges::find_if(
          kReasons, [&](const Reason& row) { return applies(row, cell, kProcessors[at]); });
      if (reason == kReasons.end()) {
        ADD_FAILURE() << all[at][i].ratio() << " times as many, and no reason: " << print(cell.spec)
                      << " on " << kProcessors[at].host.name;
      } else {
        is_needed[static_cast<std::size_t>(reason - kReasons.begin())] = true;
      }
    }
  }
  for (std::size_t i = 0; i < kReasons.size(); ++i)
    EXPECT_TRUE(is_needed[i]) << "nothing needs this reason any more: " << kReasons[i].why;
}

TEST(LlvmAarch64Counts, AreThoseOfStaticCodeOrHaveAReason) {
  for (const char* needed : {kClang, kCrossCompiler, kEmulator}) {
    if (!is_installed(needed)) GTEST_SKIP() << needed << " is not installed";
  }
  std::deque<Program> programs;
  for (const Processor& processor : kProcessors) write(programs.emplace_back(processor));
  const style::Outcome done = run(programs);
  ASSERT_EQ(done.exit_code, 0) << done.output;
  std::vector<std::vector<Counts>> all;
  for (const Program& program : programs) {
    all.push_back(counts_in(program.folder.file("log")));
    ASSERT_EQ(all.back().size(), kCountedCells.count);
    expect_same_memory(program.folder, all.back());
  }
  print_table(all);
  expect_reasons(all);
}

}  // namespace
}  // namespace pto::jit::tests
