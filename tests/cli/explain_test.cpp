// ptojit explain: what it says of a kernel, as text, data, pictures and a page.
#include <gtest/gtest.h>

#include <ctime>
#include <nlohmann/json.hpp>
#include <regex>

#include "jit/checks/emulation/host_program.h"
#include "jit/tools/explain/printers.h"
#include "jit/tools/explain/svg_writer.h"
#include "tests/cli/tool_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"
#include "tests/support/sample_size.h"

namespace pto::jit::tests {
namespace {

using nlohmann::json;

const std::string kSpec = "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]";

// One of every kind.
const std::vector<std::string> kSpecs = {
    kSpec,
    "a5:mscatter.elem.default src=f32[8x32] idx=i32[8x32] table=f32[256]",
    "a2a3:mscatter.elem.skip.atomic_add src=bf16[8x32|3x17] idx=i32[8x32|3x17] table=bf16[?x?]",
    "a2a3:mscatter.row src=f32[16x32|9x32] idx=i32[1x16|1x9] table=f32[64x32@40x1]",
    "a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[1x4x2x16x16]:nz",
    "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]",
    "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]",
    "cpu:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]",
    "a5:comm.tscatter.pingpong src=f32[64x32] dst=f32[16x32] stage=f32[8x32|?x?] ranks=4 root=0",
    "a5:mgather.row.clamp dst=f32[2048x32] idx=i32[1x2048] table=f32[64x32]",
    "a2a3:mscatter.elem.skip.audit src=f32[8x32] idx=i32[8x32] table=f32[256]"};

class Explain : public ToolTest {
 protected:
  static json numbers(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"explain", kSpec, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ToolRun run = tool(arguments);
    EXPECT_EQ(run.exit, 0) << run.err;
    return json::parse(run.out, nullptr, false);
  }
  std::string text(const std::string& name) const {
    const Bytes bytes = get(name);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

TEST_F(Explain, SaysInWordsWhatAKernelDoes) {
  const ToolRun run = tool({"explain", kSpec, "--no-run"});
  EXPECT_EQ(run.exit, 0) << run.err;
  for (const std::string said :
       {"moves 32 elements of f32 (128 bytes)", "goes to the last slot", "the last one wins",
        "a2a3          legal", "cpu           not legal", "1056 bytes of 221184, 220128 left",
        "one MSCATTER instruction", "MTE2 to V", "left out by --no-run", "bound by"})
    EXPECT_NE(run.out.find(said), std::string::npos) << said << "\n" << run.out;
}

TEST_F(Explain, CountsTheGivenIndices) {
  const std::string file = put("idx.bin", indices({3, 1, 7, 3, 0xffffffffU, 63, 64, 0}));
  const json move = numbers({"--no-run", "--in", "idx=" + file}).at("move");
  EXPECT_EQ(move.at("indices"), "the given indices");
  EXPECT_EQ(move.at("outside"), 2);
  EXPECT_EQ(move.at("collisions"), 3);  // 3 again; all of those beyond the end go where 63 goes
  EXPECT_EQ(move.at("steps")[3].at("collides_with"), 0);
  EXPECT_EQ(move.at("steps")[4].at("cell"), 63);
  EXPECT_EQ(move.at("steps")[4].at("index"), 0xffffffffU);
  EXPECT_TRUE(tool({"explain", kSpec, "--in", "src=" + file}).fails(2, {"option.in", "indices"}));
}

// What the kept list of waits that the emulation does not miss says of the same kernel.
TEST_F(Explain, ProvesEachWaitOrSaysThatItIsNotMissed) {
  if (!host_compiler()) GTEST_SKIP() << "no compiler on this host";
  const json made = numbers({});
  std::map<std::string, std::string> needs;
  for (const json& wait : made.at("forms")[0].at("waits")) {
    needs[wait.at("what")] = wait.at("need");
    const bool is_proved = wait.at("need") == "needed";
    EXPECT_EQ(is_proved, !wait.at("without").get<std::string>().empty()) << wait;
    EXPECT_EQ(is_proved, wait.contains("run")) << wait;
  }
  EXPECT_EQ(needs, (std::map<std::string, std::string>{{"MTE2 to V", "needed"},
                                                       {"barrier", "needed"},
                                                       {"V to MTE3", "not missed"},
                                                       {"flush", "needed"}}));
  const json& loaded = made.at("forms")[0].at("waits")[0];
  EXPECT_EQ(loaded.at("run").at("reported"), json::array({2, 3}));
  EXPECT_EQ(made.at("forms")[0].at("run").at("reports"), "");
  EXPECT_EQ(made.at("forms")[0].at("run").at("bytes_written"), 1024);
}

// Of a long run the first operations are shown, and what is reported wherever it is.
TEST_F(Explain, ShowsWhatIsReportedOfALongRun) {
  if (!host_compiler()) GTEST_SKIP() << "no compiler on this host";
  const json made = json::parse(tool({"explain", kSpecs[4], "--json"}).out);
  int late = 0;
  for (const json& wait : made.at("forms")[1].at("waits")) {
    if (!wait.contains("run")) continue;
    std::set<std::size_t> shown;
    for (const json& slice : wait.at("run").at("timeline"))
      shown.insert(slice.value("operation", 0U));
    for (const std::size_t operation : wait.at("run").at("reported"))
      EXPECT_TRUE(shown.contains(operation)) << operation << " " << wait.at("without");
    late += wait.at("run").at("shown") < wait.at("run").at("steps") ? 1 : 0;
  }
  EXPECT_GT(late, 0);
}

TEST_F(Explain, SaysWhyNothingWasRun) {
  const char* kept = std::getenv("CXX");
  const std::string before = kept == nullptr ? "" : kept;
  setenv("CXX", "/nowhere/c++", 1);
  const json made = numbers({});
  const ToolRun picture = tool({"explain", kSpec, "--svg", "timeline"});
  kept == nullptr ? unsetenv("CXX") : setenv("CXX", before.c_str(), 1);
  EXPECT_EQ(made.at("run").at("absent"), "$CXX names '/nowhere/c++', which is not there");
  EXPECT_EQ(made.at("forms")[0].at("waits")[0].at("need"), "not run");
  EXPECT_EQ(made.at("move").at("positions"), 8);
  EXPECT_TRUE(picture.fails(2, {"explain.picture", "/nowhere/c++"}));
}

TEST_F(Explain, FindsTheLineOfEachWait) {
  const json made = numbers({"--no-run"});
  for (const json& form : made.at("forms")) {
    std::vector<std::string> lines = {""};
    for (const char c : form.at("text").get<std::string>()) {
      if (c == '\n') {
        lines.emplace_back();
      } else {
        lines.back() += c;
      }
    }
    ASSERT_FALSE(form.at("waits").empty());
    for (const json& wait : form.at("waits")) {
      const std::string& line = lines.at(wait.at("line").get<std::size_t>() - 1);
      EXPECT_TRUE(std::regex_search(line, std::regex("set_flag|pipe_barrier|dcci")))
          << wait << line;
    }
  }
}

TEST_F(Explain, NumbersOfThePageAreThoseOfTheJson) {
  EXPECT_EQ(tool({"explain", kSpec, "--no-run", "--html", path("k.html")}).exit, 0);
  const std::string page = text("k.html");
  const json made = numbers({"--no-run"});
  const std::regex fact("data-json=\"([^\"]*)\">([^<]*)<");
  int facts = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), fact), end; at != end; ++at, ++facts) {
    const json& value = made.at(json::json_pointer((*at)[1].str()));
    EXPECT_EQ(cli::escaped(value.is_string() ? value.get<std::string>() : value.dump()),
              (*at)[2].str());
  }
  EXPECT_GT(facts, 60);
}

TEST_F(Explain, PagesNeedNothingElse) {
  EXPECT_EQ(tool({"explain", kSpec, "--no-run", "--html", path("k.html")}).exit, 0);
  const std::string page = text("k.html");
  for (const std::string foreign : {"src=\"", "@import", "url(", "fetch(", "//cdn", "href=\"http"})
    EXPECT_EQ(page.find(foreign), std::string::npos) << foreign;
}

TEST_F(Explain, PagesAreSmallAndQuick) {
  const auto runs = taken({2, kSpecs.size()}, "pages with a run");
  for (std::size_t i = 0; i < kSpecs.size(); ++i) {
    const std::clock_t began = std::clock();
    const ToolRun quick = tool({"explain", kSpecs[i], "--no-run", "--html", path("k.html")});
    const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    EXPECT_EQ(quick.exit, 0) << kSpecs[i] << quick.err;
    EXPECT_LT(seconds, 1.0) << kSpecs[i];
    EXPECT_LT(get("k.html").size(), 300000U) << kSpecs[i];
    if (i >= runs || !host_compiler()) continue;
    const ToolRun whole = tool({"explain", kSpecs[i], "--html", path("k.html")});
    EXPECT_EQ(whole.exit, 0) << kSpecs[i] << whole.err;
    EXPECT_LT(get("k.html").size(), 300000U) << kSpecs[i];
    std::printf("%zu bytes: %s\n", get("k.html").size(), kSpecs[i].c_str());
  }
}

TEST_F(Explain, PicturesStandAlone) {
  for (const std::string part : {"memory", "move"}) {
    const ToolRun run = tool({"explain", kSpec, "--svg", part});
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_TRUE(run.out.starts_with("<svg xmlns=")) << part;
    EXPECT_TRUE(run.out.ends_with("</svg>\n")) << part;
    EXPECT_NE(run.out.find("prefers-color-scheme: dark"), std::string::npos) << part;
    EXPECT_EQ(tool({"explain", kSpec, "--svg", part, "-o", path("p.svg")}).out, "");
    EXPECT_EQ(text("p.svg"), run.out);
  }
}

TEST_F(Explain, KeptPicturesAreWhatItPrints) {
  for (const std::string part : {"memory", "move"}) {
    const ToolRun run = tool({"explain", kSpec, "--svg", part});
    EXPECT_TRUE(matches_file("docs/pictures/" + part + ".svg", run.out));
  }
}

TEST_F(Explain, RefusesWhatItCannotShow) {
  EXPECT_TRUE(tool({"explain", kSpec, "--svg", "nothing"})
                  .fails(2, {"option.svg", "nothing", "memory, timeline or move"}));
  EXPECT_TRUE(tool({"explain", kSpec, "--svg", "timeline", "--no-run"}).fails(2, {"option.svg"}));
  EXPECT_TRUE(
      tool({"explain", kSpec, "--html", path("a"), "--svg", "move"}).fails(2, {"option.html"}));
  EXPECT_TRUE(tool({"explain", kSpec, "-o", path("a")}).fails(2, {"option.out", "--svg"}));
  EXPECT_TRUE(tool({"explain", kSpec, "--bind", "<b>=1"}).fails(2, {"bind."}));
  EXPECT_TRUE(tool({"explain", "a5:mscatter.row.zero src=f32[8x32] idx=i32[1x8] table=f32[64x32]"})
                  .fails(1, {"a5.scatter.oob", "zero"}));
  EXPECT_TRUE(names().empty());
}

TEST_F(Explain, WritesFilesWholeOrNotAtAll) {
  for (const std::vector<std::string>& where : std::vector<std::vector<std::string>>{
           {"--html", path("none/k.html")}, {"--svg", "move", "-o", path("none/k.svg")}}) {
    std::vector<std::string> arguments = {"explain", kSpec, "--no-run"};
    arguments.insert(arguments.end(), where.begin(), where.end());
    EXPECT_TRUE(tool(arguments).fails(2, {"file.write", "none/k."}));
  }
  EXPECT_TRUE(names().empty());
}

TEST_F(Explain, PutsNoMarkupOfOthersOnThePage) {
  const std::string evil = "<img src=x onerror=alert(1)>\"'&</script>";
  cli::Explanation made{.spec = evil, .bound = evil + "b", .summary = evil, .meaning = evil};
  made.plan = {{"move", evil}};
  made.memory.tiles = {{.name = evil, .shape = evil, .bytes = 32}};
  made.memory.parts = evil;
  made.targets.targets = {{.name = evil, .said = {error(evil, evil)}, .rows = {{"move", evil}}}};
  made.targets.reasons = {{evil, evil, true}};
  made.host = {.strategy = evil, .level = evil, .bound_by = evil};
  made.host.verbs = {{.name = evil, .lines = {evil}, .does = evil}};
  made.host.code = {{.text = evil, .verbs = {evil}}};
  made.move =
      cli::MoveView{.indices = evil, .tile = evil, .index = evil, .table = evil, .cell_is = evil};
  made.move->steps = {{.from = evil, .index = 1, .cell = 0, .outcome = evil}};
  cli::RunView run;
  run.reports = evil;
  run.schedule = {.tracks = {evil}, .slices = {{.what = evil, .operation = 1}}};
  made.forms = {{.name = "intrinsic",
                 .how = evil,
                 .text = evil,
                 .waits = {{.what = evil, .place = evil}},
                 .run = run}};
  const std::string page = cli::page_of(made);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("\"'&<"), std::string::npos);
  EXPECT_EQ(page.find("</script>"), page.rfind("</script>"));
  EXPECT_NE(page.find(cli::escaped(evil)), std::string::npos);
  for (const cli::Picture picture :
       {cli::Picture::Memory, cli::Picture::Timeline, cli::Picture::Move})
    EXPECT_EQ(cli::picture_of(made, picture)->find("<img"), std::string::npos);
}

