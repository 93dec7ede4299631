#include "jit/text/assembler/mlir_values.h"

#include <algorithm>

namespace pto::jit {

std::string IndexValues::constant(std::int64_t value) {
  constants_.insert(value);
  return "%c" + std::to_string(value);
}

std::string IndexValues::argument(Dim dim) const {
  std::string name = "%" + dim_name(op_, dim);
  std::ranges::replace(name, '.', '_');
  return name;
}

std::string IndexValues::computed(const std::string& name, const std::string& expression) {
  if (computed_.insert(name).second) lines_ += "    " + name + " = " + expression + " : index\n";
  return name;
}

std::string IndexValues::product(const std::string& left, const std::string& right) {
  return computed(left + "_x_" + right.substr(1), "arith.muli " + left + ", " + right);
}

std::string IndexValues::rounded_up(const Amount& amount, std::int64_t grain) {
  if (grain == 1) return of(amount);
  if (amount.is_static()) return constant((amount.factor + grain - 1) / grain * grain);
  const std::string value = of(amount);
  const std::string by = constant(grain);
  return product(computed(value + "_by_" + by.substr(1), "arith.ceildivui " + value + ", " + by),
                 by);
}

std::string IndexValues::of(const Amount& amount) {
  if (amount.is_static()) return constant(amount.factor);
  runtime_.insert(amount.dims.begin(), amount.dims.begin() + amount.count);
  std::string out = argument(amount.dims[0]);
  for (std::size_t i = 1; i < amount.count; ++i) out = product(out, argument(amount.dims[i]));
  return amount.factor == 1 ? out : product(out, constant(amount.factor));
}

std::string IndexValues::definitions() const {
  std::string out;
  for (const std::int64_t value : constants_) {
    const std::string number = std::to_string(value);
    out += "    %c" + number + " = arith.constant " + number + " : index\n";
  }
  return out + lines_;
}

}  // namespace pto::jit
