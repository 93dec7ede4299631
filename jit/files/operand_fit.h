// Whether what a file holds is an operand, and the operand's storage made of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "jit/files/operand_inputs.h"

namespace pto::jit::cli {

// The shape of an operand's storage: padded rows and cols of a tile in whatever order its layout
// has them, the extents of a table, a table with gaps flat.
std::vector<std::int64_t> storage_shape(const BoundSpec& kernel, Role role);

// What a file of `elements` elements is said to be: the operand's storage, for a table without
// leading ones, or flat when a table's file is longer.
std::vector<std::int64_t> shape_of_file(const BoundSpec& kernel, Role role, std::int64_t elements);

// The bytes of an operand, and where they are in a file when they are just those.
struct Payload {
  Storage storage;
  std::optional<FileRange> range;
};

// A tile's file reaches at least to the last byte the kernel touches, or is an array of what is
// valid; a table's file may be longer than the table.
Result<Payload> fit_operand(const BoundSpec& kernel, const StorageRequest& wanted,
                            const OperandInput& input);

}  // namespace pto::jit::cli
