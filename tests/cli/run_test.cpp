// ptojit run does what the model does: one case of each operation and more, raw and .npy.
#include <gtest/gtest.h>

#include <optional>

#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "jit/doors/cli/bind_text.h"
#include "jit/files/input_file.h"
#include "jit/files/operand_files.h"
#include "targets/binding.h"
#include "tests/cli/tool_fixture.h"
#include "tests/support/npy.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 5;

struct Case {
  std::string spec;
  std::string bind;
  Pattern pattern = Pattern::Random;
};

const Case kCases[] = {
    {"a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]", "", Pattern::Extreme},
    {"a5:mscatter.elem.atomic_max src=i32[8x8]:cm idx=u32[8x8] table=i32[50]", ""},
    {"a2a3:mscatter.elem.skip.atomic_add src=bf16[8x32|3x17] idx=i32[8x32|3x17] table=bf16[?x?]",
     "table.d3=4,table.d4=9", Pattern::OneBeyond},
    {"a2a3:mscatter.row src=f32[16x32|9x32] idx=i32[1x16|1x9] table=f32[64x32@40x1]", ""},
    {"a2a3:mscatter.elem.wrap src=f16[32x64|20x?]:nz idx=i32[32x64|20x?] "
     "table=f16[1x4x2x16x16]:nz",
     "src.vc=37", Pattern::Extreme},
    {"a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[1x4x2x16x16]:nz", "",
     Pattern::OneBeyond},
    {"a5:mgather.elem.zero dst=u8[4x32|?x?] idx=i32[4x32|?x?] table=u8[?x?]",
     "dst.vr=3,dst.vc=31,table.d3=0,table.d4=7"},
    {"a5:mgather.row dst=f8e4m3[32x5]:cm idx=i32[32x1]:cm table=f8e4m3[11x5]", ""},
    {"cpu:mgather.elem dst=i16[4x16] idx=u32[4x16] table=i16[7x5]", ""},
    {"a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]", ""},
    {"cpu:tscatter src=u8[3x32] idx=u16[3x32] dst=u8[5x32]", ""},
    {"a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]", "", Pattern::Sequential},
    {"cpu:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]", "", Pattern::Extreme},
    {"a2a3:tgatherb.block src=f16[4x64] offset=u32[4x8|4x3] dst=f16[4x48]", ""},
    {"a5:comm.tscatter.pingpong src=f32[2x70x32] dst=f32[2x16x32@700x40x1] stage=f32[8x32|?x?] "
     "ranks=4 root=1",
     "", Pattern::Sequential},
};

std::vector<MemoryOperand> operands_written(const KernelSpec& spec) {
  std::vector<MemoryOperand> out = memory_operands(spec);
  std::erase_if(
      out, [&](const MemoryOperand& operand) { return operand.role != written_role(spec.op); });
  return out;
}

std::optional<Workload> workload_of(const Case& entry) {
  const Result<KernelSpec> spec = parse(entry.spec);
  if (!spec) return std::nullopt;
  const Result<LegalSpec> legal = verify(*spec);
  const auto bindings = cli::parse_bindings(*spec, entry.bind);
  if (!legal || !bindings) return std::nullopt;
  const Result<BoundSpec> bound = jit::bind(*legal, *bindings);
  if (!bound) return std::nullopt;
  return make_workload(*legal, bound->spec(), entry.pattern, kSeed);
}

class Run : public ToolTest {
 protected:
  struct Manner {
    std::string ending = ".bin";
    std::string backend = "interpreter";
    bool reads_what_is_written = true;  // else it starts as zeros
  };

  std::string operand_argument(const Workload& load, const MemoryOperand& operand,
                               const std::string& ending) const {
    const std::string name = name_of(load.bound, operand);
    const Bytes& bytes = load.memory.of(operand);
    const DType dtype = dtype_of(load.bound, operand.role);
    const std::int64_t count = static_cast<std::int64_t>(bytes.size()) / size_of(dtype);
    const std::string file = path(name + ending);
    put(name + ending, cli::is_npy(file) ? write_npy(bytes, dtype, std::array{count}) : bytes);
    return name + "=" + file;
  }

  // Every operand in a file, every written one out to another; what the tool leaves, as an image.
  Image run_by_tool(const Workload& load, const Case& entry, const Manner& manner) const {
    const std::string& ending = manner.ending;
    std::vector<std::string> arguments = {"run", entry.spec, "--backend", manner.backend};
    std::vector<MemoryOperand> inputs = cli::operands_read(load.bound);
    const std::vector<MemoryOperand> outputs = operands_written(load.bound);
    if (manner.reads_what_is_written) inputs.insert(inputs.end(), outputs.begin(), outputs.end());
    for (const MemoryOperand& operand : inputs) {
      arguments.insert(arguments.end(), {"--in", operand_argument(load, operand, ending)});
    }
    for (const MemoryOperand& operand : outputs) {
      const std::string name = name_of(load.bound, operand);
      arguments.insert(arguments.end(), {"--out", name + "=" + path(name + ".out" + ending)});
    }
    if (!entry.bind.empty()) arguments.insert(arguments.end(), {"--bind", entry.bind});
    const ToolRun done = tool(arguments);
    EXPECT_EQ(done.exit, 0) << entry.spec << "\n" << done.err;
    EXPECT_EQ(done.out + done.err, "");
    return with_outputs(load, ending);
  }

