// The source tree as the style tests see it: its files, and programs run over them.
#pragma once

#include <string>
#include <vector>

#include "tests/style/checks.h"

namespace pto::jit::style {

// Every text file of the project, sorted by path; version control and build folders are left out.
std::vector<SourceFile> read_tree(const std::string& root);

// Names of the directories at the root, hidden ones included.
std::vector<std::string> top_level_folders(const std::string& root);

bool is_header(const SourceFile& file);
bool is_cpp(const SourceFile& file);  // a header or a source

// Those of `files` that `keep` holds true for.
std::vector<SourceFile> select(const std::vector<SourceFile>& files,
                               bool (*keep)(const SourceFile&));

struct Outcome {
  int exit_code = 0;
  std::string output;  // both streams
};

Outcome run(const std::string& shell_command);
std::string quoted(const std::string& argument);

}  // namespace pto::jit::style
