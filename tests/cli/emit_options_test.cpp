// ptojit emit: every option with every form changes what comes out, or is an error that names the
// forms it goes with.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "tests/cli/tool_fixture.h"
#include "tests/support/backends.h"

namespace pto::jit::tests {
namespace {

const std::string kSpec = "a2a3:mscatter.elem.clamp src=f32[8x32] idx=i32[8x32] table=f32[?]";
const std::vector<std::string> kForms = {"intrinsic", "expanded", "pto-as", "pto-line",
                                         "llvm-ir",   "asm",      "obj"};

struct Sample {
  std::string name;
  std::vector<std::string> value;         // other than what a form does without the option
  std::vector<std::string> forms;         // that take it
  std::vector<std::string> besides = {};  // given with it and without it
};

const std::vector<std::string> kHost = {"llvm-ir", "asm", "obj"};
const std::vector<std::string> kChecked = {"intrinsic", "expanded", "llvm-ir", "asm", "obj"};
const std::vector<std::string> kNamed = {"intrinsic", "expanded", "pto-as",
                                         "llvm-ir",   "asm",      "obj"};

const std::vector<Sample> kSamples = {
    {"--placement", {"auto"}, {"intrinsic", "expanded"}},
    {"--placement", {"manual"}, {"pto-line"}},
    {"--level", {"dps"}, {"pto-line"}},
    {"--features", {"avx2"}, {"llvm-ir", "obj"}},
    {"--features", {"baseline"}, {"asm"}},
    {"--triple", {"aarch64-linux-gnu"}, kHost},
    {"--cpu", {"x86-64-v3"}, kHost},
    {"--check", {}, kChecked},
    {"--bind", {"table.d4=7"}, kChecked, {"--check"}},
    {"--name", {"another"}, kNamed},
};

class EmitOptionsTest : public ToolTest {
 protected:
  struct Answer {
    ToolRun run;
    Bytes file;
    std::string text() const {
      return run.out + std::string(reinterpret_cast<const char*>(file.data()), file.size());
    }
  };

  // Objects go to a file. What was asked before is not asked again: checks take seconds.
  const Answer& emit(const std::string& form, const std::vector<std::string>& options) {
    std::vector<std::string> all = {"emit", kSpec, "--form", form};
    all.insert(all.end(), options.begin(), options.end());
    if (form == "obj") all.insert(all.end(), {"-o", path("k.o")});
    const auto [at, is_new] = asked_.try_emplace(all);
    Answer& out = at->second;
    if (is_new) out.run = tool(all);
    if (is_new && form == "obj" && out.run.exit == 0) out.file = get("k.o");
    return out;
  }

 private:
  std::map<std::vector<std::string>, Answer> asked_;
};

bool is_in(const std::vector<std::string>& list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

// Whether any sample of the option is for the form.
bool goes_with(const std::string& option, const std::string& form) {
  return std::ranges::any_of(kSamples, [&](const Sample& sample) {
    return sample.name == option && is_in(sample.forms, form);
  });
}

std::vector<std::string> given(const Sample& sample) {
  std::vector<std::string> out = sample.besides;
  out.push_back(sample.name);
  out.insert(out.end(), sample.value.begin(), sample.value.end());
  return out;
}

TEST_F(EmitOptionsTest, AreNeverTakenWithoutEffect) {
  PTOJIT_NEEDS(Backend::Llvm);
  PTOJIT_NEEDS(Backend::Xbyak);
  int taken = 0;
  int refused = 0;
  for (const Sample& sample : kSamples) {
    for (const std::string& form : kForms) {
      if (is_in(sample.forms, form)) {
        const Answer with = emit(form, given(sample));
        EXPECT_EQ(with.run.exit, 0) << form << " " << sample.name << "\n" << with.run.err;
        EXPECT_NE(with.text(), emit(form, sample.besides).text()) << form << " " << sample.name;
        ++taken;
      } else if (!goes_with(sample.name, form)) {
        EXPECT_TRUE(emit(form, given(sample))
                        .run.fails(2, {"option.form", sample.name,
                                       " has no effect on the form " + form, "it goes with"}))
            << form << " " << sample.name;
        ++refused;
      }
    }
  }
  std::cout << taken << " pairs of option and form with an effect, " << refused << " refused\n";
}

TEST_F(EmitOptionsTest, NameWhatTheyNeedOrExclude) {
  EXPECT_TRUE(
      tool({"emit", kSpec, "--bind", "table.d4=7"}).fails(2, {"--bind", "without --check"}));
  EXPECT_TRUE(tool({"emit", kSpec, "--form", "asm", "--cpu", "x86-64-v3", "--features", "avx2"})
                  .fails(2, {"--cpu and --features exclude each other"}));
  for (const std::string option : {"-o", "--out-dir"})
    EXPECT_TRUE(tool({"emit", kSpec, option, ""}).fails(2, {option + " names nothing"}));
  EXPECT_TRUE(tool({"emit", kSpec, "--form", "pto-line", "--out-dir", path("lines")})
                  .fails(2, {"--out-dir has no effect on the form pto-line", "pto-as"}));
}

TEST_F(EmitOptionsTest, AreAllNamedAtOnce) {
  EXPECT_TRUE(tool({"emit", kSpec, "--level", "ssa", "--triple", "aarch64-linux-gnu"})
                  .fails(2, {"--level", "goes with pto-line", "--triple", "llvm-ir, asm, obj"}));
}

TEST_F(EmitOptionsTest, HelpNamesTheForms) {
  const std::string help = tool({"emit", "--help"}).out;
  std::string words;
  for (const char c : help) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space || !words.ends_with(' ')) words += is_space ? ' ' : c;
  }
  EXPECT_NE(words.find("For pto-line: sync, ssa or dps"), std::string::npos) << words;
  EXPECT_NE(words.find("For llvm-ir, asm, obj: a processor"), std::string::npos) << words;
}

}  // namespace
}  // namespace pto::jit::tests
