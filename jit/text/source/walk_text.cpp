#include "jit/text/source/walk_text.h"

#include <algorithm>
#include <array>

#include "jit/text/source/type_text.h"

namespace pto::jit::source {
namespace {

static_assert(MovesForward<WalkText> && FindsOwners<WalkText>);

constexpr std::int64_t kLanes = 32;

// Names of the loops over positions, by how many there are.
constexpr std::array<std::array<std::string_view, 3>, 3> kLoopNames = {
    {{"r", "", ""}, {"r", "c", ""}, {"b", "r", "c"}}};

bool is_sum(const std::string& text) { return text.find(' ') != std::string::npos; }
std::string factor(const std::string& text) { return is_sum(text) ? "(" + text + ")" : text; }

}  // namespace

std::string WalkText::amount_text(const Amount& amount) const {
  Amount known = amount.factor;
  std::vector<std::string> factors;
  for (std::size_t i = 0; i < amount.count; ++i) {
    const pto::jit::Value& value = body_.extents[static_cast<std::size_t>(amount.dims[i])];
    if (value.local == Local::None) {
      known = known * value.amount;
    } else {
      factors.push_back(value_text(plan_, value));
    }
  }
  if (!known.is(1) || factors.empty()) factors.insert(factors.begin(), value_text(plan_, {known}));
  return joined(factors, " * ");
}

Amount WalkText::in_elements(const Amount& bytes) const {
  Amount out = bytes;
  if (!body_.moves_bytes) out.factor /= size_of(body_.dtype);
  return out;
}

std::string WalkText::term(const std::string& name, const Amount& step_bytes) const {
  const Amount step = in_elements(step_bytes);
  if (step.is(0)) return "";
  return step.is(1) ? name : factor(name) + " * " + amount_text(step);
}

std::string WalkText::plus(const std::string& left, const std::string& right) const {
  if (left.empty() || right.empty() || left == "0")
    return left == "0" || left.empty() ? right : left;
  return left + " + " + right;
}

std::string WalkText::index_type() const {
  return body_.means == Means::Lanes ? "uint32_t" : "int64_t";
}

std::string WalkText::element_type() const {
  return body_.moves_bytes ? "uint8_t" : std::string(type_name(body_.dtype));
}

WalkText::Mask WalkText::below(const Index& raw, const Amount& capacity) const {
  return raw + " < " + amount_text(capacity);
}

WalkText::Index WalkText::at_most_last(const Index& raw, const Amount& capacity) {
  const std::string count = amount_text(capacity);
  const std::string last =
      capacity.is_static() ? std::to_string(capacity.factor - 1) : count + " - 1";
  const std::string name = body_.means == Means::Lanes ? "clamped" : "slot";
  out_.lines(
      "const $type $name = $raw < $count ? $raw : $last;",
      {{"type", index_type()}, {"name", name}, {"raw", raw}, {"count", count}, {"last", last}});
  return name;
}

WalkText::Index WalkText::modulo(const Index& raw, const Amount& capacity) {
  const std::string name = body_.means == Means::Lanes ? "wrapped" : "slot";
  out_.lines("const $type $name = $raw % $count;", {{"type", index_type()},
                                                    {"name", name},
                                                    {"raw", raw},
                                                    {"count", factor(amount_text(capacity))}});
  return name;
}

WalkText::Index WalkText::scaled(const Index& slot, const Amount& step) const {
  return term(slot, step);
}

WalkText::Parts WalkText::divided(const Index& slot, const Amount& radix) const {
  const std::string by = factor(amount_text(radix));
  return {factor(slot) + " / " + by, factor(slot) + " % " + by};
}

// Zero-extended from its own width: a negative index is a large one.
WalkText::Index WalkText::load_index(const Position& at) {
  const bool is_short = size_of(body_.index_dtype) == 2;
  out_.lines("const $type index = static_cast<$raw>($from);",
             {{"type", index_type()},
              {"raw", is_short ? "uint16_t" : "uint32_t"},
              {"from", local_at(body_.index, at.index)}});
  return "index";
}

WalkText::Position WalkText::position_of(const std::vector<std::string>& names) const {
  Position at;
  const std::int64_t index_size = std::max<std::int64_t>(walk_.index_size, 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;  // one position
    const Level& level = walk_.levels[i];
    const std::int64_t step = level.index_step / index_size;
    const std::string scaled_index = step == 0   ? ""
                                     : step == 1 ? names[i]
                                                 : factor(names[i]) + " * " + std::to_string(step);
    at.index = plus(at.index, scaled_index);
    at.tile = plus(at.tile, term(names[i], level.tile_step));
    at.table = plus(at.table, term(names[i], level.table_step));
  }
  if (walk_.table_base > 0)
    at.table = plus(at.table, std::to_string(in_elements(walk_.table_base).factor));
  return at;
}

// With blocks the outermost loop counts blocks of columns, the innermost what is left of one.
WalkText::Position WalkText::open_positions() {
  if (body_.means == Means::Lanes) return open_lanes();
  std::vector<std::string> names;
  const std::string columns = amount_text(walk_.levels[0].extent);
  const std::string block = std::to_string(walk_.block);
  for (std::size_t i = 0; i < walk_.level_count; ++i) {
    const Amount& extent = walk_.levels[i].extent;
    const bool is_once = extent.is(1) && walk_.block == 0;
    const std::string name(is_once ? "" : kLoopNames[walk_.level_count - 1U][i]);
    names.push_back(name);
    if (is_once) continue;
    const bool is_blocks = walk_.block > 0 && i == 0;
    const bool is_inside = walk_.block > 0 && i + 1 == walk_.level_count;
    std::string bound = name + " < " + amount_text(extent);
    if (is_blocks) bound = name + " * " + block + " < " + columns;
    if (is_inside) bound += " && " + names[0] + " * " + block + " + " + name + " < " + columns;
    open("for (int64_t " + name + " = 0; " + bound + "; ++" + name + ") {");
  }
  return position_of(names);
}

bool WalkText::is_by_rows() const {
  return !is_single(walk_.unit.run) || !walk_.unit.inner.count.is(1);
}

// Rows known only at run time get a warp each.
std::int64_t WalkText::row_warps() const {
  const Amount& rows = walk_.levels[0].extent;
  return rows.is_static() ? std::min<std::int64_t>(rows.factor, kLanes) : kLanes;
}

std::int64_t WalkText::warps_per_row() const {
  const Amount cols =
      is_single(walk_.unit.run) ? walk_.unit.inner.count : in_elements(walk_.unit.run);
  if (!cols.is_static() || !walk_.levels[0].extent.is_static()) return 1;
  return std::min(kLanes / row_warps(), (cols.factor + kLanes - 1) / kLanes);
}

Amount WalkText::count_of_positions() const {
  const Amount& outer = walk_.levels[0].extent;
  return walk_.level_count == 1 ? outer : outer * walk_.levels[1].extent;
}

std::int64_t WalkText::warps() const {
  if (is_by_rows() && !finds_last()) return row_warps() * warps_per_row();
  const Amount count = finds_last() ? walk_.capacity : count_of_positions();
  if (!count.is_static()) return kLanes;
  return std::clamp<std::int64_t>((count.factor + kLanes - 1) / kLanes, 1, kLanes);
}

void WalkText::write() {
  if (finds_last()) return walk_by_owner(walk_, *this);
  walk(walk_, *this);
}

// Rows by warps; single elements by all lanes of the launch.
WalkText::Position WalkText::open_lanes() {
  out_.lines("#pragma unroll(1)");
  if (is_by_rows()) {
    const std::string shared = warps_per_row() == 1 ? "" : " / " + std::to_string(warps_per_row());
    open("for (uint32_t r = threadIdx.y" + shared + "; r < " + amount_text(walk_.levels[0].extent) +
         "; r += " + std::to_string(row_warps()) + ") {");
    return position_of({"r"});
  }
  open("for (uint32_t i = threadIdx.y * 32 + threadIdx.x; i < " +
       amount_text(count_of_positions()) + "; i += lanes) {");
  if (walk_.level_count == 1) return position_of({"i"});
  const std::string cols = factor(amount_text(walk_.levels[1].extent));
  return position_of({"i / " + cols, "i % " + cols});
}

void WalkText::open_slots(const Amount& capacity) {
  out_.lines("#pragma unroll(1)");
  open("for (uint32_t slot = threadIdx.y * 32 + threadIdx.x; slot < " + amount_text(capacity) +
       "; slot += lanes) {");
}

WalkText::Position WalkText::open_scan() {
  out_.lines("#pragma unroll(1)");
  open("for (uint32_t k = " + amount_text(count_of_positions()) + "; k > 0; --k) {");
  if (walk_.level_count == 1) return position_of({"k - 1"});
  const std::string cols = factor(amount_text(walk_.levels[1].extent));
  return position_of({"(k - 1) / " + cols, "(k - 1) % " + cols});
}

// The lanes that share a row take its elements in turn; everyone else goes through it alone.
void WalkText::open_shared(const std::string& name, const std::string& count) {
  const bool is_shared = body_.means == Means::Lanes && !finds_last();
  const std::string per_row = std::to_string(warps_per_row());
  const std::string lane =
      warps_per_row() == 1 ? "threadIdx.x" : "threadIdx.y % " + per_row + " * 32 + threadIdx.x";
  const std::string first = is_shared ? lane : "0";
  const std::string step =
      is_shared ? name + " += " + std::to_string(warps_per_row() * kLanes) : "++" + name;
  if (body_.means == Means::Lanes) out_.lines("#pragma unroll(4)");
  open("for (" + index_type() + " " + name + " = " + first + "; " + name + " < " + count + "; " +
       step + ") {");
}

WalkText::Place WalkText::open_elements(const Place& place, const Amount& bytes) {
  if (is_single(bytes)) return place;
  open_shared("e", amount_text(in_elements(bytes)));
  return {plus(place.table, "e"), plus(place.tile, "e")};
}

void WalkText::open(const std::string& line) {
  out_.lines(line);
  out_.indent();
  ++depth_;
}

void WalkText::close() {
  out_.outdent();
  out_.lines("}");
  --depth_;
}

void WalkText::close_to(int depth) {
  while (depth_ > depth) close();
}

}  // namespace pto::jit::source
