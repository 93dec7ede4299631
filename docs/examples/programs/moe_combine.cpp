// MoE combine: what the experts made of their tokens is added up, two experts for each of eight
// tokens. The kernel for the device is written from the same spec.
#include <ptojit/ptojit.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace pto::jit;

constexpr std::size_t kTokens = 8;
constexpr std::size_t kWidth = 64;

int fail(const Diagnostics& why) {
  std::fputs(render(why).c_str(), stderr);
  return 1;
}

}  // namespace

int main() {
  const Result<KernelSpec> spec =
      parse("a5:mscatter.row.atomic_add src=f32[16x64] idx=i32[1x16] table=f32[?x64]");
  if (!spec) return fail(spec.error());

  std::vector<float> made(2 * kTokens * kWidth);
  std::vector<std::int32_t> tokens(2 * kTokens);
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    tokens[row] = static_cast<std::int32_t>(row % kTokens);
    for (std::size_t i = 0; i < kWidth; ++i) made[row * kWidth + i] = row < kTokens ? 0.75F : 0.25F;
  }
  std::vector<float> combined(kTokens * kWidth);
  const std::int64_t shape[] = {kTokens, kWidth};
  const BufferView buffers[] = {view_of("src", made), view_of("idx", tokens),
                                view_of("table", combined, shape)};
  const Result<Done> done = call(*spec, {.buffers = buffers});
  if (!done) return fail(done.error());
  for (const float sum : combined) {
    if (sum != 1.0F) return 1;
  }

  const Result<std::string> text = emit_source(*spec);
  if (!text) return fail(text.error());
  std::printf("combined; the kernel for A5 has %zu characters\n", text->size());
  return text->find("MSCATTER<") == std::string::npos ? 1 : 0;
}
