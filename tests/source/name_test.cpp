// The names a user may give a kernel for a device.
#include <gtest/gtest.h>

#include <array>
#include <regex>
#include <set>

#include "ir/spec_text.h"
#include "jit/text/emit_source.h"

namespace pto::jit::tests {
namespace {

constexpr std::array kSpecs = {
    "a5:mscatter.row.clamp src=f32[8x32|?x32] idx=i32[1x8|1x?] table=f32[?x32]",
    "a5:mscatter.elem.skip.atomic_add src=bf16[8x32] idx=i32[8x32] table=bf16[256]",
    "a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16]:nz",
    "a2a3:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]",
    "a5:comm.tscatter.pingpong src=f32[64x32] dst=f32[16x32] stage=f32[8x32|?x?] ranks=4 root=0",
    "cpu:mgather.elem dst=f32[8x8] idx=i32[8x8] table=f32[64]",
};

Result<std::string> named(const char* spec, SourceForm form, const std::string& name) {
  return emit_source(*parse(spec), {.form = form, .name = name});
}

bool is_refused(const Result<std::string>& text) {
  return !text && text.error().front().id == "option.name";
}

// The identifiers of a text, comments aside, but those made of the kernel's own name.
std::set<std::string> words_of(const std::string& text) {
  static const std::regex comment("//[^\n]*");
  static const std::regex word("\\b[A-Za-z_][A-Za-z0-9_]*");
  const std::string code = std::regex_replace(text, comment, "");
  std::set<std::string> out;
  for (std::sregex_iterator at(code.begin(), code.end(), word), end; at != end; ++at) {
    if (at->str().find("our_kernel") == std::string::npos) out.insert(at->str());
  }
  return out;
}

TEST(KernelName, IsNoWordOfItsText) {
  for (const char* spec : kSpecs) {
    for (const SourceForm form : {SourceForm::Intrinsic, SourceForm::Expanded}) {
      const Result<std::string> text = named(spec, form, "our_kernel");
      if (!text) continue;
      for (const std::string& word : words_of(*text))
        EXPECT_TRUE(is_refused(named(spec, form, word))) << word << "\n" << spec;
    }
  }
}

TEST(KernelName, IsNoneOfTheLibrarys) {
  for (const char* taken :
       {"while", "TSTORE", "Tile", "half", "set_flag", "A5", "main", "cce", "set_atomic_bf16",
        "_Bool", "GatherOOB", "uint64_t", "Signal", "memcpy", "aclrtFree"}) {
    for (const SourceForm form : {SourceForm::Intrinsic, SourceForm::PtoAs})
      EXPECT_TRUE(is_refused(named(kSpecs[0], form, taken))) << taken;
  }
}

TEST(KernelName, StandsInTextsAndModules) {
  for (const char* good : {"embed", "CopyRows", "copy_rows", "set_rows", "k8"}) {
    for (const SourceForm form : {SourceForm::Intrinsic, SourceForm::PtoAs}) {
      const Result<std::string> text = named(kSpecs[0], form, good);
      ASSERT_TRUE(text) << render(text.error());
      EXPECT_NE(text->find(std::string(good) + "<<<1, nullptr, stream>>>("), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace pto::jit::tests
