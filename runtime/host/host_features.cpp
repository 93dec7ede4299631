#include "runtime/host/host_features.h"

#include <unistd.h>

#include <array>
#include <fstream>

#include "ir/enum_set.h"
#include "runtime/host/host_probe.h"
#include "runtime/made_once.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace pto::jit {
namespace {

// One row per feature: the lowest level that keeps it, and whether that level cannot do without.
struct Feature {
  bool HostFeatures::* is_on;
  FeatureLevel level;
  bool is_required;
};

constexpr std::array kFeatures = {
    Feature{&HostFeatures::bmi2, FeatureLevel::Avx2, true},
    Feature{&HostFeatures::avx2, FeatureLevel::Avx2, true},
    Feature{&HostFeatures::f16c, FeatureLevel::Avx2, true},
    Feature{&HostFeatures::fma, FeatureLevel::Avx2, true},
    Feature{&HostFeatures::avx512f, FeatureLevel::Avx512, true},
    Feature{&HostFeatures::avx512bw, FeatureLevel::Avx512, true},
    Feature{&HostFeatures::avx512dq, FeatureLevel::Avx512, true},
    Feature{&HostFeatures::avx512vl, FeatureLevel::Avx512, true},
    Feature{&HostFeatures::avx512cd, FeatureLevel::Avx512, true},
    Feature{&HostFeatures::avx512fp16, FeatureLevel::Native, false},
    Feature{&HostFeatures::fast_gather, FeatureLevel::Avx2, false},
    Feature{&HostFeatures::amd_core, FeatureLevel::Avx2, false},
    Feature{&HostFeatures::wide_core, FeatureLevel::Avx512, false},
    Feature{&HostFeatures::neon, FeatureLevel::Neon, true},
    Feature{&HostFeatures::fp16, FeatureLevel::Sve, true},
    Feature{&HostFeatures::sve, FeatureLevel::Sve, true},
    Feature{&HostFeatures::sve2, FeatureLevel::Sve2, true},
};
constexpr int kFeatureBits = 20;
static_assert(kFeatures.size() <= kFeatureBits);

// One row per level. Those of an architecture are nested: whatever a rank keeps, higher ones keep.
struct Level {
  FeatureLevel level;
  std::string_view name;
  Architecture architecture;
  int rank;
};

constexpr std::array kLevels = {
    Level{FeatureLevel::Native, "native", Architecture::Any, 3},
    Level{FeatureLevel::Avx512, "avx512", Architecture::X86_64, 2},
    Level{FeatureLevel::Avx2, "avx2", Architecture::X86_64, 1},
    Level{FeatureLevel::Baseline, "baseline", Architecture::Any, 0},
    Level{FeatureLevel::Sve2, "sve2", Architecture::Aarch64, 2},
    Level{FeatureLevel::Sve, "sve", Architecture::Aarch64, 1},
    Level{FeatureLevel::Neon, "neon", Architecture::Aarch64, 0},
};

constexpr Level kNoLevel = {FeatureLevel::Native, "nothing", Architecture::Any, 0};

const Level& level_row(FeatureLevel level) { return row_of(kLevels, level, kNoLevel); }

// What an architecture began with is within all of its levels and those of others.
bool is_within(const Feature& feature, const Level& level) {
  const Level& least = level_row(feature.level);
  const bool is_of_it =
      level.architecture == Architecture::Any || level.architecture == least.architecture;
  return least.rank == 0 || (is_of_it && least.rank <= level.rank);
}

#if defined(__x86_64__)

struct Registers {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
};

// All zero where the CPU does not know the leaf.
Registers cpuid(unsigned leaf) {
  Registers out;
  __get_cpuid_count(leaf, 0, &out.eax, &out.ebx, &out.ecx, &out.edx);
  return out;
}

bool has_bit(unsigned word, unsigned bit) { return ((word >> bit) & 1U) != 0; }

// Which registers the operating system saves; nothing when it does not say.
unsigned saved_registers(const Registers& basic) {
  if (!has_bit(basic.ecx, 27)) return 0;
  unsigned low = 0;
  unsigned high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

// "AuthenticAMD", of which the middle is enough.
bool is_by_amd() { return cpuid(0).edx == 0x69746e65; }

// The number by which processors of a kind are known, of which some is written apart.
unsigned family_of(const Registers& basic) {
  constexpr unsigned kExtended = 0xf;
  const unsigned family = basic.eax >> 8 & 0xfU;
  return family == kExtended ? family + (basic.eax >> 20 & 0xffU) : family;
}

void read_instructions(HostFeatures& out) {
  constexpr unsigned kZen5 = 0x1a;
  const Registers basic = cpuid(1);
  out.amd_core = is_by_amd();
  out.wide_core = out.amd_core && family_of(basic) >= kZen5;
  const Registers more = cpuid(7);
  const unsigned saved = saved_registers(basic);
  const bool ymm = (saved & 0x06U) == 0x06U;
  const bool zmm = ymm && (saved & 0xe0U) == 0xe0U;
  out.bmi2 = has_bit(more.ebx, 8);
  out.avx2 = ymm && has_bit(more.ebx, 5);
  out.f16c = ymm && has_bit(basic.ecx, 29);
  out.fma = ymm && has_bit(basic.ecx, 12);
  out.avx512f = zmm && has_bit(more.ebx, 16);
  out.avx512bw = zmm && has_bit(more.ebx, 30);
  out.avx512dq = zmm && has_bit(more.ebx, 17);
  out.avx512vl = zmm && has_bit(more.ebx, 31);
  out.avx512cd = zmm && has_bit(more.ebx, 28);
  out.avx512fp16 = zmm && has_bit(more.edx, 23);
}

#elif defined(__aarch64__)

// HWCAP_FPHP and HWCAP_ASIMDHP: one f16, and vectors of them.
constexpr unsigned long kHalf = HWCAP_FPHP | HWCAP_ASIMDHP;

void read_instructions(HostFeatures& out) {
  const unsigned long has = getauxval(AT_HWCAP);
  out.neon = (has & HWCAP_ASIMD) != 0;
  out.fp16 = (has & kHalf) == kHalf;
  out.sve = (has & HWCAP_SVE) != 0;
  out.sve2 = out.sve && (getauxval(AT_HWCAP2) & HWCAP2_SVE2) != 0;
  const int length = out.sve ? prctl(PR_SVE_GET_VL) : 0;
  if (length > 0) out.sve_bytes = static_cast<std::size_t>(length & PR_SVE_VL_LEN_MASK);
}

#else

void read_instructions(HostFeatures&) {}

#endif

void read_size(std::size_t& out, int name) {
  const long bytes = sysconf(name);
  if (bytes > 0) out = static_cast<std::size_t>(bytes);
}

// The last cache as one core sees it. sysconf adds up those of all cores on some processors.
void read_last_cache(std::size_t& out) {
  std::ifstream in("/sys/devices/system/cpu/cpu0/cache/index3/size");
  std::size_t kilobytes = 0;
  char unit = 0;
  if (in >> kilobytes >> unit && unit == 'K' && kilobytes > 0) out = kilobytes << 10;
}

HostFeatures read_host() {
  HostFeatures out;
  read_instructions(out);
  read_size(out.l1d, _SC_LEVEL1_DCACHE_SIZE);
  read_size(out.l2, _SC_LEVEL2_CACHE_SIZE);
  read_size(out.l3, _SC_LEVEL3_CACHE_SIZE);
  read_last_cache(out.l3);
  probe(out);
  return out;
}

}  // namespace

std::uint32_t HostFeatures::bits() const {
  std::uint32_t flags = 0;
  for (std::size_t i = 0; i < kFeatures.size(); ++i) {
    if (this->*kFeatures[i].is_on) flags |= std::uint32_t{1} << i;
  }
  std::uint64_t sizes = l1d;
  for (const std::size_t size : {l2, l3, string_from, sve_bytes})
    sizes = sizes * 0x9e3779b97f4a7c15 + size;
  sizes *= 0xff51afd7ed558ccd;
  return flags | static_cast<std::uint32_t>(sizes >> 32 >> kFeatureBits) << kFeatureBits;
}

std::string_view name_of(Architecture architecture) {
  static constexpr std::array<std::string_view, 3> kNames = {"any", "x86-64", "aarch64"};
  static constexpr std::string_view kNone = "nothing";
  return row_of(kNames, architecture, kNone);
}

Architecture architecture_of(const HostFeatures& host) {
  return host.neon ? Architecture::Aarch64 : Architecture::X86_64;
}

Architecture architecture_of(FeatureLevel level) { return level_row(level).architecture; }

bool is_known_here(FeatureLevel level) {
  const Architecture owner = architecture_of(level);
  return owner == Architecture::Any || owner == architecture_of(host_features());
}

std::string_view name_of(FeatureLevel level) { return level_row(level).name; }

std::optional<FeatureLevel> feature_level_named(std::string_view name) {
  for (const Level& level : kLevels) {
    if (level.name == name) return level.level;
  }
  return std::nullopt;
}

const HostFeatures& host_features() {
  static constinit MadeOnce<const HostFeatures> host;
  return host.get([] { return std::make_unique<const HostFeatures>(read_host()); });
}

HostFeatures with_level(HostFeatures features, FeatureLevel level) {
  for (const Feature& feature : kFeatures) {
    if (!is_within(feature, level_row(level))) features.*feature.is_on = false;
  }
  if (!features.sve) features.sve_bytes = 0;
  return features;
}

bool has_level(const HostFeatures& features, FeatureLevel level) {
  const Level& wanted = level_row(level);
  for (const Feature& feature : kFeatures) {
    const Level& least = level_row(feature.level);
    const bool is_needed = feature.is_required && least.architecture == wanted.architecture &&
                           least.rank <= wanted.rank;
    if (is_needed && !(features.*feature.is_on)) return false;
  }
  return true;
}

std::string why_without(const HostFeatures& features, FeatureLevel level) {
  const Architecture owner = architecture_of(level);
  const Architecture here = architecture_of(features);
  if (has_level(features, level)) return {};
  if (owner == here) return "this host cannot run code for " + std::string(name_of(level));
  return std::string(name_of(level)) + " is a level of " + std::string(name_of(owner)) +
         ", and this host is " + std::string(name_of(here));
}

FeatureLevel best_level(const HostFeatures& features) {
  for (const FeatureLevel level : {FeatureLevel::Avx512, FeatureLevel::Avx2, FeatureLevel::Sve2,
                                   FeatureLevel::Sve, FeatureLevel::Neon}) {
    if (has_level(features, level)) return level;
  }
  return FeatureLevel::Baseline;
}

}  // namespace pto::jit
