// Whole .npy images, for those who hold them in memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "jit/files/npy.h"

namespace pto::jit::tests {

// The payload of an image that is a whole storage.
inline Result<std::vector<std::byte>> read_npy(std::span<const std::byte> file, DType dtype,
                                               std::span<const std::int64_t> storage_shape,
                                               bool may_be_longer) {
  const Result<cli::NpyArray> array = cli::find_array(file);
  if (!array) return array.error();
  const std::int64_t bytes = cli::byte_count(storage_shape, dtype).value_or(0);
  const cli::ArrayNeed need = {.dtype = dtype,
                               .storage = {storage_shape.begin(), storage_shape.end()},
                               .least = bytes / size_of(dtype),
                               .may_be_longer = may_be_longer};
  if (Result<Done> checked = cli::check_array(*array, need); !checked) return checked.error();
  const std::span<const std::byte> payload = file.subspan(array->begin);
  return std::vector<std::byte>(payload.begin(), payload.end());
}

inline std::vector<std::byte> write_npy(std::span<const std::byte> payload, DType dtype,
                                        std::span<const std::int64_t> shape) {
  std::vector<std::byte> out = cli::npy_front(dtype, shape);
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

}  // namespace pto::jit::tests
