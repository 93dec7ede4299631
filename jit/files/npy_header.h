// The header of a .npy file: a Python dict literal of three entries, between the version and the
// payload.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"

namespace pto::jit::cli {

struct NpyHeader {
  std::string descr;  // byte order, letter and width: "<f4"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  // extents are not negative; empty for a scalar

  bool operator==(const NpyHeader&) const = default;
};

// Takes the dict with any spacing and order of keys; each key once, and no other.
Result<NpyHeader> parse_npy_header(std::string_view text);

// As NumPy spells it, without padding.
std::string print_npy_header(const NpyHeader& header);

// A shape as Python writes a tuple: "()", "(8,)", "(8, 32)".
std::string print_tuple(std::span<const std::int64_t> shape);

// An error of a .npy file; all of them share one id.
Diagnostic npy_error(std::string message);

}  // namespace pto::jit::cli
