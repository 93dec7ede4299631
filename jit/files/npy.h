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
#include "jit/files/npy_header.h"

namespace pto::jit::cli {

// An array within a .npy image: what its header claims, and where its elements begin.
struct NpyArray {
  NpyHeader header;
  std::size_t begin = 0;
  std::size_t bytes = 0;  // from there to the end of the file
};

Result<NpyArray> find_array(std::span<const std::byte> file);

// What an operand asks of an array, which is little-endian and in C order; bf16 and the 8-bit
// floats are unsigned integers of their width.
struct ArrayNeed {
  DType dtype;
  std::vector<std::int64_t> storage;     // the shape of all of it, which may also be flat
  std::vector<std::int64_t> valid = {};  // another shape it may have; empty: none
  std::int64_t least = 0;                // elements of a flat one
  // For tables: a flat array may have more elements than the storage, and leading dims of extent 1
  // may be there or not.
  bool may_be_longer = false;
};

Result<Done> check_array(const NpyArray& array, const ArrayNeed& need);

// What stands before the payload in a file.
std::vector<std::byte> npy_front(DType dtype, std::span<const std::int64_t> shape);

// The bytes of an array; nothing when an extent is negative or the product exceeds 63 bits.
std::optional<std::int64_t> byte_count(std::span<const std::int64_t> shape, DType dtype);

}  // namespace pto::jit::cli
