// Data of the tests: files of tab-separated fields, one record a line, '#' before a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pto::jit::tests {

// `path` is relative to the project's root; empty when there is no such file.
std::string read_text(std::string_view path);
bool write_text(std::string_view path, std::string_view text);

std::vector<std::string> split(std::string_view text, char mark);

using Record = std::vector<std::string>;

// Blank lines and comments are left out.
std::vector<Record> read_tsv(std::string_view path);

}  // namespace pto::jit::tests
