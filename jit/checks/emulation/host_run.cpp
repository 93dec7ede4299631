// One run of a kernel of a program: operands go to a file and come back from it, and whatever
// keeps the kernel from coming to its end becomes a report.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "jit/checks/emulation/contained_process.h"
#include "jit/checks/emulation/host_program.h"

namespace pto::jit {
namespace {

constexpr std::size_t kMostPrinted = 200;                  // bytes that are shown
constexpr std::size_t kMostRecord = std::size_t{1} << 30;  // bytes

std::string contents_of(const std::vector<HostBuffer>& buffers) {
  std::string out;
  for (const HostBuffer& buffer : buffers)
    out.append(reinterpret_cast<const char*>(buffer.bytes.data()), buffer.bytes.size());
  return out;
}

bool take_back(const std::vector<HostBuffer>& buffers, const std::string& contents) {
  std::size_t at = 0;
  for (const HostBuffer& buffer : buffers) {
    if (contents.size() - at < buffer.bytes.size()) return false;
    if (!buffer.bytes.empty())
      std::memcpy(buffer.bytes.data(), contents.data() + at, buffer.bytes.size());
    at += buffer.bytes.size();
  }
  return at == contents.size();
}

std::vector<std::string> command_of(const std::string& program, const HostCall& call) {
  std::vector<std::string> out = {program, call.kernel};
  bool has_table = false;
  for (const HostBuffer& buffer : call.buffers) {
    if (buffer.is_rank && !has_table) out.emplace_back("dst=@");
    has_table = has_table || buffer.is_rank;
    out.push_back(buffer.name + "=" + std::to_string(buffer.bytes.size()));
  }
  for (const std::int64_t extent : call.extents) out.push_back(std::to_string(extent));
  return out;
}

// The emulation keeps a log of each byte that is touched, and a second copy of the operands.
Limits limits_of(const HostCall& call, std::size_t bytes) {
  Limits out{.seconds = call.seconds};
  out.memory_bytes += 48 * static_cast<std::int64_t>(bytes);
  out.file_bytes += static_cast<std::int64_t>(bytes);
  return out;
}

// Whether it wrote more than this process may, though no more than a kernel may.
bool is_short_of_files(const ProcessEnd& end, const Limits& limits) {
  rlimit own = {};
  return end.how == End::Killed && end.code == SIGXFSZ && ::getrlimit(RLIMIT_FSIZE, &own) == 0 &&
         own.rlim_cur < static_cast<rlim_t>(limits.file_bytes);
}

std::string shown(const std::string& printed) {
  const std::string_view trimmed(printed.data(), std::min(printed.find('\n'), printed.size()));
  return "'" + printable(trimmed, kMostPrinted) + "'";
}

// Why there is no complete record.
std::string why_unfinished(const ProcessEnd& end, std::int64_t seconds) {
  switch (end.how) {
    case End::Exited:
      return "exit: the kernel ends the program, with code " + std::to_string(end.code);
    case End::Killed:
      return "crash: the kernel is ended by signal " + std::to_string(end.code) + ", " +
             ::strsignal(end.code);
    case End::OutOfTime:
      return "time: the kernel does not end within " + std::to_string(seconds) + " seconds";
    case End::NotStarted: break;
  }
  return "";
}

}  // namespace

Result<RunRecord> HostProgram::run(const HostCall& call) const {
  const Result<Scratch> folder = Scratch::make();
  if (!folder) return folder.error();
  const std::string contents = contents_of(call.buffers);
  const Result<Done> written = folder->write("operands", contents);
  if (!written) return written.error();
  const Limits limits = limits_of(call, contents.size());
  const ProcessEnd end = run_contained(command_of(*folder_ / "kernel", call), *folder, limits);
  if (is_short_of_files(end, limits))
    return error("check.directory", "a file of the run may not grow; raise 'ulimit -f'");
  if (end.how == End::NotStarted)
    return error("check.start",
                 "programs cannot be started in '" + folder_->path().string() + "'; set TMPDIR");
  const std::string printed = folder->read(kOutput, 4 * kMostPrinted);
  std::optional<RunRecord> record;
  const bool is_good = end.how == End::Exited && end.code == 0;
  if (is_good) record = parse_record(folder->read("record", kMostRecord));
  if (!record) {
    const std::string words = printed.empty() ? "" : ", having printed " + shown(printed);
    return RunRecord{.reports = why_unfinished(end, call.seconds) + words + "\n"};
  }
  if (!printed.empty())
    record->reports += "output: the kernel prints " + shown(printed) + ", which no device can\n";
  if (!take_back(call.buffers, folder->read("operands", contents.size() + 1)))
    record->reports += "memory: the kernel's memory was lost\n";
  return std::move(*record);
}

}  // namespace pto::jit
