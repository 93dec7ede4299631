// Which folder may include which, and how an include is written.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "tests/style/checks.h"

namespace pto::jit::style {
namespace {

enum class Outside : unsigned char { StandardLibrary, Anything };

struct Layer {
  std::string_view folder;
  std::string_view may_include;  // folders or files, separated by spaces
  Outside outside;
};

// All that a door may use.
#define FLOORS                                                                                     \
  "ir/ targets/ runtime/ jit/options/ jit/backends/ jit/compile/ jit/text/ jit/calls/ jit/files/ " \
  "jit/checks/ jit/version.h "

// Rooms in jit stand on floors: each may use those above it in this list. The deepest folder that
// holds a file decides.
constexpr std::array kLayers = {
    Layer{"ir/", "ir/", Outside::StandardLibrary},
    Layer{"targets/", "ir/ targets/", Outside::StandardLibrary},
    Layer{"runtime/", "ir/ runtime/", Outside::Anything},
    Layer{"jit/", "ir/ targets/ runtime/ jit/", Outside::Anything},
    Layer{"jit/options/", "ir/ runtime/ jit/options/", Outside::Anything},
    Layer{"jit/backends/", "ir/ runtime/ jit/version.h jit/options/ jit/backends/",
          Outside::Anything},
    Layer{"jit/compile/", "ir/ targets/ runtime/ jit/options/ jit/backends/ jit/compile/",
          Outside::Anything},
    Layer{"jit/text/", "ir/ targets/ jit/text/", Outside::StandardLibrary},
    Layer{"jit/text/source/", "ir/ jit/text/source/ targets/source_plan.h targets/placement.h",
          Outside::StandardLibrary},
    Layer{"jit/text/assembler/", "ir/ targets/ jit/text/source/ jit/text/assembler/",
          Outside::StandardLibrary},
    Layer{"jit/calls/", "ir/ targets/ runtime/ jit/options/ jit/backends/ jit/compile/ jit/calls/",
          Outside::Anything},
    Layer{"jit/files/", "ir/ targets/ runtime/ jit/files/", Outside::Anything},
    Layer{"jit/checks/",
          "ir/ targets/ runtime/ jit/options/ jit/backends/ jit/compile/ jit/text/ jit/calls/ "
          "jit/files/ jit/checks/",
          Outside::Anything},
    Layer{"jit/checks/emulation/",
          "ir/ runtime/ jit/text/source/ jit/checks/emulation/ targets/source_plan.h "
          "targets/placement.h",
          Outside::Anything},
    Layer{"jit/checks/emulation/include/", "jit/checks/emulation/include/",
          Outside::StandardLibrary},
    Layer{"jit/doors/c/", FLOORS "jit/doors/c/", Outside::Anything},
    // What Python's emit still runs is the tool.
    Layer{"jit/doors/python/", FLOORS "jit/doors/python/ jit/tools/tool.h", Outside::Anything},
    Layer{"jit/doors/cli/", FLOORS "jit/doors/cli/", Outside::Anything},
    Layer{"jit/doors/mpi/", FLOORS "jit/doors/cli/ jit/doors/python/ jit/doors/mpi/",
          Outside::Anything},
    Layer{"jit/tools/", FLOORS "jit/doors/ jit/tools/", Outside::Anything},
    Layer{"bench/", "ir/ targets/ runtime/ jit/ bench/ tests/", Outside::Anything},
    Layer{"tests/", "ir/ targets/ runtime/ jit/ bench/ tests/", Outside::Anything},
    Layer{"tests/emulation/", "jit/checks/emulation/include/ tests/emulation/", Outside::Anything},
    Layer{"docs/examples/", "jit/checks/emulation/include/", Outside::Anything},
    Layer{"tests/model/", "ir/spec.h ir/dtype.h tests/model/", Outside::StandardLibrary},
};

// Text for the device includes its library by this prefix; on the host it is found here.
constexpr std::string_view kLibraryPrefix = "pto/";
constexpr std::string_view kLibraryRoot = "jit/checks/emulation/include/";

constexpr std::array<std::string_view, 3> kEmitters = {"jit/backends/xbyak/", "jit/backends/llvm/",
                                                       "jit/text/source/"};
// Modules of an assembler are made of the spec itself, by what is known of that assembler.
constexpr std::string_view kNoEmitter = "jit/text/assembler/";
// What the targets hand to an emitter: plain data that says nothing of its target.
constexpr std::array<std::string_view, 2> kDataFromTargets = {"targets/source_plan.h",
                                                              "targets/placement.h"};
constexpr std::size_t kMostLlvmFiles = 4;

const Layer* layer_of(std::string_view path) {
  const Layer* deepest = nullptr;
  for (const Layer& layer : kLayers) {
    if (!path.starts_with(layer.folder)) continue;
    if (!deepest || layer.folder.size() > deepest->folder.size()) deepest = &layer;
  }
  return deepest;
}

// The path from the root of what a quoted include names.
std::string path_of(const Include& include) {
  const bool is_library = include.name.starts_with(kLibraryPrefix);
  return is_library ? std::string(kLibraryRoot) + include.name : include.name;
}

bool is_written_from_root(std::string_view name) {
  return layer_of(name) && name.find("/../") == std::string_view::npos;
}

bool may_include(const Layer& layer, std::string_view name) {
  std::string_view rest = layer.may_include;
  while (!rest.empty()) {
    const std::string_view allowed = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), allowed.size() + 1));
    if (allowed.ends_with('/') ? name.starts_with(allowed) : name == allowed) return true;
  }
  return false;
}

