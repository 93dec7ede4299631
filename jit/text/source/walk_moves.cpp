// What a printed walk does at a place: copies, clears, combines.
#include <array>

#include "jit/text/source/sync_text.h"
#include "jit/text/source/type_text.h"
#include "jit/text/source/walk_text.h"

namespace pto::jit::source {

namespace {

std::string or_zero(const std::string& place) { return place.empty() ? "0" : place; }

// An element offset as a tile's own accessors take it.
std::string as_offset(const std::string& place) {
  return place.empty() ? "0" : "static_cast<uint32_t>(" + place + ")";
}

}  // namespace

std::string WalkText::local_at(const std::string& operand, const std::string& place) const {
  if (has_local_pointers(plan_)) return operand + "Ub[" + or_zero(place) + "]";
  return operand + "Tile.GetValue(" + as_offset(place) + ")";
}

std::string WalkText::set_local(const std::string& operand, const std::string& place,
                                const Value& value) const {
  if (has_local_pointers(plan_)) return operand + "Ub[" + or_zero(place) + "] = " + value + ";";
  return operand + "Tile.SetValue(" + as_offset(place) + ", " + value + ");";
}

std::string WalkText::tile_at(const Place& at) const { return local_at(body_.tile, at.tile); }

std::string WalkText::set_tile(const Place& at, const Value& value) const {
  return set_local(body_.tile, at.tile, value);
}

std::string WalkText::table_at(const Place& at) const {
  if (!body_.is_in_memory) return local_at(body_.table, at.table);
  return table_pointer() + "[" + or_zero(at.table) + "]";
}

std::string WalkText::set_table(const Place& at, const Value& value) const {
  if (!body_.is_in_memory) return set_local(body_.table, at.table, value);
  return table_at(at) + " = " + value + ";";
}

void WalkText::copy(const Place& place, const Amount& bytes) {
  if (body_.means == Means::Bursts) return burst(place, bytes);
  const Place at = open_elements(place, bytes);
  const bool to_table = walk_.direction == Direction::ToTable;
  out_.lines("const $type value = $from;",
             {{"type", element_type()}, {"from", to_table ? tile_at(at) : table_at(at)}});
  out_.lines(to_table ? set_table(at, "value") : set_tile(at, "value"));
  if (!is_single(bytes)) close();
}

void WalkText::clear_tile(const Place& place, const Amount& bytes) {
  const Place at = open_elements(place, bytes);
  out_.lines(set_tile(at, element_type() + "{}"));
  if (!is_single(bytes)) close();
}

// Whole blocks of storage, word by word where a pointer can see words.
void WalkText::clear_written(std::int64_t bytes) {
  const bool to_table = walk_.direction == Direction::ToTable;
  if (!has_local_pointers(plan_)) {
    return out_.lines("for (uint32_t w = 0; w < $count; ++w) $tile.SetValue(w, $type{});",
                      {{"count", std::to_string(in_elements(bytes).factor)},
                       {"tile", (to_table ? body_.table : body_.tile) + "Tile"},
                       {"type", element_type()}});
  }
  out_.lines("UbPointer<uint32_t> words = UbPointer<uint32_t>($pointer);",
             {{"pointer", to_table ? table_pointer() : tile_pointer()}});
  out_.lines("for (int64_t w = 0; w < $count; ++w) words[w] = 0;",
             {{"count", std::to_string(bytes / 4)}});
  if (body_.means == Means::Bursts)
    write_syncs(out_, plan_, {{SyncKind::Flag, Pipe::Scalar, Pipe::Load}});
}

// Local gaps count blocks of 32 bytes, those in memory bytes.
void WalkText::burst(const Place& place, const Amount& bytes) {
  const Repeat& inner = walk_.unit.inner;
  const bool to_table = walk_.direction == Direction::ToTable;
  const bool has_gaps = !inner.count.is(1);
  const std::string memory = plus(body_.table, place.table);
  const std::string local = plus(tile_pointer(), place.tile);
  const std::int64_t blocks = (inner.tile_step.factor - bytes.factor) / kBlockBytes;
  const std::string local_gap = has_gaps ? std::to_string(blocks) : "0";
  const std::string memory_gap = has_gaps ? gap_text(inner.table_step, bytes) : "0";
  out_.lines("copy_$way_align_b$width($to, $from, 0, $count, $size, 0, 0, $first, $second);",
             {{"way", to_table ? "ubuf_to_gm" : "gm_to_ubuf"},
              {"width", std::to_string(8 * size_of(body_.dtype))},
              {"to", to_table ? memory : local},
              {"from", to_table ? local : memory},
              {"count", narrowed(inner.count, "uint16_t")},
              {"size", narrowed(bytes, "uint32_t")},
              {"first", to_table ? local_gap : memory_gap},
              {"second", to_table ? memory_gap : local_gap}});
  write_syncs(out_, plan_, body_.each);
}

// An amount as an argument of a narrower type.
std::string WalkText::narrowed(const Amount& amount, const std::string& type) const {
  const std::string text = amount_text(amount);
  return amount.is_static() ? text : "static_cast<" + type + ">(" + text + ")";
}

std::string WalkText::gap_text(const Amount& step, const Amount& bytes) const {
  if (step.is_static()) return std::to_string(step.factor - bytes.factor);
  return "static_cast<uint32_t>(" + amount_text(step) + " - " + amount_text(bytes) + ")";
}

WalkText::Value WalkText::load_table(const Place& at) {
  if (body_.has_atomics) return "";  // an atomic reads it
  out_.lines("const $type old = $from;", {{"type", element_type()}, {"from", table_at(at)}});
  return "old";
}

WalkText::Value WalkText::load_tile(const Place& at) {
  out_.lines("const $type value = $from;", {{"type", element_type()}, {"from", tile_at(at)}});
  return "value";
}

// Integers wrap, which signed ones do not by themselves; narrow floats have no sums of their own.
WalkText::Value WalkText::sum(const Value& table, const Value& tile) {
  if (body_.dtype == DType::F32) return table + " + " + tile;
  if (body_.dtype == DType::F16)
    return "static_cast<half>(static_cast<float>(" + table + ") + static_cast<float>(" + tile +
           "))";
  if (body_.dtype == DType::BF16) return plan_.name + "_sum(" + table + ", " + tile + ")";
  return "static_cast<" + element_type() + ">(static_cast<uint32_t>(" + table +
         ") + static_cast<uint32_t>(" + tile + "))";
}

WalkText::Value WalkText::pick_if_less(const Value& less, const Value& than, const Value& yes,
                                       const Value& no) {
  return less + " < " + than + " ? " + yes + " : " + no;
}

void WalkText::store_table(const Place& at, const Value& value) {
  constexpr std::array<std::string_view, 4> kAtomics = {"", "atomicAdd", "atomicMax", "atomicMin"};
  if (!body_.has_atomics) return out_.lines(set_table(at, value));
  out_.lines("$atomic($pointer + $at, value);",
             {{"atomic", std::string(kAtomics[static_cast<std::size_t>(walk_.combine)])},
              {"pointer", table_pointer()},
              {"at", or_zero(at.table)}});
}

}  // namespace pto::jit::source
