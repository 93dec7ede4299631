#include "tests/support/cells.h"

#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "tests/support/sample_size.h"

namespace pto::jit::tests {
namespace {

std::string number(auto value) { return std::to_string(static_cast<int>(value)); }

}  // namespace

std::vector<std::string> cells_of(const KernelSpec& spec) {
  const std::string op = "op " + number(spec.op) + " coalesce " + number(spec.coalesce);
  const std::string dtype = " dtype " + number(dtype_of(spec, written_role(spec.op)));
  std::vector<std::string> out = {
      op + " target " + number(spec.target),
      op + dtype,
      op + " oob " + number(spec.oob),
      op + " atomic " + number(spec.atomic) + dtype,
      op + " conflict " + number(spec.conflict),
      op + " audit " + number(spec.audit),
      op + (runtime_dims(spec).empty() ? " static" : " runtime"),
      op + " mask " + number(spec.mask) + " unit " + number(spec.unit),
      op + " engine " + number(spec.engine) + " staging " + number(spec.staging),
  };
  for (const Operand& operand : operands_of(spec.op)) {
    const std::string role = op + " role " + number(operand.role);
    const int layout = is_tile(operand.role)
                           ? static_cast<int>(tile_of(spec, operand.role).layout)
                           : static_cast<int>(table_of(spec, operand.role).layout);
    out.push_back(role + " layout " + std::to_string(layout));
    out.push_back(role + " dtype " + number(dtype_of(spec, operand.role)));
  }
  return out;
}

bool Cells::add(const KernelSpec& spec) {
  bool is_new = false;
  for (std::string& word : cells_of(spec)) is_new |= words_.insert(std::move(word)).second;
  return is_new;
}

std::vector<GridCase> chosen_cases(const std::vector<GridCase>& grid, std::size_t every) {
  Cells met;
  std::vector<GridCase> out;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const bool is_new = met.add(grid[i].spec);
    if (is_new || i % every == 0) out.push_back(grid[i]);
  }
  return out;
}

std::vector<GridCase> sampled_grid(std::size_t every) {
  std::vector<GridCase> grid = runnable_grid();
  std::vector<GridCase> chosen = chosen_cases(grid, every);
  const SampleSize size{chosen.size(), grid.size()};
  return taken(size, "cases of the grid") == size.full ? grid : chosen;
}

}  // namespace pto::jit::tests