// Which verb wrote an instruction, and the line of the plan that asked for it.
TEST_F(Explain, KnowsTheVerbOfEachInstruction) {
  const json made = numbers({"--no-run"});
  const json& host = made.at("host");
  if (host.contains("absent")) GTEST_SKIP() << host.at("absent");
  std::map<std::string, int> counts;
  for (const json& line : host.at("code")) ++counts[line.at("verbs").back()];
  for (const json& verb : host.at("verbs")) {
    EXPECT_EQ(verb.at("instructions"), counts[verb.at("verb")]) << verb;
    EXPECT_FALSE(verb.at("does").get<std::string>().empty()) << verb;
  }
  EXPECT_EQ(host.at("verbs").size(), counts.size());
  const auto load = std::ranges::find_if(
      host.at("verbs"), [](const json& verb) { return verb.at("verb") == "load_index"; });
  ASSERT_NE(load, host.at("verbs").end());
  EXPECT_EQ(load->at("lines"), json::array({"index"}));
  EXPECT_EQ(load->at("does"), "reads the raw indices at a position, zero-extended.");
  const auto read = std::ranges::find_if(
      host.at("code"), [](const json& line) { return line.at("verbs").back() == "load_index"; });
  EXPECT_EQ(read->at("verbs"),
            json::array({"when_nonzero", "each_rank", "positions", "load_index"}));
}

