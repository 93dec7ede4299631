// Reads spec text. Each function returns false after noting the one error; the first one stops.
#include <algorithm>
#include <utility>

#include "ir/canonical.h"
#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "ir/spec_text.h"
#include "ir/spec_token.h"
#include "ir/spec_types.h"

namespace pto::jit {
namespace {

constexpr std::size_t kMaxText = 4096;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<KernelSpec> run() {
    if (!is_readable() || !parse_all()) return problem_;
    return canonical(spec_);
  }

 private:
  bool fail(std::string_view id, const Token& at, std::string message) {
    return jit::fail(problem_, id, at, std::move(message));
  }

  bool is_readable() {
    if (text_.size() > kMaxText) {
      return fail("length", {text_.substr(kMaxText, 1), kMaxText},
                  "a spec of " + std::to_string(text_.size()) + " characters; at most " +
                      std::to_string(kMaxText) + " are read");
    }
    const auto strange = [](char c) { return c != '\t' && (c < 0x20 || c > 0x7e); };
    const auto found = std::find_if(text_.begin(), text_.end(), strange);
    if (found == text_.end()) return true;
    const auto at = static_cast<std::size_t>(found - text_.begin());
    const Token bad{text_.substr(at, 1), at};
    return fail("character", bad, "character " + quoted(bad) + " cannot be part of a spec");
  }

  std::optional<Token> next_token() {
    const std::size_t begin = text_.find_first_not_of(" \t", position_);
    if (begin == std::string_view::npos) return std::nullopt;
    position_ = std::min(text_.find_first_of(" \t", begin), text_.size());
    return Token{text_.substr(begin, position_ - begin), begin};
  }

  Token end() const { return {{}, text_.size()}; }

  bool parse_all() {
    const std::optional<Token> head = next_token();
    if (!head) return fail("empty", end(), "an empty spec; it starts with a target and ':'");
    if (!parse_head(*head)) return false;
    while (const std::optional<Token> token = next_token()) {
      if (!parse_operand(*token)) return false;
    }
    return check_all_given();
  }

  bool parse_head(const Token& head) {
    const auto [name, rest] = split(head, ':');
    const std::optional<Target> target = target_named(name.text);
    if (!target || !rest) {
      return fail("target", name,
                  quoted(name) + " is not a target followed by ':'; targets are " + target_names());
    }
    spec_.target = *target;
    return parse_op(*rest);
  }

  // Of operations that share a name the first is meant; a suffix may turn it into another.
  bool parse_op(const Token& mnemonic) {
    for (const Operation& operation : kOperations) {
      const std::string_view name = operation.text;
      if (mnemonic.text == name) return finish_op(operation.op, std::nullopt);
      if (mnemonic.text.starts_with(name) && mnemonic.text[name.size()] == '.')
        return finish_op(operation.op, mnemonic.part(name.size() + 1));
    }
    const Token first = split(mnemonic, '.').first;
    return fail("op", first,
                quoted(first) + " is not an operation; operations are " + operation_names());
  }

  static std::string operation_names() {
    std::string out;
    std::string_view last;
    for (const Operation& operation : kOperations) {
      if (operation.text == last) continue;
      last = operation.text;
      out.append(out.empty() ? "" : ", ").append(last);
    }
    return out;
  }

  bool finish_op(Op op, std::optional<Token> suffixes) {
    spec_.op = op;
    const bool needs_mode = has_suffix(op, SuffixKind::Coalesce);
    if (needs_mode && !suffixes) {
      return fail("mode", end_of_head(), std::string(name_of(op)) + " needs its mode: row or elem");
    }
    int last = -1;
    while (suffixes) {
      const auto [word, rest] = split(*suffixes, '.');
      if (!parse_suffix(word, last)) return false;
      suffixes = rest;
    }
    return true;
  }

  Token end_of_head() const { return {{}, position_}; }

