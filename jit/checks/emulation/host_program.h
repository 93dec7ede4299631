// HostProgram: source text compiled by the host's compiler against the emulation. Its kernels run
// in processes of their own, so that whatever they do is something to report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ir/result.h"
#include "jit/checks/emulation/run_record.h"
#include "jit/checks/emulation/scratch.h"

namespace pto::jit {

// The compiler to use: $CXX, or the first of c++, g++ and clang++ there is.
Result<std::string> host_compiler();

// Whether a program can be started by this name.
bool is_on_path(const std::string& program);

// How a text is compiled.
struct HostSetting {
  std::string compiler = {};  // with its options; empty: host_compiler()
  std::string standard = "c++17";
};

struct HostUnit {
  std::string text;   // with the harness
  std::string flags;  // separated by spaces: what chooses the device
  HostSetting setting = {};
  std::string folder = {};     // where it finds files of its own; empty: it has none
  bool may_warn = false;       // otherwise warnings are errors
  std::int64_t seconds = 600;  // that compiling it may take
};

// A stretch of global memory.
struct HostBuffer {
  std::string name;
  std::span<std::byte> bytes;
  bool is_rank = false;  // found by its address, in a table that comes before all of these
};

struct HostCall {
  std::string kernel;
  std::vector<HostBuffer> buffers;  // in the order of the kernel's pointers
  std::vector<std::int64_t> extents;
  std::int64_t seconds = 60;  // it may take
};

class HostProgram {
 public:
  // Nothing is left behind in the file system when the last copy is gone.
  static Result<HostProgram> build(const HostUnit& unit);

  // The buffers hold what the kernel leaves. A kernel that crashes, does not end, ends the program,
  // takes too much memory or prints has a report that says so, and leaves them alone.
  Result<RunRecord> run(const HostCall& call) const;

 private:
  explicit HostProgram(Scratch folder) : folder_(std::make_shared<Scratch>(std::move(folder))) {}

  std::shared_ptr<const Scratch> folder_;
};

}  // namespace pto::jit
