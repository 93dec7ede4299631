#include "tests/fuzz/combinations.h"

#include <algorithm>

#include "ir/mnemonic.h"
#include "ir/spec_text.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kMostAims = 20;                                // at each
constexpr std::array<std::int64_t, 3> kMostBytes = {64, 512, 1024};  // of a width class

std::vector<Combination> make_all() {
  std::vector<Combination> out;
  for (const Backend backend : {Backend::Xbyak, Backend::Llvm}) {
    for (const Oob oob : {Oob::Undefined, Oob::Skip, Oob::Clamp, Oob::Wrap, Oob::Zero}) {
      for (const bool is_runtime : {false, true}) {
        for (const WidthClass width : {WidthClass::Short, WidthClass::Middle, WidthClass::Long}) {
          for (const Outside outside : {Outside::None, Outside::Some, Outside::All}) {
            const bool has_answer = oob != Oob::Undefined || outside == Outside::None;
            if (has_backend(backend) && has_answer)
              out.push_back({backend, oob, is_runtime, width, outside});
          }
        }
      }
    }
  }
  return out;
}

std::string name_of(const Combination& which) {
  constexpr std::array kPolicies = {"unchecked", "skip", "clamp", "wrap", "zero"};
  constexpr std::array kWidths = {"short", "middle", "long"};
  constexpr std::array kOutside = {"none", "some", "all"};
  return std::string(jit::name_of(which.backend)) + " " +
         kPolicies[static_cast<std::size_t>(which.oob)] +
         (which.is_runtime ? " run-time " : " static ") +
         kWidths[static_cast<std::size_t>(which.width)] + " " +
         kOutside[static_cast<std::size_t>(which.outside)] + " outside";
}

std::int32_t padded(std::int32_t elements, DType dtype) {
  const std::int32_t block = block_elements(dtype);
  return (elements + block - 1) / block * block;
}

std::int32_t any_width(WidthClass width, DType dtype, Random& random) {
  const auto at = static_cast<std::size_t>(width);
  const std::int64_t least = at == 0 ? 1 : kMostBytes[at - 1] + size_of(dtype);
  const std::int64_t spread = (kMostBytes[at] - least) / size_of(dtype) + 1;
  const std::int64_t first = (least + size_of(dtype) - 1) / size_of(dtype);
  return static_cast<std::int32_t>(
      first + static_cast<std::int64_t>(random.below(static_cast<std::size_t>(spread))));
}

KernelSpec spec_for(const Combination& aim, Random& random) {
  constexpr std::array kTypes = {DType::U8, DType::F16, DType::F32};
  const DType dtype = kTypes[random.below(kTypes.size())];
  const std::int32_t width = any_width(aim.width, dtype, random);
  const auto rows = static_cast<std::int32_t>(1 + random.below(24));
  const bool scatters = aim.oob == Oob::Skip || (aim.oob != Oob::Zero && random.below(2) == 0);
  KernelSpec out;
  out.target = Target::A5;
  out.op = scatters ? Op::MScatter : Op::MGather;
  out.oob = aim.oob;
  out.data = {.rows = rows, .cols = padded(width, dtype), .vr = rows, .vc = width, .dtype = dtype};
  out.index = {
      .rows = 1, .cols = padded(rows, DType::I32), .vr = 1, .vc = rows, .dtype = DType::I32};
  const auto slots = static_cast<std::int32_t>(1 + random.below(9));
  out.table = {.shape = {1, 1, 1, slots, width}, .dtype = dtype};
  if (aim.is_runtime) out.data.vc = out.table.shape[4] = kRuntime;
  return out;
}

bool aims_at(const Draws& draws, const Combination& aim) {
  return draws.backend == aim.backend && draws.outside == aim.outside && !draws.is_bound;
}

}  // namespace

WidthClass width_class(std::int64_t bytes) {
  return bytes <= kMostBytes[0]   ? WidthClass::Short
         : bytes <= kMostBytes[1] ? WidthClass::Middle
                                  : WidthClass::Long;
}

const std::vector<Combination>& all_combinations() {
  static const std::vector<Combination> kAll = make_all();
  return kAll;
}

void Combinations::add(const Combination& met) {
  const auto found = std::ranges::find(all_combinations(), met);
  if (found != all_combinations().end())
    ++counts_[static_cast<std::size_t>(found - all_combinations().begin())];
}

std::optional<Combination> Combinations::next_aim() {
  const std::size_t all = counts_.size();
  for (; aimed_ < kMostAims * all; ++aimed_) {
    if (counts_[aimed_ % all] == 0) return all_combinations()[aimed_++ % all];
  }
  return std::nullopt;
}

std::vector<std::string> Combinations::missing() const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) out.push_back(name_of(all_combinations()[i]));
  }
  return out;
}

std::string Combinations::print() const {
  std::string out = "combinations met: " + std::to_string(counts_.size() - missing().size()) +
                    " of " + std::to_string(counts_.size()) + ":";
  for (std::size_t i = 0; i < counts_.size(); ++i)
    out += " " + name_of(all_combinations()[i]) + " " + std::to_string(counts_[i]) + ",";
  out.back() = '\n';
  return out;
}

std::string input_for(const Combination& aim, Random& random) {
  std::size_t number = random.below(1000000);
  while (!aims_at(draws_of(number), aim)) ++number;
  return jit::print(spec_for(aim, random)) + "\n" + std::to_string(number);
}

}  // namespace pto::jit::tests
