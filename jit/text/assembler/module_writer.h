// The body of a module, line by line: views of global memory, tiles, loads and stores.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/text/assembler/mlir_values.h"
#include "targets/assembler.h"

namespace pto::jit {

// A value of the module by name and type.
struct Named {
  std::string name;
  std::string type;
};

template <class Range, class Print>
std::string joined(const Range& range, Print&& print) {
  std::string out;
  for (const auto& item : range) out += (out.empty() ? "" : ", ") + print(item);
  return out;
}

class ModuleWriter {
 public:
  ModuleWriter(const KernelSpec& spec, const AssemblerExtents& extents)
      : spec_(spec), extents_(extents), values_(spec.op) {}

  void line(const std::string& text) { body_ += indent_ + text + "\n"; }
  void gap() { body_ += "\n"; }

  // What follows until `close` is done unless `count` is zero.
  void open_unless_zero(const Amount& count);
  void close();

  // The partition of a table, or of a tile's storage, that operations take.
  Named table_part(Role role, const std::string& pointer);
  Named table_part(Role role) { return table_part(role, "%" + operand(role)); }
  Named tile_part(Role role);

  Named tile(Role role, const std::string& name);
  Named tile(Role role) { return tile(role, operand(role)); }

  // A tile with the operand in it.
  Named loaded(Role role);
  void store(Role role, const Named& from, const Named& to);

  // Runtime extents that what was written asks for, as "%src_vr".
  std::vector<std::string> extent_arguments() const;

  // The constants and products that what was written uses, and then all of it.
  std::string text() const { return values_.definitions() + body_; }

 private:
  struct View;

  std::string operand(Role role) const { return std::string(operand_name(spec_.op, role)); }
  Amount extent(Role role, int dim) const { return extents_.of(first_extent(role) + dim); }
  Amount stride(Role role, int dim) const;
  Named part_of(const View& view);

  const KernelSpec& spec_;
  const AssemblerExtents& extents_;
  IndexValues values_;
  std::string indent_ = "    ";
  std::string body_;
};

}  // namespace pto::jit
