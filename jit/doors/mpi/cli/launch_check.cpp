#include "jit/doors/mpi/cli/launch_check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "jit/backends/objects/object_file.h"
#include "jit/calls/mpi/status.h"
#include "jit/files/destination.h"
#include "jit/files/links.h"

namespace pto::jit::mpi {
namespace {

namespace fs = std::filesystem;

// What every rank says, by rank.
template <std::size_t kWords>
Result<std::vector<std::array<std::uint64_t, kWords>>> gather_words(
    MPI_Comm comm, const std::array<std::uint64_t, kWords>& mine) {
  std::vector<std::array<std::uint64_t, kWords>> all(static_cast<std::size_t>(ranks_in(comm)));
  constexpr int kCount = static_cast<int>(kWords);
  if (Result<Done> told = checked(
          MPI_Allgather(mine.data(), kCount, MPI_UINT64_T, all.data(), kCount, MPI_UINT64_T, comm),
          "MPI_Allgather");
      !told)
    return told.error();
  return all;
}

std::uint64_t digest_of(const cli::KernelOptions& options) {
  std::uint64_t out = checksum(options.spec);
  const std::vector<std::string> rest = {
      options.backend ? std::string(name_of(*options.backend)) : options.backend.error()[0].message,
      options.json ? "--json" : ""};
  for (const auto* words : {&options.in, &options.out, &options.bind, &rest}) {
    out = checksum(std::to_string(words->size()), out);
    for (const std::string& word : *words)
      out = checksum(std::to_string(word.size()) + ":" + word, out);
  }
  return out;
}

// By device and number, which mean something on one host; and by path, which may lead to the same
// on several. Descriptors of all ranks end in the launcher's.
std::array<std::uint64_t, 2> keys_of(const std::string& path) {
  if (path.empty()) return {};
  std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
  int length = 0;
  MPI_Get_processor_name(host.data(), &length);
  const cli::PathEnd end = cli::end_of_links(path);
  std::error_code ignored;
  const fs::path name = end.is_descriptor
                            ? end.path.filename()
                            : fs::weakly_canonical(fs::absolute(end.path, ignored), ignored);
  return {checksum(cli::identity_of(path), checksum(host.data())), checksum(name.string())};
}

}  // namespace

Result<Done> compare_commands(MPI_Comm comm, const cli::KernelOptions& options) {
  const auto all = gather_words<1>(comm, {digest_of(options)});
  if (!all) return all.error();
  std::string others;
  for (std::size_t rank = 0; rank < all->size(); ++rank) {
    if ((*all)[rank] != (*all)[0]) others += (others.empty() ? "" : ", ") + std::to_string(rank);
  }
  if (others.empty()) return Done{};
  return error("run.differs",
               "rank " + others + (others.find(',') == std::string::npos ? " has" : " have") +
                   " another command line than rank 0; all ranks of a group get the same");
}

Result<Done> compare_outputs(MPI_Comm comm, const std::vector<std::string>& given,
                             const std::string& mine) {
  const auto all = gather_words<2>(comm, keys_of(mine));
  if (!all) return all.error();
  for (std::size_t rank = 0; rank < all->size(); ++rank) {
    for (std::size_t other = 0; other < rank; ++other) {
      const auto& [here, anywhere] = (*all)[rank];
      const bool is_one = here != 0 && (here == (*all)[other][0] || anywhere == (*all)[other][1]);
      if (!is_one) continue;
      const std::string name = "dst." + std::to_string(rank) + "=";
      const auto at = std::ranges::find_if(
          given, [&](const std::string& text) { return text.starts_with(name); });
      const std::string path = at == given.end() ? "" : at->substr(name.size());
      return cli::unwritable(path, "ranks " + std::to_string(other) + " and " +
                                       std::to_string(rank) + " would write this file");
    }
  }
  return Done{};
}

}  // namespace pto::jit::mpi
