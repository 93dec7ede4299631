// Top-k split: a sort leaves pairs of value and position; two gathers by byte offsets take them
// apart. What a target makes of a spec is known before anything runs.
#include <ptojit/ptojit.h>

#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

namespace {

using namespace pto::jit;

constexpr std::string_view kSplit = "a5:tgatherb src=u32[1x256] offset=u32[1x128] dst=u32[1x128]";
constexpr std::string_view kTooNarrow =
    "a5:tgatherb src=u32[1x256] offset=u32[1x128] dst=u32[1x100]";

using Words = std::vector<std::uint32_t>;

// Every second word of `pairs`, from the byte `first` on.
Result<Words> take(const Words& pairs, std::uint32_t first) {
  const Result<KernelSpec> spec = parse(kSplit);
  if (!spec) return spec.error();
  Words offsets(128), out(128);
  for (std::uint32_t i = 0; i < 128; ++i) offsets[i] = first + 8 * i;
  const BufferView buffers[] = {view_of("src", pairs), view_of("offset", offsets),
                                view_of("dst", out)};
  const Result<Done> done = call(*spec, {.buffers = buffers});
  if (!done) return done.error();
  return out;
}

}  // namespace

int main() {
  const Result<LegalSpec> narrow = verify(*parse(kTooNarrow));
  if (narrow) return 1;
  std::printf("refused: %s\n", narrow.error()[0].id.c_str());

  Words pairs(256);
  for (std::uint32_t i = 0; i < 128; ++i) {
    pairs[2 * i] = 1000 - i;
    pairs[2 * i + 1] = i;
  }
  const Result<Words> values = take(pairs, 0), positions = take(pairs, 4);
  if (!values || !positions) return 1;
  for (std::uint32_t i = 0; i < 128; ++i) {
    if ((*values)[i] != 1000 - i || (*positions)[i] != i) return 1;
  }
  std::puts("split");
  return 0;
}