// A device has no audit: what is shown is the kernel without it, and why is said.
TEST_F(Explain, ShowsWhatADeviceHasOfAnAuditedSpec) {
  const std::string audited =
      "a5:mscatter.row.clamp.audit src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
  const json made = json::parse(tool({"explain", audited, "--json", "--no-run"}).out);
  const json plain = numbers({"--no-run"});
  for (const char* same : {"memory", "forms", "move"}) EXPECT_EQ(made.at(same), plain.at(same));
  const std::string words = made.at("device");
  for (const std::string& said : {std::string("no audited form"), std::string("0035"), kSpec})
    EXPECT_NE(words.find(said), std::string::npos) << words;
  EXPECT_FALSE(plain.contains("device"));
  EXPECT_TRUE(made.at("plan").contains("audit"));
  EXPECT_EQ(tool({"explain", audited, "--svg", "memory"}).out,
            tool({"explain", kSpec, "--svg", "memory"}).out);
}

// An audit finds indices that nothing checks on the device: they are shown, and not run there.
TEST_F(Explain, DoesNotRunWhatOnlyAnAuditMayMeet) {
  const std::string file = put("idx.bin", indices({3, 1, 7, 3, 0xffffffffU, 63, 64, 0}));
  const ToolRun run =
      tool({"explain", "a5:mscatter.row.audit src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
            "--json", "--in", "idx=" + file});
  ASSERT_EQ(run.exit, 0) << run.err;
  const json made = json::parse(run.out);
  EXPECT_EQ(made.at("move").at("outside"), 2);
  EXPECT_FALSE(made.at("run").at("done"));
  EXPECT_NE(made.at("run").at("absent").get<std::string>().find("its capacity is 64"),
            std::string::npos);
}

