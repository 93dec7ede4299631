#include "jit/checks/kernel_file.h"

#include <algorithm>
#include <filesystem>

#include "ir/function_name.h"
#include "jit/checks/emulation/harness_text.h"
#include "jit/files/input_file.h"

namespace pto::jit::cli {
namespace {

constexpr std::string_view kGlobal = "__global__";
constexpr std::int64_t kCompileSeconds = 120;

// Where what begins at `at` ends, if it is a comment, a literal or a directive; else `at`.
std::size_t end_of_aside(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const auto after = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + mark.size();
  };
  if (rest.starts_with("//") || rest[0] == '#') return after("\n", at);
  if (rest.starts_with("/*")) return after("*/", at + 2);
  if (rest.starts_with("'\"'")) return at + 3;
  if (rest[0] != '"') return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

std::string without_asides(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_aside(text, at);
    out += end == at ? text[at] : ' ';
    at = std::max(end, at + 1);
  }
  return out;
}

// The last word before `end`.
std::string word_before(std::string_view text, std::size_t end) {
  while (end > 0 && !is_word_part(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_word_part(text[begin - 1])) --begin;
  return std::string(text.substr(begin, end - begin));
}

Diagnostic no_entry(const std::string& path, const std::vector<std::string>& kernels) {
  std::string names;
  for (const std::string& kernel : kernels) names += (names.empty() ? "" : ", ") + kernel;
  Diagnostic out = error("file.entry", "'" + printable(path, 200) + "' has " +
                                           (names.empty() ? "no kernel" : "the kernels " + names));
  out.rule = names.empty() ? "a kernel is a function called __global__; name any other by --name"
                           : "name the one to check by --name";
  return out;
}

// As a literal of the preprocessor.
std::string quoted(const std::string& path) {
  std::string out = "\"";
  for (const char c : path)
    out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "\"";
}

}  // namespace

std::vector<std::string> kernels_in(std::string_view text) {
  const std::string code = without_asides(text);
  std::vector<std::string> out;
  for (std::size_t at = code.find(kGlobal); at != std::string::npos;
       at = code.find(kGlobal, at + 1)) {
    const std::size_t end = code.find_first_of("(;{", at);
    if (end == std::string::npos || code[end] != '(') continue;
    std::string name = word_before(code, end);
    if (std::ranges::find(out, name) == out.end()) out.push_back(std::move(name));
  }
  return out;
}

Result<KernelFile> read_kernel_file(const std::string& path, const std::string& name) {
  const Result<std::string> text = read_text(path);
  if (!text) return text.error();
  KernelFile out{path, *text, name};
  if (!name.empty()) return out;
  const std::vector<std::string> kernels = kernels_in(out.text);
  if (kernels.size() != 1) return no_entry(path, kernels);
  out.entry = kernels[0];
  return out;
}

HostUnit unit_of(const KernelFile& file, const SourcePlan& plan) {
  const std::filesystem::path path = std::filesystem::absolute(file.path);
  return {.text = source::harness_head() + "#line 1 " + quoted(file.path) + "\n" + file.text +
                  "\n#line 1 \"the call of the kernel\"\n" +
                  source::harness_text(plan, source::Start::Kernel),
          .flags = source::host_flags(plan),
          .folder = path.parent_path().string(),
          .may_warn = true,
          .seconds = kCompileSeconds};
}

}  // namespace pto::jit::cli
