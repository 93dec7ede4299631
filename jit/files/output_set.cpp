#include "jit/files/output_set.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "jit/files/files.h"
#include "runtime/held_signals.h"

namespace pto::jit::cli {
namespace {

constexpr mode_t kNewFile = 0666;

int put_left(const Output& output, int descriptor) {
  const int code = write_all(descriptor, output.front);
  return code != 0 ? code : write_all(descriptor, output.rest);
}

// A replaced file keeps its mode, and its owner where we may give files away.
int keep_mode(int descriptor, const struct stat& existing) {
  const int owner_code = ::fchown(descriptor, existing.st_uid, existing.st_gid) == 0 ? 0 : errno;
  const mode_t mask = owner_code == 0 ? 07777 : 0777;
  return ::fchmod(descriptor, existing.st_mode & mask) == 0 ? 0 : errno;
}

int finish(const Output& output) {
  const int descriptor = output.file.descriptor();
  int code = put_left(output, descriptor);
  if (code == 0 && output.to.existing) code = keep_mode(descriptor, *output.to.existing);
  if (code == 0 && ::fsync(descriptor) != 0) code = errno;
  return code;
}

// Appending leaves what a redirected standard output already holds.
int write_in_place(const Output& output) {
  const int descriptor = ::open(output.to.path.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int code = put_left(output, descriptor);
  const bool is_closed = ::close(descriptor) == 0;
  return code != 0 || is_closed ? code : errno;
}

}  // namespace

Result<Output*> OutputSet::add(const std::string& path) {
  Result<Destination> to = find_destination(path);
  if (!to) return std::move(to).error();
  if (!files_.insert(identity_of(path)).second)
    return unwritable(path, "two outputs go to this path");
  Output& output = outputs_.emplace_back(Output{path, std::move(*to), {}});
  if (output.to.is_in_place) return &output;
  if (const int code = output.file.open(parent_of(output.to.path), kNewFile))
    return unwritable(path, code);
  return &output;
}

Result<Done> OutputSet::complete() {
  Result<Done> filled = fill();
  return filled ? take_names() : filled;
}

Result<Done> OutputSet::fill() {
  for (const bool is_in_place : {false, true}) {
    for (const Output& output : outputs_) {
      if (output.to.is_in_place != is_in_place) continue;
      const int code = is_in_place ? write_in_place(output) : finish(output);
      if (code != 0) return unwritable(output.path, code);
    }
  }
  return Done{};
}

// What can be known to prevent this was found out before.
Result<Done> OutputSet::take_names() {
  const HeldSignals meanwhile;
  for (Output& output : outputs_) {
    const int code = output.to.is_in_place ? 0 : output.file.approach_name();
    if (code != 0) return unwritable(output.path, code);
  }
  std::string_view state;
  for (Output& output : outputs_) {
    if (output.to.is_in_place) continue;
    if (const int code = output.file.take_name(output.to.path)) {
      const std::string why = std::generic_category().message(code);
      return unwritable(output.path, why + std::string(state));
    }
    state = "; the outputs named before it are written";
  }
  return Done{};
}

OutputFile text_file(const std::filesystem::path& path, std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {path.string(), {bytes, bytes + text.size()}};
}

Result<Done> write_files(std::span<const OutputFile> files) {
  OutputSet outputs;
  for (const OutputFile& file : files) {
    const Result<Output*> output = outputs.add(file.path);
    if (!output) return output.error();
    (*output)->rest = file.bytes;
  }
  return outputs.complete();
}

}  // namespace pto::jit::cli
