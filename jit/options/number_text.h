// Whole numbers as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pto::jit {

// "1048576": digits and nothing else, below 2^64.
std::optional<std::uint64_t> parse_number(std::string_view text);

// "1048576", "1024K", "64M", "1G": the same from 1 on, perhaps in units of 1024 to a power.
std::optional<std::uint64_t> parse_size(std::string_view text);

// "1 wait", "3 waits".
std::string count_text(std::int64_t count, std::string_view what);

}  // namespace pto::jit
