// Which level of the memory hierarchy a measurement met, in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runtime/host/host_features.h"

namespace pto::jit::cli {

// The page size under most of some memory that has been touched, as the kernel accounts for it; 0
// where it does not tell.
std::size_t page_size_under(std::span<const std::byte> bytes);

// "L1 (48 KB)", "L2 (2 MB)", "beyond L3 (32 MB), on pages of 2 MB". Data of which the whole level
// is full counts as inside.
std::string level_met(double bytes_touched, std::size_t page_size, const HostFeatures& host);

// The processor's name and what generated code finds in it.
std::string host_name();

// "48 KB", "1.5 GB".
std::string bytes_text(double bytes);

// Drops the lines of some memory from all caches. False where the processor cannot be told to.
bool flush_lines(std::span<const std::byte> bytes);

}  // namespace pto::jit::cli
