// Index values of a module: constants, arguments, and what is computed of them. Each is defined
// once, before everything that uses it.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "ir/amount.h"

namespace pto::jit {

class IndexValues {
 public:
  explicit IndexValues(Op op) : op_(op) {}

  // "%c64", "%src_vr", "%table_d3_x_table_d4"
  std::string of(const Amount& amount);

  // The same, rounded up to a multiple of `grain`: "%dst_vc_by_c64_x_c64"
  std::string rounded_up(const Amount& amount, std::int64_t grain);

  // "%src_vr": the argument that stands for a runtime dimension.
  std::string argument(Dim dim) const;

  // The runtime dimensions that what `of` has named is made of.
  const std::set<Dim>& runtime() const { return runtime_; }

  // What `of` has named and no argument gives.
  std::string definitions() const;

 private:
  std::string constant(std::int64_t value);
  std::string product(const std::string& left, const std::string& right);
  std::string computed(const std::string& name, const std::string& expression);

  Op op_;
  std::set<Dim> runtime_;
  std::set<std::int64_t> constants_;
  std::set<std::string> computed_;  // by name
  std::string lines_;               // that define them
};

}  // namespace pto::jit
