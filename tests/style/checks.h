// The project's written rules as pure functions from text to findings, so that each can be shown to
// fail on a snippet before it is trusted with the tree.
#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pto::jit::style {

struct SourceFile {
  std::string path;  // from the project's root, with forward slashes
  std::string text;
};

struct Finding {
  std::string path;
  std::size_t line = 0;  // from 1; 0 when the file as a whole is meant
  std::string what;

  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

enum class Form : unsigned char { Quoted, Angled };

struct Include {
  std::string name;
  Form form = Form::Quoted;
  std::size_t line = 0;
};

// Directives only: text inside raw strings is what an emitter prints, not what a file includes.
std::vector<Include> includes_of(std::string_view text);

// Arrows between folders, and includes written from the root.
Findings check_includes(const SourceFile& file);

// Each folder with rules of its own and what it may include, a line each.
std::string layers_text();

// An emitter must not reach `targets` through a header of `jit` either.
Findings check_emitter_reach(std::span<const SourceFile> files);

// LLVM is known to few files, all of them in one folder.
Findings check_llvm_spread(std::span<const SourceFile> files);

// Headers that the build has not compiled alone already, as the first that a source includes. Tests
// do not count, which are compiled behind others, and benchmarks, which not every build has.
std::vector<SourceFile> headers_left_to_compile(std::span<const SourceFile> files);

Findings check_pragma_once(const SourceFile& file);

// `folders` are the names of the directories at the root.
Findings check_top_level_folders(std::span<const std::string> folders);

// Places on one machine and notes to oneself do not belong in the tree.
Findings check_wording(const SourceFile& file);

// In `runtime` an atomic says beside its declaration what it pairs with, and whatever is done to
// one names its order.
Findings check_orders(const SourceFile& file);

void append(Findings& all, Findings more);
std::string render(const Findings& findings);
std::ostream& operator<<(std::ostream& out, const Finding& finding);

}  // namespace pto::jit::style
