// The C interface: everything it offers, every way to misuse it, and its frame held against the
// list of fields. Programs in plain C are in docs/examples/programs.
#include "jit/doors/c/c.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ir/spec_text.h"
#include "jit/backends/backend.h"
#include "jit/compile/host_object.h"
#include "jit/text/emit_source.h"
#include "targets/planner.h"
#include "tests/support/golden.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

constexpr const char* kScatter =
    "a5:mscatter.row.skip src=f32[8x8|?x8] idx=i32[1x8|1x?] table=f32[?x8]";
constexpr const char* kIllegal =
    "a2a3:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] table=f32[64x32]";

using SpecHandle = std::unique_ptr<ptojit_spec, void (*)(ptojit_spec*)>;
using Text = std::unique_ptr<char, void (*)(char*)>;

SpecHandle spec_of(const char* text) {
  ptojit_spec* spec = nullptr;
  EXPECT_EQ(ptojit_parse(text, &spec, nullptr), PTOJIT_OK) << text;
  return {spec, ptojit_spec_free};
}

// What went wrong, and the diagnostics freed.
struct Complaint {
  ptojit_status status;
  std::string text;
  std::string id;  // of the first
};

template <class Call>
Complaint complaint(Call&& call) {
  ptojit_diagnostics* why = nullptr;
  Complaint out{call(&why), ptojit_diagnostics_text(why), ""};
  const nlohmann::json list = nlohmann::json::parse(ptojit_diagnostics_json(why));
  EXPECT_EQ(list.size(), ptojit_diagnostics_count(why));
  if (!list.empty()) out.id = list[0]["id"];
  ptojit_diagnostics_free(why);
  return out;
}

template <class Call>
std::string text_of(Call&& call) {
  char* text = nullptr;
  const Complaint outcome = complaint([&](ptojit_diagnostics** why) { return call(&text, why); });
  const Text owned(text, ptojit_text_free);
  EXPECT_EQ(outcome.status, PTOJIT_OK) << outcome.text;
  return text ? text : "";
}

// Memory for kScatter, and its description.
struct Operands {
  std::vector<float> src = std::vector<float>(64, 1.0f);
  std::vector<std::int32_t> idx = {3, 0, 100, 0, 0, 0, 0, 0};
  std::vector<float> table = std::vector<float>(80);
  std::array<std::int64_t, 2> extents = {10, 8};
  std::array<ptojit_buffer, 3> buffers = {
      {{"src", src.data(), 64 * 4, "f32", nullptr, nullptr, 0},
       {"idx", idx.data(), 8 * 4, "i32", nullptr, nullptr, 0},
       {"table", table.data(), 80 * 4, "f32", extents.data(), nullptr, 2}}};
  ptojit_binding rows = {"src.vr", 3};
  ptojit_arguments arguments = {buffers.data(), buffers.size(), &rows, 1, nullptr, 0, 0};

  bool is_written() const {
    return table[3 * 8] == 1.0f && table[0] == 1.0f && table[1 * 8] == 0.0f;
  }
  bool is_untouched() const { return table == std::vector<float>(80); }
};

TEST(CInterface, SaysWhatTheCppInterfaceSays) {
  const SpecHandle spec = spec_of(kScatter);
  const KernelSpec same = *parse(kScatter);
  EXPECT_EQ(text_of([&](char** text, auto** why) { return ptojit_print(spec.get(), text, why); }),
            print(same));
  EXPECT_EQ(text_of([&](char** text, auto** why) { return ptojit_plan(spec.get(), text, why); }),
            print(make_plan(*verify(same)), same.op));
  for (const ptojit_form form :
       {PTOJIT_INTRINSIC, PTOJIT_EXPANDED, PTOJIT_PTO_AS, PTOJIT_PTO_LINE}) {
    const auto source = [&](char** text, ptojit_diagnostics** why) {
      return ptojit_source(spec.get(), form, text, why);
    };
    EXPECT_EQ(text_of(source), *emit_source(same, {.form = static_cast<SourceForm>(form)}));
  }
  EXPECT_STREQ(ptojit_version(), PTOJIT_VERSION);
}

TEST(CInterface, GivesVerdictsWithTheirReasons) {
  const SpecHandle legal = spec_of(kScatter);
  const SpecHandle illegal = spec_of(kIllegal);
  const Complaint notes = complaint([&](auto** why) { return ptojit_check(legal.get(), why); });
  EXPECT_EQ(notes.status, PTOJIT_OK);
  EXPECT_EQ(notes.text, render(notes_on(*verify(*parse(kScatter)))));
  const Complaint broken = complaint([&](auto** why) { return ptojit_check(illegal.get(), why); });
  EXPECT_EQ(broken.status, PTOJIT_ILLEGAL);
  EXPECT_EQ(broken.text, render(verify(*parse(kIllegal)).error()));
  ptojit_spec* none = nullptr;
  const Complaint unread =
      complaint([&](auto** why) { return ptojit_parse("a5:nothing", &none, why); });
  EXPECT_EQ(unread.status, PTOJIT_UNUSABLE);
  EXPECT_EQ(unread.text, render(parse("a5:nothing").error(), "a5:nothing"));
  EXPECT_EQ(none, nullptr);
}

