// OutputSet: files that get their names together, when all of them are complete, or not at all.
#pragma once

#include <deque>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "jit/files/destination.h"
#include "runtime/staged_file.h"

namespace pto::jit::cli {

struct Output {
  std::string path;  // as it was given
  Destination to;
  StagedFile file;                       // none for what is written in place
  std::vector<std::byte> front = {};     // still to be written,
  std::span<const std::byte> rest = {};  // and this behind it
};

class OutputSet {
 public:
  // Finds out where the path leads. A staged file may be filled by whoever adds it, or by what is
  // left to be written.
  Result<Output*> add(const std::string& path);

  // Writes what is left, what is not a regular file last.
  Result<Done> fill();
  // Then gives the names.
  Result<Done> take_names();
  // Both. After a failure the destinations are as they were.
  Result<Done> complete();

 private:
  std::deque<Output> outputs_;
  std::set<std::string> files_;  // by identity
};

}  // namespace pto::jit::cli
