#include "jit/doors/cli/command.h"

#include <array>
#include <new>
#include <nlohmann/json.hpp>
#include <ostream>

#include "ir/spec_text.h"
#include "runtime/operands.h"

namespace pto::jit::cli {

nlohmann::json to_json(const Diagnostics& diagnostics) {
  return nlohmann::json::parse(json_of(diagnostics));
}

std::string printed(const nlohmann::json& json) { return json.dump(2) + "\n"; }

Outcome refused(const Diagnostics& why, const std::string& spec_text,
                const std::string& bind_text) {
  const bool is_bind = !why.empty() && why[0].id.starts_with("bind.");
  return {are_broken_rules(why) ? Exit::Broken : Exit::Unusable, why,
          is_bind ? bind_text : spec_text};
}

Outcome unusable(const Diagnostics& why, const std::string& text) {
  return {Exit::Unusable, why, text};
}

void report(Session& session, const Outcome& outcome, bool json) {
  constexpr std::array<const char*, 3> kNames = {"done", "illegal", "unusable"};
  session.exit = outcome.exit;
  if (!outcome.output.empty()) {
    session.out << outcome.output;
  } else if (json) {
    session.out << printed({{"verdict", kNames[static_cast<std::size_t>(outcome.exit)]},
                            {"diagnostics", to_json(outcome.diagnostics)}});
  } else {
    session.err << render(outcome.diagnostics, outcome.text);
  }
}

void run_command(Session& session, const std::function<Outcome()>& command, bool json) {
  try {
    report(session, command(), json);
  } catch (const std::bad_alloc&) {
    report(session, unusable({out_of_memory("this command")}), json);
  }
}

Result<LegalSpec> read_spec(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  if (!spec) return spec.error();
  return verify(*spec);
}

}  // namespace pto::jit::cli
