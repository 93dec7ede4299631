// One text file per kernel: what was asked, what it means, how it is done, and the code.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "ir/result.h"

namespace pto::jit {

struct DumpedKernel {
  std::string spec;  // canonical text
  std::string plan;
  std::string strategy;
  std::string level;  // of the instructions used: baseline, avx2, avx512
  std::span<const std::byte> code;
  std::string ir = {};  // LLVM's, of kernels that came from it
};

// A file name for a spec's text that needs no quoting in a shell. Different texts have different
// names; one longer than 200 characters is cut and ends in a hash of the text.
std::string dump_name(std::string_view spec_text);

// Writes DIRECTORY/NAME.LEVEL.txt, making the directory when there is none. A reader never meets a
// part of the file.
Result<Done> dump_kernel(const std::string& directory, const DumpedKernel& kernel);

}  // namespace pto::jit
