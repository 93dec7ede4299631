// What a user wants done otherwise than it would be chosen: for tests and measurements.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/result.h"

namespace pto::jit {

// How the units of a group of indices are moved.
enum class UnitForm : std::uint8_t {
  Lanes,      // one after the other
  Gather,     // elements, by gather instructions
  Scatter,    // elements, by scatter instructions
  Registers,  // elements of a table that is kept in vector registers
  Spread,     // elements to evenly spaced places, by widening
  Batches,    // elements that combine, as a vector where no two meet
  Picks,      // elements, read one by one into a vector
  Own,        // those of a part's own slots, which are looked for in groups
};

// What is to be done otherwise than it would be chosen. A choice that a plan or the host cannot
// have is left as it was.
struct StrategyWish {
  std::optional<UnitForm> form = {};
  std::optional<std::int64_t> group = {};
  std::optional<std::int64_t> prefetch = {};
  std::optional<std::int64_t> lines = {};
  std::optional<std::int64_t> aside = {};
  std::optional<std::int64_t> over = {};
  std::optional<std::int64_t> vector = {};
  std::optional<std::int64_t> scan = {};
  std::optional<std::int64_t> strip = {};
  std::optional<std::int64_t> halves = {};
  std::optional<std::int64_t> whole = {};
  std::optional<std::int64_t> backward = {};
  std::optional<std::int64_t> stream_from = {};
  std::optional<std::int64_t> string_from = {};

  bool operator==(const StrategyWish&) const = default;
};

// "form=lanes,group=8,prefetch=0,lines=1,aside=64,over=128,vector=0,scan=1,strip=128,halves=128,
// whole=1,backward=200,stream=0,string=4096": each part once, any order.
Result<StrategyWish> parse_wish(std::string_view text);

// Whether every number is one it may be; parse_wish gives no others.
Result<Done> check(const StrategyWish& wish);

std::string print(const StrategyWish& wish);

// The numbers of a wish, and which each may be.
struct WishNumber {
  std::string_view name;
  std::optional<std::int64_t> StrategyWish::* field;
  std::string_view values;
  bool (*is_allowed)(std::int64_t value);
};
std::span<const WishNumber> wish_numbers();

std::string_view name_of(UnitForm form);

}  // namespace pto::jit
