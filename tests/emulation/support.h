// What the tests of the emulation share: made-up data, and words for what a run reported.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "pto/emulation/machine.hpp"

namespace pto::emulation::testing {

using Reports = std::vector<Report>;

inline std::string spell(const Reports& reports) {
  std::string text;
  for (const Report& report : reports) {
    text += std::string("  ") + name_of(report.kind) + ": " + report.message + "\n";
  }
  return text;
}

inline ::testing::AssertionResult is_clean(const Reports& reports) {
  if (reports.empty()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "reported:\n" << spell(reports);
}

// Only reports of this kind, at least one.
inline ::testing::AssertionResult reports_only(const Reports& reports, ReportKind kind) {
  const auto is_kind = [kind](const Report& report) { return report.kind == kind; };
  if (!reports.empty() && std::all_of(reports.begin(), reports.end(), is_kind)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "wanted only " << name_of(kind) << ", reported:\n"
                                       << spell(reports);
}

inline ::testing::AssertionResult mentions(const Reports& reports, const std::string& words) {
  const std::string text = spell(reports);
  if (text.find(words) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no \"" << words << "\" in:\n" << text;
}

// 0, 1, 2, ... with a step, so that every element tells where it came from.
template <typename T>
std::vector<T> counted(std::size_t count, int first = 1) {
  std::vector<T> values(count);
  for (std::size_t k = 0; k < count; ++k) {
    values[k] = static_cast<T>(static_cast<int>(k) + first);
  }
  return values;
}

template <typename T>
std::vector<T> random_below(std::size_t count, std::uint32_t limit, std::uint32_t seed = 7) {
  std::mt19937 engine(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(engine() % limit);
  return values;
}

template <typename T>
void add(Machine& machine, const char* name, std::vector<T>& values) {
  machine.add_memory(name, values.data(), values.size() * sizeof(T));
}

template <typename T>
void add(Machine& machine, const char* name, const std::vector<T>& values) {
  machine.add_memory(name, values.data(), values.size() * sizeof(T));
}

}  // namespace pto::emulation::testing
