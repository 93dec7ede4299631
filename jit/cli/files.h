// Operands as files: read whole and checked for size, written all together or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/dtype.h"
#include "ir/result.h"

namespace pto::jit::cli {

// A regular file or a pipe, to its end. Devices are refused: some have no end.
Result<std::vector<std::byte>> read_file(const std::string& path);

// The storage of an operand: .npy by the path's ending, else raw little-endian elements.
// `may_be_longer` is for tables, whose file may have more elements than the shape names.
Result<std::vector<std::byte>> read_operand(const std::string& path, DType dtype,
                                            std::span<const std::int64_t> storage_shape,
                                            bool may_be_longer);

// What a file at `path` holds for `payload`: .npy by the path's ending, else the payload itself.
std::vector<std::byte> encode_operand(const std::string& path, std::span<const std::byte> payload,
                                      DType dtype, std::span<const std::int64_t> shape);

struct OutputFile {
  std::string path;
  std::vector<std::byte> bytes;
};

// All or none: each file is completed under a temporary name beside its destination, and only when
// all are complete do they take their names. After a failure the destinations are as they were and
// no temporary is left. Links are followed; an existing file keeps its mode. What is not a regular
// file (a device, a pipe, /dev/stdout) is written in place, last before the names are taken.
Result<Done> write_files(std::span<const OutputFile> files);

}  // namespace pto::jit::cli