TEST(CInterface, CallsWithBuffersThatAreChecked) {
  const SpecHandle spec = spec_of(kScatter);
  Operands operands;
  const auto call = [&](ptojit_diagnostics** why) {
    return ptojit_call(spec.get(), &operands.arguments, nullptr, why);
  };
  const Complaint done = complaint(call);
  EXPECT_EQ(done.status, PTOJIT_OK) << done.text;
  EXPECT_TRUE(operands.is_written());
}

TEST(CInterface, CallsWithAFrameThatIsNot) {
  const SpecHandle spec = spec_of(kScatter);
  for (const char* backend : {"auto", "interpreter"}) {
    const ptojit_options options = {backend, nullptr};
    ptojit_kernel* kernel = nullptr;
    ASSERT_EQ(ptojit_compile(spec.get(), &options, &kernel, nullptr), PTOJIT_OK);
    Operands operands;
    ptojit_frame frame = {};
    frame.tile = operands.src.data();
    frame.index = operands.idx.data();
    frame.table = operands.table.data();
    frame.extents[ptojit_extent(spec.get(), "src.vr")] = 3;
    frame.extents[ptojit_extent(spec.get(), "table.d3")] = 10;
    ptojit_run(kernel, &frame);
    EXPECT_TRUE(operands.is_written()) << backend;
    ptojit_kernel_free(kernel);
  }
  EXPECT_EQ(ptojit_extent(spec.get(), "dst.vr"), -1);
}

TEST(CInterface, ReportsWhatAnAuditFinds) {
  const SpecHandle spec =
      spec_of("a5:mscatter.row.skip.audit src=f32[8x8|?x8] idx=i32[1x8|1x?] table=f32[?x8]");
  Operands operands;
  ptojit_audit_report report = {};
  operands.arguments.report = &report;
  ASSERT_EQ(ptojit_call(spec.get(), &operands.arguments, nullptr, nullptr), PTOJIT_OK);
  EXPECT_EQ(report.out_of_bounds, 1);
  EXPECT_EQ(report.first_out_of_bounds, 2);
  EXPECT_EQ(report.collisions, 0);
}

TEST(CInterface, ShowsMachineCodeWhereThereIsSome) {
  const SpecHandle spec = spec_of(kScatter);
  const auto compiled = [&](const char* backend) {
    const ptojit_options options = {backend, "baseline"};
    ptojit_kernel* kernel = nullptr;
    EXPECT_EQ(ptojit_compile(spec.get(), &options, &kernel, nullptr), PTOJIT_OK);
    return std::unique_ptr<ptojit_kernel, void (*)(ptojit_kernel*)>(kernel, ptojit_kernel_free);
  };
  const auto plain = compiled("interpreter");
  char* text = nullptr;
  EXPECT_EQ(complaint([&](auto** why) { return ptojit_asm(plain.get(), &text, why); }).id, "c.asm");
  if (best_backend() == Backend::Interpreter) GTEST_SKIP() << "no backend with code to show";
  const auto code = compiled(nullptr);
  EXPECT_NE(
      text_of([&](char** out, auto** why) { return ptojit_asm(code.get(), out, why); }).find("ret"),
      std::string::npos);
}

TEST(CInterface, CountsAndClearsWhatItKeeps) {
  const SpecHandle spec = spec_of(kScatter);
  Operands operands;
  ASSERT_EQ(ptojit_call(spec.get(), &operands.arguments, nullptr, nullptr), PTOJIT_OK);
  ptojit_cache_statistics before = {}, after = {};
  EXPECT_EQ(ptojit_cache_read(&before, nullptr), PTOJIT_OK);
  EXPECT_GE(before.entries, 1u);
  EXPECT_EQ(ptojit_cache_clear(nullptr), PTOJIT_OK);
  EXPECT_EQ(ptojit_cache_read(&after, nullptr), PTOJIT_OK);
  EXPECT_EQ(after.entries, 0u);
  EXPECT_EQ(after.misses, before.misses);
}

// --- misuse -------------------------------------------------------------------------------------

