#include "jit/tools/bench/index_stream.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace pto::jit::cli {
namespace {

struct LawName {
  IndexLaw law;
  std::string_view name;
  std::string_view parameter;  // what stands behind the colon
};

constexpr std::array<LawName, 7> kLaws = {{
    {IndexLaw::Uniform, "uniform", ""},
    {IndexLaw::Zipf, "zipf", "an exponent above 0 and up to 10"},
    {IndexLaw::Sequential, "sequential", ""},
    {IndexLaw::Runs, "runs", "a number of slots from 1 on"},
    {IndexLaw::Permutation, "permutation", ""},
    {IndexLaw::Equal, "equal", ""},
    {IndexLaw::File, "file", "a path"},
}};

const LawName& row_of(IndexLaw law) { return kLaws[static_cast<std::size_t>(law)]; }

Diagnostic bad_indices(const std::string& message) {
  Diagnostic out = error("bench.indices", message);
  out.rule = "indices are uniform, zipf:S, sequential, runs:N, permutation, equal or file:F";
  return out;
}

// The number behind a colon, or nothing where it is not one that the law can have.
std::optional<double> parameter_in(IndexLaw law, std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const bool is_fit = law == IndexLaw::Zipf
                          ? value > 0 && value <= 10
                          : value >= 1 && value <= 4294967296.0 && value == std::floor(value);
  return is_fit ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<IndexChoice> parse_indices(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = std::string_view(text).substr(0, colon);
  const auto row = std::ranges::find(kLaws, name, &LawName::name);
  if (row == kLaws.end()) return bad_indices("there are no indices called '" + text + "'");
  if (row->parameter.empty() != (colon == std::string::npos)) {
    const std::string what = row->parameter.empty() ? "nothing" : std::string(row->parameter);
    return bad_indices("'" + text + "': behind " + std::string(name) + " stands " + what);
  }
  IndexChoice out{.law = row->law};
  if (row->parameter.empty()) return out;
  const std::string behind = text.substr(colon + 1);
  if (row->law == IndexLaw::File) {
    if (behind.empty()) return bad_indices("'" + text + "' names no file");
    out.file = behind;
    return out;
  }
  const std::optional<double> parameter = parameter_in(row->law, behind);
  if (!parameter)
    return bad_indices("'" + behind + "' is not " + std::string(row->parameter) + " for " +
                       std::string(name));
  out.parameter = *parameter;
  return out;
}

std::string print(const IndexChoice& choice) {
  const LawName& row = row_of(choice.law);
  std::string out(row.name);
  if (row.parameter.empty()) return out;
  if (choice.law == IndexLaw::File) return out + ":" + choice.file;
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), choice.parameter);
  return out + ":" + std::string(digits.data(), end.ptr);
}

// Four rounds of a Feistel network permute the numbers of an even number of bits; those beyond
// `count` are permuted again until they fall below it.
Shuffle::Shuffle(std::uint64_t count, std::uint64_t seed)
    : count_(std::max<std::uint64_t>(count, 1)),
      seed_(seed),
      half_bits_(static_cast<unsigned>(std::bit_width(count_ - 1) + 1) / 2) {}

std::uint64_t Shuffle::at(std::uint64_t number) const {
  do {
    number = once(number);
  } while (number >= count_);
  return number;
}

std::uint64_t Shuffle::once(std::uint64_t number) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t high = number >> half_bits_;
  std::uint64_t low = number & mask;
  for (std::uint64_t round = 0; round < 4; ++round) {
    std::uint64_t mixed = (low + seed_ + (round << 40)) * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9;
    high = std::exchange(low, (high ^ (mixed >> 32)) & mask);
  }
  return (high << half_bits_) | low;
}

ZipfDraw::ZipfDraw(std::uint64_t count, double exponent)
    : count_(static_cast<double>(std::max<std::uint64_t>(count, 1))),
      exponent_(exponent),
      least_area_(area(1.5) - 1),
      most_area_(area(count_ + 0.5)),
      sure_(2 - inverse_area(area(2.5) - std::pow(2.0, -exponent))) {}

double ZipfDraw::area(double x) const {
  const double rise = 1 - exponent_;
  return rise == 0 ? std::log(x) : (std::pow(x, rise) - 1) / rise;
}

double ZipfDraw::inverse_area(double area) const {
  const double rise = 1 - exponent_;
  return rise == 0 ? std::exp(area) : std::pow(std::max(1 + area * rise, 0.0), 1 / rise);
}

std::uint64_t ZipfDraw::draw(std::mt19937_64& random) const {
  while (true) {
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    const double below = most_area_ + share * (least_area_ - most_area_);
    const double x = inverse_area(below);
    const double k = std::clamp(std::round(x), 1.0, count_);
    if (k - x <= sure_ || below >= area(k + 0.5) - std::pow(k, -exponent_))
      return static_cast<std::uint64_t>(k);
  }
}

IndexStream::IndexStream(const IndexChoice& choice, std::uint64_t slots, std::uint32_t seed,
                         std::vector<std::uint32_t> given)
    : law_(choice.law),
      run_(choice.law == IndexLaw::Runs ? static_cast<std::uint64_t>(choice.parameter) : 1),
      slots_(std::max<std::uint64_t>(slots, 1)),
      given_(std::move(given)),
      random_(seed),
      shuffle_(slots_, seed),
      zipf_(slots_, choice.law == IndexLaw::Zipf ? choice.parameter : 1) {
  if (law_ == IndexLaw::Equal) slot_ = random_() % slots_;
}

std::uint64_t IndexStream::next() {
  const std::uint64_t number = count_++;
  switch (law_) {
    case IndexLaw::Uniform: return random_() % slots_;
    case IndexLaw::Zipf: return shuffle_.at(zipf_.draw(random_) - 1);
    case IndexLaw::Sequential: return number % slots_;
    case IndexLaw::Runs:
      slot_ = number % run_ == 0 ? random_() % slots_ : (slot_ + 1) % slots_;
      return slot_;
    case IndexLaw::Permutation: return shuffle_.at(number % slots_);
    case IndexLaw::Equal: return slot_;
    case IndexLaw::File: return given_[number % given_.size()];
  }
  __builtin_unreachable();
}

}  // namespace pto::jit::cli
