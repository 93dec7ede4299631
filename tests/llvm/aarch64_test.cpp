// Kernels for another machine: objects for aarch64, linked into one program by the cross compiler,
// run once under an emulator, and compared with the interpreter here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/llvm/llvm_backend.h"
#include "targets/planner.h"
#include "tests/llvm/cross/exchange.h"
#include "tests/style/tree.h"
#include "tests/support/cells.h"
#include "tests/support/grid.h"
#include "tests/support/paths.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;
using style::quoted;

constexpr std::uint32_t kSeed = 20260909;
constexpr const char* kCompiler = "aarch64-linux-gnu-g++";
constexpr const char* kEmulator = "qemu-aarch64";

bool is_installed(const std::string& program) {
  return style::run("command -v " + program).exit_code == 0;
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("ptojit_aarch64_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(file(name), std::ios::binary) << text;
  }

 private:
  fs::path path_;
};

Call call_of(const Workload& load, std::int64_t kernel) {
  const Frame frame = frame_of(load.bound);
  Call call{.kernel = kernel, .extents = frame.extents, .operands = {}, .ranks = load.memory.ranks};
  const std::array<std::pair<Role, const Bytes*>, 4> operands = {
      {{Role::Data, &load.memory.data},
       {Role::Index, &load.memory.index},
       {Role::Store, &load.memory.store},
       {Role::Table, &load.memory.table}}};
  for (const auto& [role, bytes] : operands) {
    Frame marked;
    std::byte mark{};
    if (has_memory(load.bound.op, role)) set_buffer(marked, load.bound.op, role, &mark);
    const std::int64_t field = marked.tile    ? offsetof(Frame, tile)
                               : marked.index ? offsetof(Frame, index)
                               : marked.table ? offsetof(Frame, table)
                                              : -1;
    const std::int64_t touched = field < 0 ? 0 : touched_bytes(load.bound, role, load.plan, frame);
    call.operands.push_back({field, Bytes(bytes->begin(), bytes->begin() + touched)});
  }
  call.scratch = scratch_bytes(load.plan, frame);
  return call;
}

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

void add(Program& program, const GridCase& entry) {
  const Result<LegalSpec> legal = verify(entry.spec);
  ASSERT_TRUE(legal);
  const KernelPlan plan = make_plan(*legal);
  const std::string name = "k" + std::to_string(program.count);
  const auto object = llvm_backend::emit_object(plan, name, {"aarch64-linux-gnu", "", ""});
  ASSERT_TRUE(object) << render(object.error());
  program.folder.write(name + ".o",
                       {reinterpret_cast<const char*>(object->data()), object->size()});
  program.folder.write(name + ".h", llvm_backend::emit_header(plan, name, "a kernel"));
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
  return style::run("cd " + quoted(program.folder.path()) + " && " + kCompiler +
                    " -std=c++20 -O1 -Wall -Wextra -Werror -static -I " + quoted(root) +
                    " -I . kernels.cpp " + quoted(root + "/tests/llvm/cross/runner.cpp") + " " +
                    quoted(root + "/tests/support/guarded.cpp") + " k*.o -o program");
}

Exchange run(const Program& program) {
  Exchange calls;
  for (std::size_t i = 0; i < program.loads.size(); ++i) {
    put(calls, call_of(program.loads[i], program.kernels[i]));
  }
  calls.save(program.folder.file("calls"));
  const style::Outcome outcome = style::run("cd " + quoted(program.folder.path()) + " && " +
                                            kEmulator + " ./program calls results");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  return outcome.exit_code == 0 ? Exchange::from_file(program.folder.file("results")) : Exchange();
}

TEST(LlvmAarch64, AgreesWithTheInterpreter) {
  for (const char* needed : {kCompiler, kEmulator}) {
    if (!is_installed(needed)) GTEST_SKIP() << needed << " is not installed";
  }
  Program program;
  for (const GridCase& entry : chosen_cases(runnable_grid(), 200)) add(program, entry);
  ASSERT_GE(program.count, 100);
  const style::Outcome built = build(program);
  ASSERT_EQ(built.exit_code, 0) << built.output;
  Exchange results = run(program);
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

}  // namespace
}  // namespace pto::jit::tests
