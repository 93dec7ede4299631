#include "jit/files/npy_header.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>
#include <utility>

namespace pto::jit::cli {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr std::size_t kMostDims = 64;  // NumPy's own limit

std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }

// Every step takes what it expects from the front of the text, or records what is wrong.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text), rest_(text) {}

  Result<NpyHeader> parse() {
    if (!dict()) return npy_error(wrong_);
    if (skip_spaces(); !rest_.empty()) return npy_error(expected("the end of the header"));
    if (!descr_) return npy_error("the header has no key 'descr'");
    if (!fortran_order_) return npy_error("the header has no key 'fortran_order'");
    if (!shape_) return npy_error("the header has no key 'shape'");
    return NpyHeader{std::move(*descr_), *fortran_order_, std::move(*shape_)};
  }

 private:
  bool dict() {
    if (!take('{')) return fail(expected("'{'"));
    while (!take('}')) {
      if (!entry()) return false;
      if (!take(',')) return take('}') || fail(expected("',' or '}'"));
    }
    return true;
  }

  bool entry() {
    std::string key;
    if (!read(key)) return false;
    if (!take(':')) return fail(expected("':'"));
    if (key == "descr") return read_once(descr_, key);
    if (key == "fortran_order") return read_once(fortran_order_, key);
    if (key == "shape") return read_once(shape_, key);
    return fail("the header has the key " + quoted(key) + ", which is not one of .npy");
  }

  template <class T>
  bool read_once(std::optional<T>& value, const std::string& key) {
    if (value) return fail("the header has the key '" + key + "' twice");
    return read(value.emplace());
  }

  // Escapes are left as they are: no key and no type in use has one.
  bool read(std::string& value) {
    skip_spaces();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') return fail(expected("a string"));
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) return fail("the header ends inside a string");
    value = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool read(bool& value) {
    skip_spaces();
    value = rest_.starts_with("True");
    if (!value && !rest_.starts_with("False")) return fail(expected("True or False"));
    rest_.remove_prefix(value ? 4 : 5);
    return true;
  }

  bool read(Shape& shape) {
    if (!take('(')) return fail(expected("a tuple"));
    while (!take(')')) {
      if (shape.size() == kMostDims) return fail("the shape has more than 64 dims");
      if (!read(shape.emplace_back())) return false;
      if (take(',')) continue;
      // Without a comma, (8) is a number to Python.
      if (shape.size() == 1) return fail(expected("','"));
      return take(')') || fail(expected("',' or ')'"));
    }
    return true;
  }

  bool read(std::int64_t& extent) {
    skip_spaces();
    const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
    if (status == std::errc::result_out_of_range) return fail(expected("an extent below 2^63"));
    if (status != std::errc{}) return fail(expected("an extent"));
    if (extent < 0) return fail("the shape has the negative extent " + std::to_string(extent));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }

  bool take(char wanted) {
    skip_spaces();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void skip_spaces() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n\f"), rest_.size()));
  }

  std::string expected(const std::string& what) const {
    const std::string found = rest_.empty() ? "ends" : "has " + quoted(rest_.substr(0, 20));
    const std::size_t position = text_.size() - rest_.size();
    return "the header " + found + " at character " + std::to_string(position) + ", expected " +
           what;
  }

  bool fail(std::string message) {
    wrong_ = std::move(message);
    return false;
  }

  std::string_view text_;
  std::string_view rest_;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<Shape> shape_;
  std::string wrong_;
};

}  // namespace

Result<NpyHeader> parse_npy_header(std::string_view text) { return HeaderParser(text).parse(); }

std::string print_npy_header(const NpyHeader& header) {
  return "{'descr': '" + header.descr +
         "', 'fortran_order': " + (header.fortran_order ? "True" : "False") +
         ", 'shape': " + print_tuple(header.shape) + ", }";
}

std::string print_tuple(std::span<const std::int64_t> shape) {
  std::string out;
  for (const std::int64_t extent : shape) out += (out.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + out + (shape.size() == 1 ? ",)" : ")");
}

Diagnostic npy_error(std::string message) { return error("file.npy", std::move(message)); }

}  // namespace pto::jit::cli