  bool parse_suffix(const Token& word, int& last) {
    const Suffix* suffix = suffix_named(word.text);
    const Operation* form = suffix ? form_with(spec_.op, suffix->kind) : nullptr;
    if (form == nullptr) {
      return fail("suffix", word,
                  quoted(word) + " is not a suffix of " + std::string(name_of(spec_.op)) +
                      "; it has " + suffixes_of(spec_.op));
    }
    const int kind = static_cast<int>(suffix->kind);
    if (last < 0 && has_suffix(spec_.op, SuffixKind::Coalesce) &&
        suffix->kind != SuffixKind::Coalesce) {
      return fail(
          "mode", word,
          std::string(name_of(spec_.op)) + " needs its mode, row or elem, before " + quoted(word));
    }
    if (kind <= last) {
      return fail(
          "suffix", word,
          quoted(word) +
              " is out of order or given twice; suffixes come as mode, bounds policy, atomic, "
              "conflict, pattern, unit, staging, engine, audit");
    }
    spec_.op = form->op;
    set_suffix(spec_, *suffix);
    last = kind;
    return true;
  }

  static std::string suffixes_of(Op op) {
    std::string out;
    for (const Suffix& suffix : all_suffixes()) {
      if (is_listed(op, suffix)) out += (out.empty() ? "" : " ") + std::string(suffix.word);
    }
    return out;
  }

  bool parse_operand(const Token& token) {
    const auto [name, value] = split(token, '=');
    if (!value)
      return fail("operand", token, quoted(token) + " is not an operand; write name=value");
    const std::size_t slot = slot_of(name.text);
    if (slot == kNoSlot) {
      return fail("operand", name,
                  quoted(name) + " is not an operand of " + std::string(name_of(spec_.op)) +
                      "; it has " + operand_names());
    }
    if (given_ & (1u << slot)) return fail("operand", name, quoted(name) + " is given twice");
    given_ |= 1u << slot;
    return parse_value(slot, *value);
  }

  // Operands of the operation first, then ranks and root.
  static constexpr std::size_t kNoSlot = 31;
  std::size_t slot_count() const {
    return operands_of(spec_.op).size() + (is_collective(spec_.op) ? 2 : 0);
  }
  std::string_view slot_name(std::size_t slot) const {
    const auto operands = operands_of(spec_.op);
    if (slot < operands.size()) return operands[slot].name;
    return slot == operands.size() ? "ranks" : "root";
  }
  std::size_t slot_of(std::string_view name) const {
    for (std::size_t slot = 0; slot < slot_count(); ++slot) {
      if (slot_name(slot) == name) return slot;
    }
    return kNoSlot;
  }
  std::string operand_names() const {
    std::string out;
    for (std::size_t slot = 0; slot < slot_count(); ++slot) {
      out += (slot > 0 ? " " : "") + std::string(slot_name(slot));
    }
    return out;
  }

  bool parse_value(std::size_t slot, const Token& value) {
    const auto operands = operands_of(spec_.op);
    if (slot >= operands.size()) {
      return parse_count(value, slot == operands.size() ? spec_.ranks : spec_.root);
    }
    const Role role = operands[slot].role;
    return is_tile(role) ? parse_tile(value, tile_of(spec_, role), problem_)
                         : parse_table(value, table_of(spec_, role), problem_);
  }

  bool parse_count(const Token& value, std::int32_t& out) {
    std::int64_t count = 0;
    if (!parse_number(value, kMaxExtent, count, problem_)) return false;
    out = static_cast<std::int32_t>(count);
    return true;
  }

  bool check_all_given() {
    for (std::size_t slot = 0; slot < slot_count(); ++slot) {
      if (given_ & (1u << slot)) continue;
      return fail("operand", end(),
                  std::string(name_of(spec_.op)) + " needs " + std::string(slot_name(slot)) +
                      "=...; its operands are " + operand_names());
    }
    return true;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  KernelSpec spec_;
  unsigned given_ = 0;
  Diagnostic problem_;
};

}  // namespace

Result<KernelSpec> parse(std::string_view text) { return Parser(text).run(); }

}  // namespace pto::jit
