#include "jit/doors/cli/bind_text.h"

#include <limits>
#include <optional>
#include <utility>

#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "ir/spec_token.h"

namespace pto::jit::cli {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 10 - 1;

Diagnostic complaint(std::string_view id, const Token& at, std::string message) {
  Diagnostic out;
  jit::fail(out, id, at, std::move(message));
  out.id = "bind." + std::string(id);
  return out;
}

std::string open_names(const KernelSpec& spec) {
  const std::string names = runtime_names(spec);
  return names.empty() ? "this spec leaves nothing to run time"
                       : "this spec leaves " + names + " to run time";
}

Result<Binding> parse_binding(const KernelSpec& spec, const Token& token) {
  const auto [name, value] = split(token, '=');
  if (!value) {
    return complaint("form", token, quoted(token) + " is not NAME=N; " + open_names(spec));
  }
  const std::optional<Dim> dim = dim_named(spec.op, name.text);
  if (!dim) {
    return complaint("name", name,
                     quoted(name) + " is not a dimension of " + std::string(name_of(spec.op)) +
                         "; " + open_names(spec));
  }
  Binding binding{*dim, 0};
  Diagnostic problem;
  if (parse_number(*value, kMost, binding.value, problem)) return binding;
  return complaint("number", *value, problem.message);
}

}  // namespace

Result<std::vector<Binding>> parse_bindings(const KernelSpec& spec, std::string_view text) {
  std::vector<Binding> out;
  std::optional<Token> rest;
  if (!text.empty()) rest = Token{text, 0};
  while (rest) {
    const auto [item, more] = split(*rest, ',');
    Result<Binding> binding = parse_binding(spec, item);
    if (!binding) return std::move(binding).error();
    out.push_back(*binding);
    rest = more;
  }
  return out;
}

}  // namespace pto::jit::cli
