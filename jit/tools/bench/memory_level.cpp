#include "jit/tools/bench/memory_level.h"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <sstream>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace pto::jit::cli {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

// One mapping of /proc/self/smaps, as far as it is wanted here.
struct Mapping {
  std::uint64_t page = 0;
  std::uint64_t resident = 0;
  std::uint64_t huge = 0;  // of it, on transparent huge pages
};

// The lines of the mapping that holds `address`.
Mapping mapping_of(std::uint64_t address) {
  std::ifstream in("/proc/self/smaps");
  Mapping out;
  bool is_here = false;
  for (std::string line; std::getline(in, line);) {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " ", &begin, &end) == 2) {
      if (is_here) break;
      is_here = begin <= address && address < end;
    }
    if (!is_here) continue;
    std::istringstream words(line);
    std::string name;
    std::uint64_t kilobytes = 0;
    words >> name >> kilobytes;
    if (name == "KernelPageSize:") out.page = kilobytes << 10;
    if (name == "Rss:") out.resident = kilobytes << 10;
    if (name == "AnonHugePages:") out.huge = kilobytes << 10;
  }
  return out;
}

}  // namespace

std::size_t page_size_under(std::span<const std::byte> bytes) {
  if (bytes.empty()) return 0;
  const Mapping mapping = mapping_of(reinterpret_cast<std::uintptr_t>(bytes.data()));
  return mapping.huge * 2 > mapping.resident ? kHugePage : mapping.page;
}

std::string host_name() {
  std::ifstream in("/proc/cpuinfo");
  std::string name = "unknown processor";
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    name = line.substr(colon + 2);
    break;
  }
  return name + ", " + std::string(name_of(best_level(host_features())));
}

std::string bytes_text(double bytes) {
  constexpr std::array kUnits = {"bytes", "KB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  std::ostringstream out;
  out << std::setprecision(3) << bytes << ' ' << kUnits[unit];
  return out.str();
}

std::string level_met(double bytes_touched, std::size_t page_size, const HostFeatures& host) {
  struct Cache {
    const char* name;
    std::size_t bytes;
  };
  for (const Cache& cache : {Cache{"L1", host.l1d}, Cache{"L2", host.l2}, Cache{"L3", host.l3}}) {
    if (bytes_touched <= static_cast<double>(cache.bytes))
      return std::string(cache.name) + " (" + bytes_text(static_cast<double>(cache.bytes)) + ")";
  }
  std::string out = "beyond L3 (" + bytes_text(static_cast<double>(host.l3)) + ")";
  if (page_size > 0) out += ", on pages of " + bytes_text(static_cast<double>(page_size));
  return out;
}

#if defined(__x86_64__)

namespace {

constexpr std::size_t kLine = 64;

bool has_clflushopt() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && ((ebx >> 23) & 1U) != 0;
}

__attribute__((target("clflushopt"))) void flush_line(const std::byte* line) {
  _mm_clflushopt(const_cast<std::byte*>(line));
}

}  // namespace

bool flush_lines(std::span<const std::byte> bytes) {
  static const bool can_flush = has_clflushopt();
  if (!can_flush) return false;
  for (std::size_t at = 0; at < bytes.size(); at += kLine) flush_line(bytes.data() + at);
  if (!bytes.empty()) flush_line(&bytes.back());
  _mm_mfence();
  return true;
}

#else

bool flush_lines(std::span<const std::byte>) { return false; }

#endif

}  // namespace pto::jit::cli
