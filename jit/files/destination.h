// Destination: where the path of an output leads.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "ir/result.h"

namespace pto::jit::cli {

struct Destination {
  std::string path;                     // links followed
  std::optional<struct stat> existing;  // of a regular file
  bool is_in_place = false;             // cannot be replaced by renaming
};

// An error where it can be told beforehand that nothing can be written there.
Result<Destination> find_destination(const std::string& path);

// Equal for paths to one file of this machine, however they are spelled, also where it is not there
// yet; empty where that cannot be told.
std::string identity_of(const std::string& path);

Diagnostic unwritable(const std::string& path, const std::string& why);
Diagnostic unwritable(const std::string& path, int code);

}  // namespace pto::jit::cli
