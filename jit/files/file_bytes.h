// Bytes into files: copied, made room for. Codes are those of errno, 0 for success; what the system
// would send a signal for, a file at its limit, is a code too.
#pragma once

#include <sys/types.h>

namespace pto::jit::cli {

// Zeros that take no room.
int put_size(int descriptor, off_t bytes);

struct FileRange {
  int descriptor = -1;
  off_t begin = 0;
  off_t bytes = 0;
};

// To the offset `at` of a file that holds zeros there: holes stay holes, and bytes are shared where
// the file system can. ENODATA when the range is not there any more.
int copy_range(const FileRange& from, int to, off_t at);

}  // namespace pto::jit::cli
