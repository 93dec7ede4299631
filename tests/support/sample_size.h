// Samples have two sizes: `./dev test` takes the short one, `./dev test all` the full one. Which of
// them is decided here alone, by PTOJIT_TESTS=all in the environment.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace pto::jit::tests {

bool takes_full_samples();

struct SampleSize {
  std::size_t brief = 0;
  std::size_t full = 0;
};

// The size this run takes of `what`; prints both.
std::size_t taken(SampleSize size, std::string_view what);

// All `items`, or every `every`th where samples are short.
template <class Item>
std::vector<Item> sampled(std::vector<Item> items, std::size_t every, std::string_view what) {
  const SampleSize size{(items.size() + every - 1) / every, items.size()};
  if (taken(size, what) == size.full) return items;
  std::vector<Item> out;
  for (std::size_t i = 0; i < items.size(); i += every) out.push_back(std::move(items[i]));
  return out;
}

}  // namespace pto::jit::tests
