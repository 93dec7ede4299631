// Temporary names, and what processes that were killed have left under them. Whoever makes a
// temporary holds a lock on it as long as it lives: what nobody holds, the next one removes.
#pragma once

#include <string>

namespace pto::jit {

// A name in `directory` of this process and call alone, short enough for any file system.
std::string temporary_in(const std::string& directory);

// Locks what was just made; false when somebody found it before it was locked and removed it.
bool claim(int descriptor);

// Files and folders with temporary names in `directory` that are ours and that nobody holds.
void remove_leftovers(const std::string& directory);

}  // namespace pto::jit
