// NumPy's .npy files as carriers of an operand's storage: read in versions 1.0 to 3.0, written in
// 1.0. A header is a claim about the file, so all of it is checked before a byte is believed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ir/dtype.h"
#include "ir/result.h"

namespace pto::jit::cli {

// The payload of a .npy image, little-endian and in C order. The array has `storage_shape`, or is
// flat with as many elements. `may_be_longer` is for tables: a flat array may then have more
// elements, and leading dims of extent 1 may be there or not. bf16 and the 8-bit floats are
// unsigned integers of their width.
Result<std::vector<std::byte>> read_npy(std::span<const std::byte> file, DType dtype,
                                        std::span<const std::int64_t> storage_shape,
                                        bool may_be_longer);

// `shape` names exactly the elements of `payload`.
std::vector<std::byte> write_npy(std::span<const std::byte> payload, DType dtype,
                                 std::span<const std::int64_t> shape);

// The bytes of an array; nothing when an extent is negative or the product exceeds 63 bits.
std::optional<std::int64_t> byte_count(std::span<const std::int64_t> shape, DType dtype);

}  // namespace pto::jit::cli
