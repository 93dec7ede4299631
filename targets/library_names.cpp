// Names that the devices' libraries and compilers have taken: a kernel is a function among them.
#include <algorithm>
#include <array>

#include "ir/function_name.h"
#include "targets/source_words.h"

namespace pto::jit {
namespace {

// Types, functions and variables, also of the C library they come with; instructions and macros are
// told by their capitals.
constexpr std::string_view kTaken = R"(
AccPhase AccToVecMode AsyncEvent AsyncSession AtomicType BLayout BaseShape2D
CcuTriggerContext ChipArch CmpMode Coalesce CollEngine CompactMode ConvTile DataFIFO
Direction DivAlgorithm DmaEngine ExpAlgorithm GatherAxis GatherOOB GlobalSignal GlobalTensor
Layout LogAlgorithm MaskPattern NotifyOp Op PadValue ParallelGroup PowAlgorithm PrintFormat
QuantType RecipAlgorithm RecordEvent ReduceOp ReluPreMode RingFIFO RoundMode RsqrtAlgorithm
SLayout SaturationMode ScatterAtomicOp ScatterAxis ScatterConflict ScatterOOB Shape Signal
Signal2D SqrtAlgorithm Stride SyncAllMode SyncCoreType Tile TileAcc TileLeft TileRight
TileShape2D TileSplitAxis TileType WaitAllEvents WaitCmp abort abs aclFinalize aclInit
atomicAdd atomicMax atomicMin bfloat16_t blockDim blockIdx cache_line_t calloc cce ceil comm
cos dcci dcci_dst_t dim3 div dsb event_t exit exp fabs float16_t float32_t float8_e4m3_t
float8_e5m2_t floor fmax fmin fmod free get_block_idx get_block_num get_subblockdim
get_subblockid gridDim half hifloat8_t index int16_t int32_t int4b_t int64_t int8_t
is_boxed_tile is_conv_tile is_event is_global is_tile log malloc mem_dsb_t memchr memcmp
memcpy memmove memset movemask pipe_barrier pipe_t pow printf pto puts qsort rand read
remove remove_gm rename round sbitset0 sbitset1 set_flag set_vector_mask signal sin size_t
sqrt srand std tan threadIdx time trunc uint16_t uint32_t uint64_t uint8_t wait_flag write
)";

constexpr std::array<std::string_view, 5> kFamilies = {"aclrt", "copy_gm_to_", "copy_ubuf_to_",
                                                       "pto_", "set_atomic_"};

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
