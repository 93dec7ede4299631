// The emulation refuses what the device's library and compiler refuse.
#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/checks/emulation/harness_text.h"
#include "jit/checks/emulation/host_program.h"
#include "jit/text/emit_source.h"

namespace pto::jit::tests {
namespace {

constexpr std::string_view kA2A3 = "-DMEMORY_BASE";
constexpr std::string_view kA5 = "-DREGISTER_BASE";

// What the host's compiler, or the rules of the text, say against a unit; empty when nothing.
std::string refusal_of(std::string_view text, std::string_view flags) {
  const Result<HostProgram> program =
      HostProgram::build({source::harness_head() + std::string(text), std::string(flags)});
  return program ? "" : render(program.error());
}

TEST(Strictness, WantsTheInstructionsBeforeTheConstants) {
  constexpr std::string_view kConstantsFirst =
      "#include <cstdint>\n#include <pto/common/constants.hpp>\n#include <pto/pto-inst.hpp>\n";
  constexpr std::string_view kConstantsLast =
      "#include <cstdint>\n#include <pto/pto-inst.hpp>\n#include <pto/common/constants.hpp>\n";
  EXPECT_NE(refusal_of(kConstantsFirst, kA5).find("before <pto/common/constants.hpp>"),
            std::string::npos);
  EXPECT_EQ(refusal_of(kConstantsLast, kA5), "");
  EXPECT_EQ(refusal_of(kConstantsLast, kA2A3), "");
}

TEST(Strictness, WantsNoNamedCastIntoAnAddressSpace) {
  constexpr std::string_view kHead = "#include <pto/pto-inst.hpp>\nvoid launch(void* src) {\n";
  const auto launch = [&](const std::string& line) {
    return std::string(kHead) + line + "\n  (void)srcGm;\n}\n";
  };
  EXPECT_NE(refusal_of(launch("  __gm__ float* srcGm = static_cast<__gm__ float*>(src);"), kA5)
                .find("check.address_space"),
            std::string::npos);
  EXPECT_EQ(refusal_of(launch("  __gm__ float* srcGm = (__gm__ float*)src;"), kA5), "");
  EXPECT_EQ(
      refusal_of(launch("  __gm__ void* srcGm = static_cast<__gm__ void*>(0);\n  (void)src;"), kA5),
      "");
}

TEST(Strictness, KnowsNoBlockDim) {
  constexpr std::string_view kLanes =
      "#include <pto/pto-inst.hpp>\ninline void run_lanes(uint32_t lanes) {\n"
      "  for (uint32_t i = threadIdx.x; i < 64; i += STEP) {}\n}\n";
  const auto stepping = [&](const std::string& step) {
    std::string text(kLanes);
    return text.replace(text.find("STEP"), 4, step);
  };
  EXPECT_NE(refusal_of(stepping("blockDim.x * lanes"), kA5).find("blockDim"), std::string::npos);
  EXPECT_EQ(refusal_of(stepping("lanes"), kA5), "");
}

TEST(Strictness, LanesAreToldHowManyThereAre) {
  const Result<std::string> text =
      emit_source(*parse("a5:mscatter.elem.default src=f16[8x64] idx=i32[8x64] table=f16[512]"),
                  {.form = SourceForm::Expanded});
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("i += lanes"), std::string::npos) << *text;
  EXPECT_NE(text->find(", 512U);"), std::string::npos) << *text;
}

}  // namespace
}  // namespace pto::jit::tests
