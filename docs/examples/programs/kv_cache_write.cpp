// KV-cache write: the keys of a decoding step go to their slots of the cache. A token without a
// slot has -1, which is beyond the end of every cache and skipped.
#include <ptojit/ptojit.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using namespace pto::jit;

// `keys` holds rows of 128 bf16 as their bits, eight of them; the first `tokens` are written.
Result<Done> write_keys(std::vector<std::uint16_t>& cache, const std::vector<std::uint16_t>& keys,
                        const std::vector<std::int32_t>& slots, std::int64_t tokens) {
  const Result<KernelSpec> spec =
      parse("a5:mscatter.row.skip src=bf16[8x128|?x128] idx=i32[1x8|1x?] table=bf16[?x128]");
  if (!spec) return spec.error();
  const std::int64_t shape[] = {static_cast<std::int64_t>(cache.size()) / 128, 128};
  const BufferView buffers[] = {view_of("src", keys), view_of("idx", slots),
                                view_of("table", cache, shape)};
  const Binding rows[] = {{Dim::DataVr, tokens}};
  return call(*spec, {.buffers = buffers, .bindings = rows});
}

}  // namespace

int main() {
  std::vector<std::uint16_t> cache(64 * 128);
  const std::vector<std::uint16_t> keys(8 * 128, 0x3f80);  // 1.0
  const std::vector<std::int32_t> slots = {5, -1, 40, 0, 0, 0, 0, 0};
  const Result<Done> done = write_keys(cache, keys, slots, 3);
  if (!done) {
    std::fputs(render(done.error()).c_str(), stderr);
    return 1;
  }
  std::int64_t written = 0;
  for (const std::uint16_t element : cache) written += element != 0;
  std::printf("%lld elements written\n", static_cast<long long>(written));
  return written == 2 * 128 && cache[5 * 128] != 0 && cache[40 * 128] != 0 ? 0 : 1;
}
