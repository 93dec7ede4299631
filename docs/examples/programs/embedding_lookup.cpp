// Embedding lookup: one kernel, compiled once, gathers the rows of batches of any size up to 64.
// An id beyond the vocabulary gives a row of zeros.
#include <ptojit/ptojit.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using namespace pto::jit;

constexpr std::int64_t kWidth = 256;
constexpr std::int64_t kVocabulary = 1000;

// The frame is taken as it is: whoever calls a kernel like this answers for the memory.
void look_up(const Kernel& kernel, std::vector<float>& table, const std::vector<std::int32_t>& ids,
             std::vector<float>& out) {
  Frame frame;
  frame.tile = out.data();
  frame.index = ids.data();
  frame.table = table.data();
  frame.extents[static_cast<std::size_t>(Dim::DataVr)] = static_cast<std::int64_t>(ids.size());
  frame.extents[static_cast<std::size_t>(Dim::TableD3)] = kVocabulary;
  kernel(frame);
}

}  // namespace

int main() {
  const Result<Kernel> kernel =
      compile("a5:mgather.row.zero dst=f32[64x256|?x256] idx=i32[1x64|1x?] table=f32[?x256]");
  if (!kernel) {
    std::fputs(render(kernel.error()).c_str(), stderr);
    return 1;
  }
  std::vector<float> table(kVocabulary * kWidth);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i / kWidth);
  std::vector<float> out(64 * kWidth, -1.0F);
  for (const std::vector<std::int32_t>& ids :
       {std::vector<std::int32_t>{7, 999, 3}, std::vector<std::int32_t>{1000, 7}}) {
    look_up(*kernel, table, ids, out);
    for (std::size_t row = 0; row < ids.size(); ++row) {
      const float wanted = ids[row] < kVocabulary ? static_cast<float>(ids[row]) : 0.0F;
      if (out[row * kWidth] != wanted || out[row * kWidth + kWidth - 1] != wanted) return 1;
    }
    std::printf("%zu rows looked up\n", ids.size());
  }
  return out[2 * kWidth] == 3.0F ? 0 : 1;  // the second batch had two rows
}
