#include "jit/source/assembler/mlir_values.h"

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

std::string IndexValues::product(const std::string& left, const std::string& right) {
  std::string name = left + "_x_" + right.substr(1);
  if (products_.insert(name).second)
    lines_ += "    " + name + " = arith.muli " + left + ", " + right + " : index\n";
  return name;
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