  Image with_outputs(const Workload& load, const std::string& ending) const {
    Image image = load.memory;
    for (const MemoryOperand& operand : operands_written(load.bound)) {
      Bytes file = get(name_of(load.bound, operand) + ".out" + ending);
      Bytes& bytes = image.of(operand);
      EXPECT_GE(file.size(), bytes.size());
      const std::size_t header = file.size() - bytes.size();
      bytes.assign(file.begin() + static_cast<std::ptrdiff_t>(header), file.end());
    }
    return image;
  }
};

TEST_F(Run, DoesWhatTheModelDoes) {
  for (const Case& entry : kCases) {
    const std::optional<Workload> load = workload_of(entry);
    ASSERT_TRUE(load) << entry.spec;
    const Image expected = run_model(*load);
    for (const Manner& manner : {Manner{}, Manner{.ending = ".npy"}, Manner{.backend = "auto"}}) {
      const Image actual = run_by_tool(*load, entry, manner);
      EXPECT_EQ(difference(*load, expected, actual), "") << manner.ending << " " << manner.backend;
    }
  }
}

TEST_F(Run, StartsFromZerosWhenTheWrittenOperandHasNoFile) {
  for (const Case& entry : kCases) {
    std::optional<Workload> load = workload_of(entry);
    ASSERT_TRUE(load) << entry.spec;
    for (const MemoryOperand& operand : operands_written(load->bound)) {
      Bytes& bytes = load->memory.of(operand);
      bytes.assign(bytes.size(), std::byte{0});
    }
    const Image expected = run_model(*load);
    const Image actual = run_by_tool(*load, entry, {.reads_what_is_written = false});
    EXPECT_EQ(difference(*load, expected, actual), "") << entry.spec;
  }
}

TEST_F(Run, LeavesOutRanksNobodyAsksFor) {
  const std::string spec =
      "a5:comm.tscatter src=u8[64x32] dst=u8[16x32] stage=u8[16x32] ranks=4 root=0";
  const Bytes source = numbered(64 * 32, 1);
  const ToolRun done = tool({"run", spec, "--in", "src=" + put("src", source), "--out",
                             "dst.2=" + path("two"), "--out", "dst.0=" + path("zero")});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(get("zero"), Bytes(source.begin(), source.begin() + 16 * 32));
  EXPECT_EQ(get("two"), Bytes(source.begin() + 32 * 32, source.begin() + 48 * 32));
  EXPECT_EQ(names(), (std::set<std::string>{"src", "two", "zero"}));
}

TEST_F(Run, CarriesTheSurplusOfATable) {
  const std::string spec = "a5:mscatter.row src=u8[1x32] idx=i32[1x8|1x1] table=u8[2x32]";
  const Bytes table = numbered(64 + 7, 1);
  const ToolRun done = tool({"run", spec, "--in", "src=" + put("src", Bytes(32, std::byte{9})),
                             "--in", "idx=" + put("idx", indices({1, 0, 0, 0, 0, 0, 0, 0})), "--in",
                             "table=" + put("table", table), "--out", "table=" + path("table")});
  EXPECT_EQ(done.exit, 0) << done.err;
  Bytes expected = table;
  std::fill_n(expected.begin() + 32, 32, std::byte{9});
  EXPECT_EQ(get("table"), expected);
}

// The gap behind the last row of a padded table is no part of it; what the file has there stays.
TEST_F(Run, NeedsNothingBehindTheLastElement) {
  const std::string spec = "a2a3:mgather.row dst=u8[2x32] idx=i32[1x8|1x2] table=u8[3x32@40x1]";
  const Bytes table = numbered(2 * 40 + 32, 1);
  const auto run = [&](const Bytes& file) {
    return tool({"run", spec, "--in", "table=" + put("table", file), "--in",
                 "idx=" + put("idx", indices({2, 0, 9, 9, 9, 9, 9, 9})), "--out",
                 "dst=" + path("dst")});
  };
  EXPECT_EQ(run(table).exit, 0);
  Bytes expected(table.begin() + 80, table.end());
  expected.insert(expected.end(), table.begin(), table.begin() + 32);
  EXPECT_EQ(get("dst"), expected);
  EXPECT_TRUE(run(Bytes(table.begin(), table.end() - 1)).fails(2, {"111 bytes", "at least 112"}));
}

