// What a printed walk does at a place: copies, clears, combines.
#include <array>

#include "jit/source/sync_text.h"
#include "jit/source/type_text.h"
#include "jit/source/walk_text.h"

namespace pto::jit::source {

void WalkText::copy(const Place& place, const Amount& bytes) {
  if (body_.means == Means::Bursts) return burst(place, bytes);
  const Place at = open_elements(place, bytes);
  const bool to_table = walk_.direction == Direction::ToTable;
  const std::string table = table_pointer() + "[" + (at.table.empty() ? "0" : at.table) + "]";
  const std::string tile = tile_pointer() + "[" + (at.tile.empty() ? "0" : at.tile) + "]";
  out_.lines("const $type value = $from;",
             {{"type", element_type()}, {"from", to_table ? tile : table}});
  out_.lines("$to = value;", {{"to", to_table ? table : tile}});
  if (!is_single(bytes)) close();
}

void WalkText::clear_tile(const Place& place, const Amount& bytes) {
  const Place at = open_elements(place, bytes);
  out_.lines("$pointer[$at] = $type{};", {{"pointer", tile_pointer()},
                                          {"at", at.tile.empty() ? "0" : at.tile},
                                          {"type", element_type()}});
  if (!is_single(bytes)) close();
}

// Whole blocks of storage, word by word.
void WalkText::clear_written(std::int64_t bytes) {
  const bool to_table = walk_.direction == Direction::ToTable;
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
  if (body_.means == Means::Lanes) return "";  // an atomic reads it
  out_.lines("const $type old = $pointer[$at];", {{"type", element_type()},
                                                  {"pointer", table_pointer()},
                                                  {"at", at.table.empty() ? "0" : at.table}});
  return "old";
}

WalkText::Value WalkText::load_tile(const Place& at) {
  out_.lines("const $type value = $pointer[$at];", {{"type", element_type()},
                                                    {"pointer", tile_pointer()},
                                                    {"at", at.tile.empty() ? "0" : at.tile}});
  return "value";
}

// Integers wrap, which signed ones do not by themselves.
WalkText::Value WalkText::sum(const Value& table, const Value& tile) {
  if (info_of(body_.dtype).kind == NumberKind::Float) return table + " + " + tile;
  return "static_cast<" + element_type() + ">(static_cast<uint32_t>(" + table +
         ") + static_cast<uint32_t>(" + tile + "))";
}

WalkText::Value WalkText::pick_if_less(const Value& less, const Value& than, const Value& yes,
                                       const Value& no) {
  return less + " < " + than + " ? " + yes + " : " + no;
}

void WalkText::store_table(const Place& at, const Value& value) {
  constexpr std::array<std::string_view, 4> kAtomics = {"", "atomicAdd", "atomicMax", "atomicMin"};
  const std::string place = at.table.empty() ? "0" : at.table;
  if (body_.means == Means::Lanes) {
    return out_.lines("$atomic($pointer + $at, value);",
                      {{"atomic", std::string(kAtomics[static_cast<std::size_t>(walk_.combine)])},
                       {"pointer", table_pointer()},
                       {"at", place}});
  }
  out_.lines("$pointer[$at] = $value;",
             {{"pointer", table_pointer()}, {"at", place}, {"value", value}});
}

}  // namespace pto::jit::source
