#include "bench/machine.h"

#include <cstdlib>
#include <fstream>
#include <thread>

#include "jit/cli/timing/memory_level.h"
#include "runtime/host/host_features.h"

namespace pto::jit::bench {
namespace {

// The word in brackets of "always [madvise] never".
std::string large_pages() {
  std::ifstream in("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string word;
  while (in >> word) {
    if (word.front() == '[') return word.substr(1, word.size() - 2);
  }
  return "unknown";
}

}  // namespace

Machine this_machine() {
  const HostFeatures& host = host_features();
  const bool has_string = host.string_from <= host.l3;
  Machine out;
  out.processor = cli::host_name();
  out.cores = static_cast<int>(std::thread::hardware_concurrency());
  out.l1 = host.l1d;
  out.l2 = host.l2;
  out.l3 = host.l3;
  out.gathers = host.fast_gather ? "fast" : "slow";
  out.string_move = has_string ? formatted("from %zu bytes", host.string_from) : "never";
  out.large_pages = large_pages();
  if (getloadavg(&out.load, 1) != 1) out.load = 0;
  return out;
}

}  // namespace pto::jit::bench
