// HostFeatures: what the CPU and the operating system offer generated code. Plain data, so that a
// strategy or an emitter can be given any other host to work for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pto::jit {

// Vector features count only where the operating system keeps their registers.
struct HostFeatures {
  bool bmi2 = false;
  bool avx2 = false;
  bool f16c = false;
  bool fma = false;
  bool avx512f = false;
  bool avx512bw = false;
  bool avx512dq = false;
  bool avx512vl = false;
  bool avx512cd = false;
  bool avx512fp16 = false;
  bool fast_gather = false;  // gather instructions beat scalar loads, as measured
  // Its second cache answers stores soon, and it fetches ahead for each load instruction by itself.
  bool amd_core = false;
  bool wide_core = false;  // of AMD's: loads and stores 64 bytes in the time of 32
  bool neon = false;       // every aarch64 host has it, and no other
  bool fp16 = false;       // adds f16 as it is, one and vectors of them
  bool sve = false;
  bool sve2 = false;

  std::size_t sve_bytes = 0;  // of a vector of SVE

  // Bytes; the values here stand in where the host does not tell.
  std::size_t l1d = std::size_t{32} << 10;
  std::size_t l2 = std::size_t{1} << 20;
  std::size_t l3 = std::size_t{8} << 20;
  std::size_t string_from = 4096;  // from here on `rep movsb` beats vector copies, as measured

  bool operator==(const HostFeatures&) const = default;

  // For keys: each feature a bit of the lower ones, the cache sizes mixed into the others.
  std::uint32_t bits() const;
};

enum class Architecture : std::uint8_t { Any, X86_64, Aarch64 };

std::string_view name_of(Architecture architecture);
Architecture architecture_of(const HostFeatures& host);

// A level belongs to an architecture. Native is all the host has, Baseline what its architecture
// began with, SSE2 or NEON. Avx512 is F, BW, DQ, VL and CD on top of Avx2; Avx2 comes with F16C,
// FMA and BMI2. Sve2 and Sve are at the host's length of vectors and come with arithmetic on f16.
enum class FeatureLevel : std::uint8_t { Native, Avx512, Avx2, Baseline, Sve2, Sve, Neon };

Architecture architecture_of(FeatureLevel level);  // Any: every one has it

// Whether it is a level of this host's architecture, which may lack it all the same.
bool is_known_here(FeatureLevel level);

// For messages: what levels are called, and where.
inline constexpr std::string_view kLevelNames =
    "native, avx512, avx2 or baseline; on aarch64 native, sve2, sve, neon or baseline";

std::string_view name_of(FeatureLevel level);
std::optional<FeatureLevel> feature_level_named(std::string_view name);

// Read once, in the first call.
const HostFeatures& host_features();

// Masks what is above `level`, or of another architecture; never adds anything. Cache sizes stay.
HostFeatures with_level(HostFeatures features, FeatureLevel level);

// Whether all that makes up `level` is there. Every host has Native and Baseline.
bool has_level(const HostFeatures& features, FeatureLevel level);

// Why a host cannot run code of a level: another has it, or a better one of its kind. Empty: it
// can.
std::string why_without(const HostFeatures& features, FeatureLevel level);

// The highest level but Native of which a host has all.
FeatureLevel best_level(const HostFeatures& features);

}  // namespace pto::jit
