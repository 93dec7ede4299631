// ptojit targets: the capability and rule tables.
#include <memory>
#include <nlohmann/json.hpp>

#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/command.h"
#include "targets/report.h"
#include "targets/rules.h"

namespace pto::jit::cli {
namespace {

struct TargetsOptions {
  std::string target;
  bool json = false;
};

template <class Enum>
nlohmann::json names(EnumSet<Enum> set) {
  nlohmann::json out = nlohmann::json::array();
  set.for_each([&](Enum member) { out.push_back(name_of(member)); });
  return out;
}

nlohmann::json to_json(const OpProfile& op) {
  nlohmann::json atomics = nlohmann::json::object();
  for (const Atomic atomic : {Atomic::Add, Atomic::Max, Atomic::Min}) {
    atomics[std::string(name_of(atomic))] = names(op.atomics[static_cast<std::size_t>(atomic)]);
  }
  return {{"dtypes", names(op.dtypes)},
          {"index_dtypes", names(op.index_dtypes)},
          {"oob", names(op.oob)},
          {"atomics", atomics},
          {"conflicts", names(op.conflicts)},
          {"data_layouts", names(op.data_layouts)},
          {"index_layouts", names(op.index_layouts)},
          {"store_layouts", names(op.store_layouts)},
          {"table_layouts", names(op.table_layouts)}};
}

nlohmann::json to_json(const Profile& profile, const RuleRow& row) {
  nlohmann::json ids = nlohmann::json::array();
  row.ops.for_each([&](Op op) { ids.push_back(full_id(profile, op, *row.rule)); });
  return {{"ids", ids}, {"rule", row.reason}, {"from", row.from}};
}

nlohmann::json to_json(const Profile& profile) {
  nlohmann::json ops = nlohmann::json::object();
  for (const Operation& operation : kOperations)
    ops[std::string(operation.id)] = to_json(profile.of(operation.op));
  nlohmann::json rules = nlohmann::json::array();
  for (const std::span<const RuleRow> rows : {common_rules(), profile.rules}) {
    for (const RuleRow& row : rows) rules.push_back(to_json(profile, row));
  }
  return {{"target", name_of(profile.target)},
          {"title", profile.title},
          {"ops", ops},
          {"rules", rules}};
}

std::string all_targets(bool json) {
  if (!json) return report_all();
  nlohmann::json all = nlohmann::json::array();
  for (const Profile* profile : all_profiles()) all.push_back(to_json(*profile));
  return printed(all);
}

Outcome show_targets(const TargetsOptions& options) {
  if (options.target.empty()) return {.output = all_targets(options.json)};
  const std::optional<Target> target = target_named(options.target);
  if (!target) {
    return unusable({error("cli.target", "'" + printable(options.target) +
                                             "' is not a target; targets are " + target_names())});
  }
  const Profile& profile = profile_of(*target);
  return {.output = options.json ? printed(to_json(profile)) : jit::report(profile)};
}

}  // namespace

void add_targets(CLI::App& app, Session& session) {
  const auto options = std::make_shared<TargetsOptions>();
  Arguments command(app, "targets", "Print what each target accepts, and its rules");
  command.take("TARGET", options->target, "cpu, a2a3 or a5; all when left out");
  command.take("--json", options->json, "Machine-readable output");
  command.then([&session, options] {
    run_command(session, [&] { return show_targets(*options); }, options->json);
  });
}

}  // namespace pto::jit::cli
