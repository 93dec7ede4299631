// The kept texts: current, deterministic, and without a word about where or when they were made.
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/text/emit_source.h"
#include "tests/source/golden_kernels.h"

namespace pto::jit::tests {
namespace {

std::string text_of(const GoldenKernel& kernel) {
  const Result<KernelSpec> spec = parse(kernel.spec);
  if (!spec) return render(spec.error());
  const SourceForm form = kernel.is_expanded ? SourceForm::Expanded : SourceForm::Intrinsic;
  const Result<std::string> text =
      emit_source(*spec, {.form = form, .placement = kernel.placement});
  return text ? *text : render(text.error());
}

TEST(GoldenKernels, AreWhatIsEmitted) {
  for (const GoldenKernel& kernel : kGoldenKernels) {
    EXPECT_TRUE(matches_golden("source/" + std::string(kernel.file) + ".txt", text_of(kernel)));
  }
}

TEST(GoldenKernels, AreTheSameEachTime) {
  for (const GoldenKernel& kernel : kGoldenKernels) EXPECT_EQ(text_of(kernel), text_of(kernel));
}

TEST(GoldenKernels, NameTheirSpecAndFitThePage) {
  for (const GoldenKernel& kernel : kGoldenKernels) {
    const std::string text = text_of(kernel);
    EXPECT_NE(text.find("// Spec: " + print(*parse(kernel.spec)) + "\n"), std::string::npos);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const std::string_view line = std::string_view(text).substr(at, end - at);
      EXPECT_TRUE(line.size() <= 100 || line.starts_with("//")) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
      at = end + 1;
    }
  }
}

}  // namespace
}  // namespace pto::jit::tests
