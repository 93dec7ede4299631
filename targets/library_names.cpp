// Names that the devices' libraries and compilers have taken: a kernel is a function among them.
#include <algorithm>
#include <array>

#include "ir/function_name.h"
#include "targets/source_words.h"

namespace pto::jit {
namespace {

// Types, functions and variables; instructions and macros are told by their capitals.
constexpr std::string_view kTaken = R"(
BLayout BaseShape2D CcuTriggerContext Coalesce CollEngine GatherOOB GlobalTensor Layout
MaskPattern ParallelGroup SLayout ScatterAtomicOp ScatterConflict ScatterOOB Shape Stride
Tile TileType atomicAdd atomicMax atomicMin bfloat16_t blockDim blockIdx cache_line_t cce
comm dcci dim3 dsb float8_e4m3_t float8_e5m2_t get_block_idx get_block_num gridDim half
hifloat8_t int16_t int32_t int64_t int8_t pipe_barrier pto set_flag size_t std threadIdx
uint16_t uint32_t uint64_t uint8_t wait_flag
)";

constexpr std::array<std::string_view, 3> kFamilies = {"copy_gm_to_", "copy_ubuf_to_",
                                                       "set_atomic_"};

bool is_all_capitals(std::string_view name) {
  return std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::optional<Diagnostic> refuse_kernel_name(std::string_view name) {
  if (const std::string why = reserved_name(name); !why.empty()) return bad_name(name, why);
  const bool is_taken = has_word(kTaken, name) || is_all_capitals(name) ||
                        std::ranges::any_of(kFamilies, [&](std::string_view family) {
                          return name.starts_with(family);
                        });
  if (!is_taken) return std::nullopt;
  return bad_name(name, "it belongs to the device's library, as all names in capitals do");
}

}  // namespace pto::jit
