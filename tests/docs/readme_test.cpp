// The README shows the tool as it is, and the decisions are all listed. What tests can write is
// written anew by PTOJIT_REWRITE_GOLDENS=1, like any golden.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "ir/mnemonic.h"
#include "targets/profile.h"
#include "tests/cli/tool_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrompt = "$ ptojit ";
constexpr std::string_view kFence = "```";

// Words as a shell makes them, for lines with nothing but spaces and single quotes in them.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool is_quoted = false;
  bool is_inside = false;
  for (const char c : line) {
    if (c == ' ' && !is_quoted) {
      is_inside = false;
      continue;
    }
    if (!is_inside) words.emplace_back();
    is_inside = true;
    if (c == '\'') {
      is_quoted = !is_quoted;
    } else {
      words.back() += c;
    }
  }
  return words;
}

// One row an operation, one column a target.
std::string support_table() {
  std::string head = "| operation |";
  std::string rule = "|---|";
  for (std::size_t target = 0; target < kTargets; ++target) {
    head += " " + std::string(name_of(static_cast<Target>(target))) + " |";
    rule += ":-:|";
  }
  std::string out = head + "\n" + rule + "\n";
  for (const Operation& operation : kOperations) {
    out += "| `" + std::string(operation.form) + "` |";
    for (std::size_t target = 0; target < kTargets; ++target) {
      const OpProfile& row = profile_of(static_cast<Target>(target)).of(operation.op);
      out += row.dtypes.empty() ? " - |" : " yes |";
    }
    out += "\n";
  }
  return out;
}

class Readme : public ToolTest {
 protected:
  // Examples name their files without a folder, so they run in the test's own.
  void SetUp() override {
    ToolTest::SetUp();
    before_ = fs::current_path();
    fs::current_path(path(""));
  }
  void TearDown() override {
    fs::current_path(before_);
    ToolTest::TearDown();
  }

  // The text with what the tool and the tables say in place of what it claims they do.
  std::string refreshed(const std::string& text) {
    make_files(text);
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      out += line + "\n";
      if (line.starts_with(kPrompt)) {
        out += answer(lines, out, line);
        skip_to(lines, kFence, out);
      } else if (line == "<!-- support table -->") {
        out += support_table();
        skip_to(lines, "<!-- end -->", out);
      }
    }
    return out;
  }

  int examples() const { return examples_; }

 private:
  // Those made of zeros, as the text makes them.
  void make_files(const std::string& text) const {
    const std::regex command("(?:^|\n)head -c (\\d+) /dev/zero > (\\S+)");
    for (std::sregex_iterator at(text.begin(), text.end(), command), end; at != end; ++at)
      put((*at)[2].str(), std::string(std::stoul((*at)[1].str()), '\0'));
  }

  // Runs the command that begins in `line`; what follows a backslash goes to `out` as well.
  std::string answer(std::istream& lines, std::string& out, std::string line) {
    std::string command = line.substr(kPrompt.size());
    while (command.ends_with('\\') && std::getline(lines, line)) {
      out += line + "\n";
      command.back() = ' ';
      command += line;
    }
    ++examples_;
    const ToolRun run = tool(shell_words(command));
    return run.out + run.err;
  }

  static void skip_to(std::istream& lines, std::string_view end, std::string& out) {
    std::string line;
    while (line != end && std::getline(lines, line)) {
    }
    EXPECT_EQ(line, end) << "something is left open";
    out += line + "\n";
  }

  fs::path before_;
  int examples_ = 0;
};

TEST_F(Readme, ShowsTheToolAsItIs) {
  EXPECT_TRUE(matches_file("README.md", refreshed(read_text("README.md"))));
  EXPECT_GE(examples(), 5);
}

TEST_F(Readme, WouldBeFoundOutdated) {
  const std::string tool_lies = "```\n$ ptojit check 'cpu:nothing'\nlegal: cpu:nothing\n```\n";
  EXPECT_EQ(refreshed(tool_lies).find("legal"), std::string::npos);
  const std::string table_lies = "<!-- support table -->\n| none |\n<!-- end -->\n";
  EXPECT_EQ(refreshed(table_lies), "<!-- support table -->\n" + support_table() + "<!-- end -->\n");
  const std::string prose = "as it was\n```sh\n./dev test\n```\n";
  EXPECT_EQ(refreshed(prose), prose);
}

TEST(ShellWords, RespectSingleQuotes) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(shell_words("check 'a b'  --json"), (Words{"check", "a b", "--json"}));
  EXPECT_EQ(shell_words("--in src='a b'"), (Words{"--in", "src=a b"}));
  EXPECT_EQ(shell_words("''"), (Words{""}));
}

// Links to files of the project, relative to the file that has them.
std::set<std::string> links_of(const std::string& file) {
  const std::string text = read_text(file);
  const std::regex link("\\]\\(([^):]+)\\)");
  std::set<std::string> out;
  for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at)
    out.insert((fs::path(file).parent_path() / (*at)[1].str()).lexically_normal().string());
  return out;
}

std::vector<std::string> documents() {
  const fs::path root = source_root();
  std::vector<std::string> out = {"README.md", "CONTRIBUTING.md"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") out.push_back(fs::relative(entry.path(), root).string());
  }
  return out;
}

TEST(Docs, LinkToWhatExists) {
  for (const std::string& file : documents()) {
    for (const std::string& link : links_of(file))
      EXPECT_TRUE(fs::exists(fs::path(source_root()) / link)) << file << " links to " << link;
  }
}

// "- [0001](meaning/0001-negative-indices.md) A negative index is a large one", from the record.
std::set<std::string> decision_lines() {
  std::set<std::string> out;
  for (const std::string& file : documents()) {
    const std::string name = fs::path(file).filename().string();
    if (!file.starts_with("docs/decisions/") || name == "README.md") continue;
    const std::string title = split(read_text(file), '\n').front();  // "# 0001 A negative ..."
    const std::string number = name.substr(0, 4);
    EXPECT_TRUE(title.starts_with("# " + number + " ")) << file << ": " << title;
    EXPECT_NE(read_text(file).find("\n**Not chosen.** "), std::string::npos) << file;
    if (title.size() < 6) continue;
    std::string line = "- [";
    line.append(number).append("](").append(
        fs::path(file).lexically_relative("docs/decisions").string());
    line.append(")").append(title, 6);
    out.insert(line);
  }
  return out;
}

TEST(Docs, ListEveryDecision) {
  const std::set<std::string> wanted = decision_lines();
  EXPECT_GE(wanted.size(), 31U);
  std::set<std::string> listed;
  for (const std::string& line : split(read_text("docs/decisions/README.md"), '\n')) {
    if (line.starts_with("- ")) listed.insert(line);
  }
  EXPECT_EQ(listed, wanted);
}

TEST(Docs, NumberDecisionsWithoutGaps) {
  int next = 1;
  for (const std::string& line : decision_lines()) EXPECT_EQ(std::stoi(line.substr(3, 4)), next++);
}

}  // namespace
}  // namespace pto::jit::tests