TEST(CInterface, TakesNullForAnErrorOrForNothing) {
  const SpecHandle spec = spec_of(kScatter);
  ptojit_spec* other = nullptr;
  ptojit_kernel* kernel = nullptr;
  char* text = nullptr;
  Operands operands;
  using Call = std::function<ptojit_status(ptojit_diagnostics**)>;
  const std::vector<Call> calls = {
      [&](auto** why) { return ptojit_parse(nullptr, &other, why); },
      [&](auto** why) { return ptojit_parse(kScatter, nullptr, why); },
      [&](auto** why) { return ptojit_check(nullptr, why); },
      [&](auto** why) { return ptojit_print(nullptr, &text, why); },
      [&](auto** why) { return ptojit_print(spec.get(), nullptr, why); },
      [&](auto** why) { return ptojit_plan(nullptr, &text, why); },
      [&](auto** why) { return ptojit_source(nullptr, PTOJIT_INTRINSIC, &text, why); },
      [&](auto** why) { return ptojit_compile(nullptr, nullptr, &kernel, why); },
      [&](auto** why) { return ptojit_compile(spec.get(), nullptr, nullptr, why); },
      [&](auto** why) { return ptojit_asm(nullptr, &text, why); },
      [&](auto** why) { return ptojit_call(nullptr, &operands.arguments, nullptr, why); },
      [&](auto** why) { return ptojit_call(spec.get(), nullptr, nullptr, why); },
      [&](auto** why) { return ptojit_cache_read(nullptr, why); },
  };
  for (const Call& call : calls) {
    const Complaint found = complaint(call);
    EXPECT_EQ(found.status, PTOJIT_UNUSABLE);
    EXPECT_EQ(found.id, "c.null") << found.text;
    EXPECT_EQ(call(nullptr), PTOJIT_UNUSABLE);
  }
  EXPECT_EQ(ptojit_extent(nullptr, "src.vr"), -1);
  EXPECT_EQ(ptojit_diagnostics_count(nullptr), 0u);
  ptojit_diagnostics_free(nullptr);
  ptojit_spec_free(nullptr);
  ptojit_kernel_free(nullptr);
  ptojit_text_free(nullptr);
}

TEST(CInterface, RefusesWrongArgumentsAndTouchesNothing) {
  struct Wrong {
    const char* id;
    void (*spoil)(Operands& operands);
  };
  const std::vector<Wrong> wrongs = {
      {"c.dtype", [](Operands& all) { all.buffers[0].dtype = "f33"; }},
      {"call.dtype", [](Operands& all) { all.buffers[0].dtype = "i32"; }},
      {"c.null", [](Operands& all) { all.buffers[1].dtype = nullptr; }},
      {"c.null", [](Operands& all) { all.buffers[1].operand = nullptr; }},
      {"c.null", [](Operands& all) { all.rows.dimension = nullptr; }},
      {"c.null", [](Operands& all) { all.arguments.buffers = nullptr; }},
      {"c.null", [](Operands& all) { all.arguments.bindings = nullptr; }},
      {"c.dimension", [](Operands& all) { all.rows.dimension = "src.wr"; }},
      {"call.size", [](Operands& all) { all.buffers[2].bytes -= 1; }},
      {"call.null", [](Operands& all) { all.buffers[2].data = nullptr; }},
      {"a5.scatter.valid", [](Operands& all) { all.rows.value = 9; }},
  };
  const SpecHandle spec = spec_of(kScatter);
  for (const Wrong& wrong : wrongs) {
    Operands operands;
    wrong.spoil(operands);
    const Complaint found = complaint([&](ptojit_diagnostics** why) {
      return ptojit_call(spec.get(), &operands.arguments, nullptr, why);
    });
    EXPECT_EQ(found.id, wrong.id) << found.text;
    EXPECT_NE(found.status, PTOJIT_OK);
    EXPECT_TRUE(operands.is_untouched()) << wrong.id;
  }
}

TEST(CInterface, RefusesOptionsAndFormsThatDoNotExist) {
  const SpecHandle spec = spec_of(kScatter);
  const auto compiled_with = [&](ptojit_options options) {
    return complaint([&](ptojit_diagnostics** why) {
      ptojit_kernel* kernel = nullptr;
      return ptojit_compile(spec.get(), &options, &kernel, why);
    });
  };
  EXPECT_EQ(compiled_with({"xbyack", nullptr}).id, "c.backend");
  EXPECT_EQ(compiled_with({nullptr, "avx3"}).id, "c.features");
  char* text = nullptr;
  for (const int form : {-1, 4, 1000}) {
    const Complaint found = complaint([&](ptojit_diagnostics** why) {
      return ptojit_source(spec.get(), static_cast<ptojit_form>(form), &text, why);
    });
    EXPECT_EQ(found.id, "c.form");
  }
}

// --- the header ---------------------------------------------------------------------------------

// The frame's declaration stands in every header of an object; here it is kept for all kernels.
TEST(CInterface, DeclaresTheFrameAsItsListHasIt) {
  const Result<HostObject> object = emit_object(*parse(kScatter));
  if (!object) GTEST_SKIP() << "no LLVM backend, no object to take the declaration from";
  const std::string begin = "#ifndef PTOJIT_FRAME", end = "#endif\n";
  const auto declared = [&](const std::string& text) {
    const std::size_t at = text.find(begin);
    return std::pair(at, text.find(end, at) + end.size() - at);
  };
  const auto [from, length] = declared(object->header);
  std::string header = read_text("jit/doors/c/c.h");
  const auto [to, old_length] = declared(header);
  header.replace(to, old_length, object->header.substr(from, length));
  EXPECT_TRUE(matches_file("jit/doors/c/c.h", header));
}

}  // namespace
}  // namespace pto::jit::tests
