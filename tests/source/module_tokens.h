// The words of an assembler module, read without any help from what writes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pto::jit::tests {

// Names, types ("!pto.tile_buf<...>"), attributes ("#pto<...>"), strings, words and punctuation;
// comments and space are passed over. A word that never ends comes back as it is.
std::vector<std::string> module_tokens(std::string_view text);

// "64x?xf32" as its extents and its element: {"64", "?", "f32"}.
std::vector<std::string> split_shape(std::string_view shape);

// What stands between the outermost '<' and '>' of a type.
std::string_view inside(std::string_view type);

// The fields of a tile type, in either of its forms.
struct TileWords {
  std::string dtype;
  std::vector<std::string> shape = {};  // rows and columns
  std::vector<std::string> valid = {};
  std::string layout = "row_major";
  std::string pad = "0";
};
TileWords tile_words(std::string_view tile_type);

}  // namespace pto::jit::tests
