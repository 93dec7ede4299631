// A kernel that somebody wrote by hand: its text, and which of its functions is the kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"
#include "jit/checks/emulation/host_program.h"
#include "targets/source_plan.h"

namespace pto::jit::cli {

// The functions a text calls __global__, in its order.
std::vector<std::string> kernels_in(std::string_view text);

struct KernelFile {
  std::string path;
  std::string text;
  std::string entry;
};

// `name` is empty where the file has one kernel only.
Result<KernelFile> read_kernel_file(const std::string& path, const std::string& name);

// The file as a program; `plan` says how its entry is called.
HostUnit unit_of(const KernelFile& file, const SourcePlan& plan);

}  // namespace pto::jit::cli