std::string header_of(const Bytes& file) {
  const std::string text(reinterpret_cast<const char*>(file.data()), file.size());
  return text.substr(10, text.find('\n') - 10);
}

TEST_F(Run, WritesTheShapeOfTheStorage) {
  struct Shaped {
    std::string spec;
    std::size_t table;
    std::string shape;
  };
  const Shaped cases[] = {
      {"a5:mgather.elem dst=u8[32x64]:cm idx=i32[32x64] table=u8[9]", 9, "(32, 64)"},
      {"a2a3:mgather.elem dst=u8[16x64]:nz idx=i32[16x64] table=u8[1x1x1x16x32]:nz", 512,
       "(16, 64)"},
      {"a2a3:mgather.elem dst=u8[1x32] idx=i32[1x32] table=u8[9]", 9, "(1, 32)"},
  };
  for (const Shaped& entry : cases) {
    const std::size_t count = entry.shape == "(1, 32)" ? 32 : 16 * 64 * (entry.table == 9 ? 2 : 1);
    const ToolRun done =
        tool({"run", entry.spec, "--in", "table=" + put("table", Bytes(entry.table)), "--in",
              "idx=" + put("idx", Bytes(4 * count)), "--out", "dst=" + path("dst.npy")});
    ASSERT_EQ(done.exit, 0) << done.err;
    EXPECT_NE(header_of(get("dst.npy")).find("'shape': " + entry.shape), std::string::npos)
        << header_of(get("dst.npy"));
  }
}

TEST_F(Run, WritesALongerTableFlat) {
  const std::string spec = "a5:mscatter.elem src=u8[1x32] idx=i32[1x32] table=u8[3x5]";
  for (const auto& [size, shape] : {std::pair{15, "(3, 5)"}, std::pair{16, "(16,)"}}) {
    const ToolRun done = tool({"run", spec, "--in", "src=" + put("src", Bytes(32)), "--in",
                               "idx=" + put("idx", Bytes(128)), "--in",
                               "table=" + put("table", Bytes(static_cast<std::size_t>(size))),
                               "--out", "table=" + path("out.npy")});
    ASSERT_EQ(done.exit, 0) << done.err;
    EXPECT_NE(header_of(get("out.npy")).find(shape), std::string::npos);
  }
}

TEST_F(Run, ReportsWhatAnAuditedKernelFinds) {
  const std::string spec = "a5:mscatter.row.audit src=u8[8x32] idx=i32[1x8] table=u8[4x32]";
  const ToolRun done = tool({"run", spec, "--in", "src=" + put("src", Bytes(256)), "--in",
                             "idx=" + put("idx", indices({0, 1, 1, 4, 2, 3, 0, 7})), "--out",
                             "table=" + path("table")});
  EXPECT_EQ(done.exit, 0);
  EXPECT_NE(done.err.find("2 out of bounds, the first at row 0, column 3 (position 3)"),
            std::string::npos)
      << done.err;
  EXPECT_NE(done.err.find("2 collisions, the first at row 0, column 2 (position 2)"),
            std::string::npos)
      << done.err;
}

TEST_F(Run, SpeaksJson) {
  const std::string spec = "a5:tscatter.p1111 src=u8[1x32] dst=u8[1x32]";
  const ToolRun done = tool({"run", spec, "--json", "--in", "src=" + put("src", Bytes(32)), "--out",
                             "dst=" + path("dst")});
  EXPECT_EQ(done.exit, 0);
  EXPECT_NE(done.out.find("\"verdict\": \"done\""), std::string::npos);
  const ToolRun failed = tool({"run", spec, "--json", "--out", "dst=" + path("dst")});
  EXPECT_EQ(failed.exit, 2);
  EXPECT_NE(failed.out.find("\"id\": \"option.missing\""), std::string::npos) << failed.out;
}

TEST_F(Run, VerifiesTheSpecOnceAndItsValuesOnce) {
  const std::string src = "src=" + put("src.bin", Bytes(1024));
  const std::string idx = "idx=" + put("idx.bin", Bytes(32));
  const std::string out = "table=" + path("out.bin");
  const auto passes_of = [&](const std::string& spec, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", spec, "--in", src, "--in", idx, "--out", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    clear_cache();
    const std::uint64_t before = rule_passes();
    EXPECT_EQ(tool(arguments).exit, 0) << spec;
    return rule_passes() - before;
  };
  EXPECT_EQ(passes_of("a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]", {}), 1u);
  EXPECT_EQ(passes_of("a5:mscatter.row src=f32[8x32|?x32] idx=i32[1x8|1x?] table=f32[64x32]",
                      {"--bind", "src.vr=3"}),
            2u);
}

}  // namespace
}  // namespace pto::jit::tests