TEST_F(Explain, SaysByWhatTargetsDiffer) {
  const json targets = numbers({"--no-run"}).at("targets");
  EXPECT_EQ(targets.at("differing"), json::array({"local memory", "waits"}));
  std::vector<std::string> ids;
  for (const json& reason : targets.at("reasons")) ids.push_back(reason.at("id"));
  EXPECT_EQ(ids, (std::vector<std::string>{"a2a3.ub.budget", "a5.ub.budget", "0037"}));
  const ToolRun offsets = tool({"explain", kSpecs[7], "--no-run"});
  EXPECT_NE(offsets.out.find("[0013] a2a3: cpu clamps an offset"), std::string::npos);
}

// In one browser for all of them: by a script that speaks to chromedriver.
TEST_F(Explain, PagesWorkInABrowser) {
  if (!takes_full_samples()) GTEST_SKIP() << "left to PTOJIT_TESTS=all";
  if (!is_on_path("chromedriver")) GTEST_SKIP() << "no chromedriver (Debian: chromium-driver)";
  if (!is_on_path("python3")) GTEST_SKIP() << "no python3";
  std::string pages;
  for (std::size_t i = 0; i < kSpecs.size(); ++i) {
    const std::string name = "k" + std::to_string(i);
    std::vector<std::string> page = {"explain", kSpecs[i], "--html", path(name + ".html")};
    std::vector<std::string> data = {"explain", kSpecs[i], "--json"};
    for (auto* arguments : {&page, &data}) {
      if (i > 0) arguments->push_back("--no-run");  // a compiler takes seconds for each
    }
    EXPECT_EQ(tool(page).exit, 0);
    put(name + ".json", tool(data).out);
    pages += " '" + path(name + ".html") + "'";
  }
  const std::string command =
      "timeout 120 python3 '" + source_root() + "/tests/cli/explain_page.py'" + pages;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace
}  // namespace pto::jit::tests