// Headers of the C++ standard library have neither a folder nor an ending.
bool is_standard(std::string_view name) { return name.find_first_of("/.") == std::string::npos; }

std::string judge(const Layer& layer, const Include& include) {
  const std::string folder(layer.folder);
  if (include.form == Form::Angled) {
    if (layer.outside == Outside::Anything || is_standard(include.name)) return "";
    return folder + " includes only the standard library, not <" + include.name + ">";
  }
  const std::string path = path_of(include);
  if (!is_written_from_root(path)) {
    return "\"" + include.name + "\" is not written from the root";
  }
  if (may_include(layer, path)) return "";
  return folder + " may not include " + include.name + ", only " + std::string(layer.may_include);
}

using IncludeMap = std::map<std::string, std::vector<Include>, std::less<>>;

// The chain of includes from `path` to a header of `targets`, or nothing.
std::string way_to_targets(const IncludeMap& map, const std::string& path,
                           std::set<std::string>& seen) {
  const bool is_data = std::ranges::find(kDataFromTargets, path) != kDataFromTargets.end();
  if (path.starts_with("targets/") && !is_data) return path;
  const auto entry = map.find(path);
  if (entry == map.end() || !seen.insert(path).second) return "";
  for (const Include& include : entry->second) {
    const std::string way = way_to_targets(map, path_of(include), seen);
    if (!way.empty()) return std::string(path).append(" -> ").append(way);
  }
  return "";
}

}  // namespace

std::string layers_text() {
  std::string out;
  for (const Layer& layer : kLayers)
    out.append(layer.folder).append(": ").append(layer.may_include).append("\n");
  return out;
}

Findings check_includes(const SourceFile& file) {
  const Layer* layer = layer_of(file.path);
  if (!layer) return {{file.path, 0, "is in no folder of the include table"}};
  Findings findings;
  for (const Include& include : includes_of(file.text)) {
    const std::string what = judge(*layer, include);
    if (!what.empty()) findings.push_back({file.path, include.line, what});
  }
  return findings;
}

Findings check_emitter_reach(std::span<const SourceFile> files) {
  IncludeMap map;
  for (const SourceFile& file : files) map[file.path] = includes_of(file.text);
  Findings findings;
  for (const SourceFile& file : files) {
    const auto holds = [&](std::string_view folder) { return file.path.starts_with(folder); };
    if (std::ranges::none_of(kEmitters, holds) || holds(kNoEmitter)) continue;
    std::set<std::string> seen;
    const std::string way = way_to_targets(map, file.path, seen);
    if (!way.empty()) findings.push_back({file.path, 0, "an emitter reaches targets: " + way});
  }
  return findings;
}

std::vector<SourceFile> headers_left_to_compile(std::span<const SourceFile> files) {
  std::set<std::string> compiled;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".cpp") || file.path.ends_with("_test.cpp")) continue;
    const std::vector<Include> includes = includes_of(file.text);
    if (includes.empty() || file.path.starts_with("bench/")) continue;
    compiled.insert(path_of(includes.front()));
  }
  std::vector<SourceFile> out;
  for (const SourceFile& file : files) {
    const bool is_header = file.path.ends_with(".h") || file.path.ends_with(".hpp");
    if (is_header && !compiled.contains(file.path)) out.push_back(file);
  }
  return out;
}

Findings check_llvm_spread(std::span<const SourceFile> files) {
  Findings findings;
  std::size_t users = 0;
  for (const SourceFile& file : files) {
    const std::vector<Include> includes = includes_of(file.text);
    const auto is_llvm = [](const Include& include) { return include.name.starts_with("llvm/"); };
    const auto first = std::ranges::find_if(includes, is_llvm);
    if (first == includes.end()) continue;
    ++users;
    if (!file.path.starts_with("jit/backends/llvm/")) {
      findings.push_back({file.path, first->line, "only jit/backends/llvm/ may include LLVM"});
    } else if (users > kMostLlvmFiles) {
      findings.push_back({file.path, first->line, "LLVM is already included by four files"});
    }
  }
  return findings;
}

}  // namespace pto::jit::style
