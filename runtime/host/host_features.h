// HostFeatures: what the CPU and the operating system offer generated code. Plain data, so that a
// strategy or an emitter can be given any other host to work for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

  // Bytes; the values here stand in where the host does not tell.
  std::size_t l1d = std::size_t{32} << 10;
  std::size_t l2 = std::size_t{1} << 20;
  std::size_t l3 = std::size_t{8} << 20;
  std::size_t string_from = 4096;  // from here on `rep movsb` beats vector copies, as measured

  bool operator==(const HostFeatures&) const = default;

  // For keys: each feature a bit of the low half, the cache sizes mixed into the high half.
  std::uint32_t bits() const;
};

// Native is all the host has. Avx512 is F, BW, DQ, VL and CD on top of Avx2; Avx2 comes with F16C,
// FMA and BMI2; Baseline is x86-64 as it began, with SSE2.
enum class FeatureLevel : std::uint8_t { Native, Avx512, Avx2, Baseline };

std::string_view name_of(FeatureLevel level);
std::optional<FeatureLevel> feature_level_named(std::string_view name);

// Read once, in the first call.
const HostFeatures& host_features();

// Masks what is above `level`; never adds anything. Cache sizes stay.
HostFeatures with_level(HostFeatures features, FeatureLevel level);

// Whether all that makes up `level` is there. Every host has Native and Baseline.
bool has_level(const HostFeatures& features, FeatureLevel level);

// The highest level but Native of which a host has all.
FeatureLevel best_level(const HostFeatures& features);

}  // namespace pto::jit
