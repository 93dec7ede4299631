#include "targets/report.h"

#include "targets/rules.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

template <class Enum>
std::string cell(EnumSet<Enum> set) {
  return set.empty() ? "-" : names_of(set);
}

std::string atomics_cell(const OpProfile& op) {
  std::string out;
  for (const Atomic atomic : {Atomic::Add, Atomic::Max, Atomic::Min}) {
    const EnumSet<DType> dtypes = op.atomics[static_cast<std::size_t>(atomic)];
    if (dtypes.empty()) continue;
    out += (out.empty() ? "" : "; ") + str(name_of(atomic)) + ": " + names_of(dtypes);
  }
  return out.empty() ? "-" : out;
}

std::string layouts_cell(Op op, const OpProfile& profile) {
  std::string out;
  for (const Operand& entry : operands_of(op)) {
    std::string layouts;
    switch (entry.role) {
      case Role::Data: layouts = names_of(profile.data_layouts); break;
      case Role::Index: layouts = names_of(profile.index_layouts); break;
      case Role::Store: layouts = names_of(profile.store_layouts); break;
      case Role::Table:
      case Role::Peer: layouts = names_of(profile.table_layouts); break;
    }
    out += (out.empty() ? "" : "; ") + str(entry.name) + ": " + layouts;
  }
  return out;
}

std::string ops_cell(Ops ops) {
  std::string out;
  ops.for_each([&](Op op) { out += (out.empty() ? "" : " ") + str(operation_of(op).form); });
  return out;
}

std::string ids_cell(const Profile& profile, const RuleRow& row) {
  std::string families;
  row.ops.for_each(
      [&](Op op) { families += (families.empty() ? "" : ",") + str(operation_of(op).id); });
  const bool many = families.find(',') != std::string::npos;
  return "`" + str(name_of(profile.target)) + "." + (many ? "{" + families + "}" : families) + "." +
         str(row.rule->id) + "`";
}

}  // namespace

std::string capability_table(const Profile& profile) {
  std::string out =
      "| operation | dtypes | index dtypes | out of bounds | atomics | conflict | layouts |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const Operation& operation : kOperations) {
    const OpProfile& row = profile.of(operation.op);
    out += "| " + str(operation.form) + " | ";
    if (row.dtypes.empty()) {
      out += "not offered | | | | | |\n";
      continue;
    }
    out += cell(row.dtypes) + " | " + cell(row.index_dtypes) + " | " + cell(row.oob) + " | " +
           atomics_cell(row) + " | " + cell(row.conflicts) + " | " +
           layouts_cell(operation.op, row) + " |\n";
  }
  return out;
}

std::string rule_table(const Profile& profile) {
  std::string out = "| rule | operations | in our words | from |\n|---|---|---|---|\n";
  for (const std::span<const RuleRow> rows : {common_rules(), profile.rules}) {
    for (const RuleRow& row : rows) {
      out += "| " + ids_cell(profile, row) + " | " + ops_cell(row.ops) + " | " + str(row.reason) +
             " | " + str(row.from) + " |\n";
    }
  }
  return out;
}

std::string report(const Profile& profile) {
  return "## " + str(name_of(profile.target)) + ": " + str(profile.title) + "\n\n" +
         str(profile.device) + ".\n\n" + capability_table(profile) + "\n" + rule_table(profile);
}

std::string report_all() {
  std::string out =
      "# Targets\n\nWhat each target accepts, and every rule `ptojit check` may quote. Generated "
      "by "
      "`ptojit targets`.\n";
  for (const Profile* profile : all_profiles()) out += "\n" + report(*profile);
  return out;
}

}  // namespace pto::jit
