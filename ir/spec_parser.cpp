// Reads spec text. Each function returns false after noting the one error; the first one stops.
#include <algorithm>
#include <limits>
#include <utility>

#include "ir/canonical.h"
#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "ir/spec_text.h"

namespace pto::jit {
namespace {

constexpr std::size_t kMaxText = 4096;
constexpr std::int64_t kMaxExtent = std::numeric_limits<std::int32_t>::max();

// A piece of the text that knows where it is.
struct Token {
  std::string_view text;
  std::size_t begin = 0;

  Token part(std::size_t from, std::size_t count = std::string_view::npos) const {
    return {text.substr(from, count), begin + from};
  }
};

std::string quoted(const Token& token) { return "'" + printable(token.text) + "'"; }

// Splits at the first `mark`; the second part is absent when there is none.
std::pair<Token, std::optional<Token>> split(const Token& token, char mark) {
  const std::size_t at = token.text.find(mark);
  if (at == std::string_view::npos) return {token, std::nullopt};
  return {token.part(0, at), token.part(at + 1)};
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<KernelSpec> run() {
    if (!is_readable() || !parse_all()) return error_;
    return canonical(spec_);
  }

 private:
  bool fail(std::string_view id, Token at, std::string message) {
    error_ = error("text." + std::string(id), std::move(message));
    error_.at = Span{at.begin, std::max<std::size_t>(at.text.size(), 1)};
    return false;
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
                  quoted(name) + " is not a target followed by ':'; targets are cpu, a2a3, a5");
    }
    spec_.target = *target;
    return parse_op(*rest);
  }

