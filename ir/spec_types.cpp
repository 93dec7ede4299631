#include "ir/spec_types.h"

#include <algorithm>

namespace pto::jit {
namespace {

struct Type {
  DType dtype;
  Token shape;   // between the brackets
  Token layout;  // after them
};

std::string dtype_names() {
  std::string out;
  for (const DTypeInfo& info : kDTypes) out += (out.empty() ? "" : " ") + std::string(info.name);
  return out;
}

class TypeReader {
 public:
  explicit TypeReader(Diagnostic& problem) : problem_(problem) {}

  bool read(const Token& value, Tile& tile) {
    Type type;
    if (!read(value, type)) return false;
    tile.dtype = type.dtype;
    const auto [padded, valid] = split(type.shape, '|');
    if (!read_pair(padded, false, tile.rows, tile.cols)) return false;
    tile.vr = tile.rows;
    tile.vc = tile.cols;
    if (valid && !read_pair(*valid, true, tile.vr, tile.vc)) return false;
    if (type.layout.text == ":cm") tile.layout = TileLayout::ColMajor;
    if (type.layout.text == ":nz") tile.layout = TileLayout::Nz;
    const bool known = type.layout.text.empty() || tile.layout != TileLayout::RowMajor;
    return known || fail("layout", type.layout,
                         quoted(type.layout) + " is not a tile layout; write :cm, :nz or nothing");
  }

  bool read(const Token& value, Table& table) {
    Type type;
    if (!read(value, type)) return false;
    table.dtype = type.dtype;
    const auto [dims, strides] = split(type.shape, '@');
    std::size_t count = 0;
    table.shape.fill(1);
    if (!read_list(dims, kMaxExtent, count, table.shape)) return false;
    if (strides && !read_strides(*strides, count, table)) return false;
    if (type.layout.text == ":nz") table.layout = TableLayout::Nz;
    const bool known = type.layout.text.empty() || table.layout == TableLayout::Nz;
    return known || fail("layout", type.layout,
                         quoted(type.layout) + " is not a table layout; write :nz or nothing");
  }

 private:
  bool fail(std::string_view id, const Token& at, std::string message) {
    return jit::fail(problem_, id, at, std::move(message));
  }

  bool read(const Token& value, Type& type) {
    const auto [name, rest] = split(value, '[');
    const std::optional<DType> dtype = dtype_named(name.text);
    if (!dtype)
      return fail("dtype", name, quoted(name) + " is not a dtype; dtypes are " + dtype_names());
    if (!rest)
      return fail("shape", value,
                  quoted(value) + " lacks its shape; write " + std::string(name.text) + "[8x32]");
    const auto [shape, layout] = split(*rest, ']');
    if (!layout) return fail("shape", *rest, quoted(*rest) + " lacks the closing ']'");
    const std::size_t colon = shape.text.find(':');
    if (colon != std::string_view::npos) {
      const Token inside = shape.part(colon);
      return fail("layout", inside,
                  quoted(inside) + " is no part of a shape; a layout goes behind the ']', as in " +
                      std::string(name.text) + "[8x32]:nz");
    }
    type = {*dtype, shape, *layout};
    return true;
  }

  bool read_pair(const Token& token, bool may_be_runtime, std::int32_t& rows, std::int32_t& cols) {
    const auto [first, second] = split(token, 'x');
    if (!second || second->text.find('x') != std::string_view::npos) {
      return fail("shape", token, quoted(token) + " is not ROWSxCOLS");
    }
    return read_side(first, may_be_runtime, rows) && read_side(*second, may_be_runtime, cols);
  }

  bool read_side(const Token& token, bool may_be_runtime, std::int32_t& out) {
    if (token.text == "?" && !may_be_runtime) {
      return fail("runtime", token,
                  "padded rows and cols are never '?'; only valid extents may be");
    }
    return read_dim(token, kMaxExtent, out);
  }

  bool read_strides(const Token& token, std::size_t dims, Table& table) {
    std::size_t count = 0;
    table.strides.fill(1);
    if (!read_list(token, kMaxStride, count, table.strides)) return false;
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
  bool read_list(const Token& token, std::int64_t limit, std::size_t& count, Array& out) {
    count = static_cast<std::size_t>(std::count(token.text.begin(), token.text.end(), 'x')) + 1;
    if (count > out.size())
      return fail("shape", token, std::to_string(count) + " dims; a table has 1 to 5");
    std::optional<Token> rest = token;
    for (std::size_t i = out.size() - count; rest; ++i) {
      const auto [item, more] = split(*rest, 'x');
      if (!read_dim(item, limit, out[i])) return false;
      rest = more;
    }
    return true;
  }

  // A number or '?'.
  template <class Int>
  bool read_dim(const Token& token, std::int64_t limit, Int& out) {
    std::int64_t value = kRuntime;
    if (token.text != "?" && !parse_number(token, limit, value, problem_)) return false;
    out = static_cast<Int>(value);
    return true;
  }

  Diagnostic& problem_;
};

}  // namespace

bool parse_tile(const Token& value, Tile& tile, Diagnostic& problem) {
  return TypeReader(problem).read(value, tile);
}

bool parse_table(const Token& value, Table& table, Diagnostic& problem) {
  return TypeReader(problem).read(value, table);
}

}  // namespace pto::jit
