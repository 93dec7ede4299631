// A temporary folder that is gone when its owner is, whatever ended it: a process of its own makes
// it, waits, and removes it. Codes are those of errno, 0 for success.
#pragma once

#include <sys/types.h>

#include <string>

namespace pto::jit {

struct KeptFolder {
  std::string path = {};  // absolute
  int descriptor = -1;    // it, whatever has its name
  pid_t keeper = -1;
};

int make_kept_folder(const std::string& parent, KeptFolder& out);

// By its keeper, or here if that was killed. Nothing is removed that is mounted or linked in it.
void remove_kept_folder(const KeptFolder& folder);

}  // namespace pto::jit