  bool parse_op(const Token& mnemonic) {
    const auto [first, rest] = split(mnemonic, '.');
    if (first.text == "comm" && rest) {
      const auto [second, more] = split(*rest, '.');
      if (second.text == "tscatter") return finish_op(Op::CommTScatter, more);
    }
    for (const Op op : {Op::MScatter, Op::MGather, Op::TScatter, Op::TGatherB}) {
      if (name_of(op) == first.text) return finish_op(op, rest);
    }
    return fail("op", first,
                quoted(first) +
                    " is not an operation; operations are mscatter, mgather, tscatter, "
                    "tgatherb, comm.tscatter");
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
    if (suffix == nullptr || !takes(suffix->kind)) {
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
          quoted(word) + " is out of order or given twice; the order is " + suffixes_of(spec_.op));
    }
    if (suffix->kind == SuffixKind::Mask) spec_.op = Op::TScatterMask;
    set_suffix(spec_, *suffix);
    last = kind;
    return true;
  }

  bool takes(SuffixKind kind) const {
    return has_suffix(spec_.op, kind) || (kind == SuffixKind::Mask && spec_.op == Op::TScatter);
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
    return operands_of(spec_.op).size() + (spec_.op == Op::CommTScatter ? 2 : 0);
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
      return parse_number(value, kMaxExtent, slot == operands.size() ? spec_.ranks : spec_.root);
    }
    const Role role = operands[slot].role;
    return is_tile(role) ? parse_tile(value, tile_of(spec_, role))
                         : parse_table(value, table_of(spec_, role));
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

  struct Type {
    DType dtype;
    Token shape;   // between the brackets
    Token layout;  // after them
  };

  bool parse_type(const Token& value, Type& type) {
    const auto [name, rest] = split(value, '[');
    const std::optional<DType> dtype = dtype_named(name.text);
    if (!dtype)
      return fail("dtype", name, quoted(name) + " is not a dtype; dtypes are " + dtype_names());
    if (!rest)
      return fail("shape", value,
                  quoted(value) + " lacks its shape; write " + std::string(name.text) + "[8x32]");
    const auto [shape, layout] = split(*rest, ']');
    if (!layout) return fail("shape", *rest, quoted(*rest) + " lacks the closing ']'");
    type = {*dtype, shape, *layout};
    return true;
  }

  static std::string dtype_names() {
    std::string out;
    for (const DTypeInfo& info : kDTypes) out += (out.empty() ? "" : " ") + std::string(info.name);
    return out;
  }

  bool parse_tile(const Token& value, Tile& tile) {
    Type type;
    if (!parse_type(value, type)) return false;
    tile.dtype = type.dtype;
    const auto [padded, valid] = split(type.shape, '|');
    if (!parse_pair(padded, false, tile.rows, tile.cols)) return false;
    tile.vr = tile.rows;
    tile.vc = tile.cols;
    if (valid && !parse_pair(*valid, true, tile.vr, tile.vc)) return false;
    if (type.layout.text == ":cm") tile.layout = TileLayout::ColMajor;
    if (type.layout.text == ":nz") tile.layout = TileLayout::Nz;
    const bool known = type.layout.text.empty() || tile.layout != TileLayout::RowMajor;
    return known || fail("layout", type.layout,
                         quoted(type.layout) + " is not a tile layout; write :cm, :nz or nothing");
  }

  bool parse_pair(const Token& token, bool may_be_runtime, std::int32_t& rows, std::int32_t& cols) {
    const auto [first, second] = split(token, 'x');
    if (!second || second->text.find('x') != std::string_view::npos) {
      return fail("shape", token, quoted(token) + " is not ROWSxCOLS");
    }
    return parse_dim(first, may_be_runtime, rows) && parse_dim(*second, may_be_runtime, cols);
  }

  bool parse_dim(const Token& token, bool may_be_runtime, std::int32_t& out) {
    if (token.text == "?" && !may_be_runtime) {
      return fail("runtime", token,
                  "padded rows and cols are never '?'; only valid extents may be");
    }
    if (token.text != "?") return parse_number(token, kMaxExtent, out);
    out = kRuntime;
    return true;
  }

  bool parse_table(const Token& value, Table& table) {
    Type type;
    if (!parse_type(value, type)) return false;
    table.dtype = type.dtype;
    const auto [dims, strides] = split(type.shape, '@');
    std::size_t count = 0;
    table.shape.fill(1);
    if (!parse_list(dims, kMaxExtent, count, table.shape)) return false;
    if (strides && !parse_strides(*strides, count, table)) return false;
    if (type.layout.text == ":nz") table.layout = TableLayout::Nz;
    const bool known = type.layout.text.empty() || table.layout == TableLayout::Nz;
    return known || fail("layout", type.layout,
                         quoted(type.layout) + " is not a table layout; write :nz or nothing");
  }

  bool parse_strides(const Token& token, std::size_t dims, Table& table) {
    std::size_t count = 0;
    table.strides.fill(1);
    if (!parse_list(token, kMaxStride, count, table.strides)) return false;
    if (count != dims) {
      return fail("strides", token,
                  std::to_string(count) + " strides for " + std::to_string(dims) +
                      " dims; give one for each");
    }
    const auto zero = std::find(table.strides.begin(), table.strides.end(), 0);
    return zero == table.strides.end() ||
           fail("strides", token, "a stride of 0; strides run from 1 to 2^47");
  }

  // Numbers or '?' separated by 'x', filling the end of `out`.
  template <class Array>
  bool parse_list(const Token& token, std::int64_t limit, std::size_t& count, Array& out) {
    const auto items =
        static_cast<std::size_t>(std::count(token.text.begin(), token.text.end(), 'x')) + 1;
    if (items > out.size())
      return fail("shape", token, std::to_string(items) + " dims; a table has 1 to 5");
    count = items;
    std::optional<Token> rest = token;
    for (std::size_t i = out.size() - items; rest; ++i) {
      const auto [item, more] = split(*rest, 'x');
      if (item.text == "?") {
        out[i] = kRuntime;
      } else if (!parse_number(item, limit, out[i])) {
        return false;
      }
      rest = more;
    }
    return true;
  }

  template <class Int>
  bool parse_number(const Token& token, std::int64_t limit, Int& out) {
    const bool digits =
        !token.text.empty() && std::all_of(token.text.begin(), token.text.end(),
                                           [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) return fail("number", token, quoted(token) + " is not a number");
    std::int64_t value = 0;
    for (const char c : token.text) {
      value = value * 10 + (c - '0');
      if (value > limit)
        return fail("number", token,
                    quoted(token) + " is too large; at most " + std::to_string(limit));
    }
    out = static_cast<Int>(value);
    return true;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  KernelSpec spec_;
  unsigned given_ = 0;
  Diagnostic error_;
};

}  // namespace

Result<KernelSpec> parse(std::string_view text) { return Parser(text).run(); }

}  // namespace pto::jit
