// ptojit diff: one operation on several targets and backends, on the same made-up data.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "ir/mnemonic.h"
#include "ir/spec_text.h"
#include "jit/backend.h"
#include "jit/cli/bind_text.h"
#include "jit/cli/command.h"
#include "jit/compare/compare.h"

namespace pto::jit::cli {
namespace {

struct DiffOptions {
  std::string spec;
  std::vector<std::string> targets = {"cpu", "a2a3", "a5"};
  std::vector<std::string> backends;  // empty: all there are
  std::string bind;
  std::uint32_t seed = 1;
  bool json = false;
};

Result<std::vector<Target>> targets_named(const std::vector<std::string>& names) {
  std::vector<Target> out;
  for (const std::string& name : names) {
    const std::optional<Target> target = target_named(name);
    if (!target)
      return error("option.targets",
                   "'" + printable(name) + "' is not a target; targets are cpu, a2a3, a5");
    out.push_back(*target);
  }
  return out;
}

Result<std::vector<Backend>> backends_named(const std::vector<std::string>& names) {
  std::vector<Backend> out;
  for (const std::string& name : names) {
    const std::optional<Backend> backend = backend_named(name);
    if (!backend || *backend == Backend::Auto)
      return error("option.backends", "'" + printable(name) +
                                          "' is not a backend; backends are xbyak, llvm, "
                                          "interpreter");
    if (!has_backend(*backend)) return no_backend(*backend);
    out.push_back(*backend);
  }
  if (!names.empty()) return out;
  for (const Backend backend : {Backend::Xbyak, Backend::Llvm, Backend::Interpreter}) {
    if (has_backend(backend)) out.push_back(backend);
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

// The command that shows the same again.
std::string replay(const DiffOptions& options, const CompareRequest& request) {
  std::vector<std::string> backends;
  for (const Backend backend : request.backends) backends.emplace_back(name_of(backend));
  return "ptojit diff '" + print(request.spec) + "' --targets " + joined(options.targets) +
         " --backends " + joined(backends) +
         (options.bind.empty() ? "" : " --bind " + options.bind) + " --seed " +
         std::to_string(request.seed);
}

void show(std::ostream& out, const Judged& judged) {
  out << name_of(judged.target) << (judged.is_legal ? ": legal\n" : ": not legal\n");
  const std::string text = render(judged.said);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out << "  " << text.substr(at, end - at) << "\n";
    at = end + 1;
  }
}

void show(std::ostream& out, const Difference& difference) {
  out << difference.first << " and " << difference.second << " differ in " << difference.count
      << (difference.count == 1 ? " element\n" : " elements\n");
  for (const Mismatch& mismatch : difference.some) {
    out << "  " << mismatch.place << ": " << mismatch.first << ", " << mismatch.second << "\n";
  }
  for (const Reason& reason : difference.reasons) {
    out << "  because [" << reason.id << "]: " << reason.what << "\n";
  }
  if (difference.reasons.empty()) {
    out << "  because of nothing that the plans say: a defect of this library\n";
  }
}

nlohmann::json to_json(const Reason& reason) { return {{"id", reason.id}, {"what", reason.what}}; }

nlohmann::json to_json(const std::vector<Reason>& reasons) {
  nlohmann::json out = nlohmann::json::array();
  for (const Reason& reason : reasons) out.push_back(to_json(reason));
  return out;
}

nlohmann::json to_json(const Difference& difference) {
  nlohmann::json some = nlohmann::json::array();
  for (const Mismatch& mismatch : difference.some) {
    some.push_back(
        {{"place", mismatch.place}, {"first", mismatch.first}, {"second", mismatch.second}});
  }
  return {{"first", difference.first},
          {"second", difference.second},
          {"elements", difference.count},
          {"some", some},
          {"reasons", to_json(difference.reasons)}};
}

void print_json(Session& session, const Comparison& made, const CompareRequest& request,
                const std::string& replay_line) {
  nlohmann::json out = {{"verdict", made.differences.empty() ? "equal" : "different"},
                        {"seed", request.seed},
                        {"replay", replay_line},
                        {"targets", nlohmann::json::array()},
                        {"differences", nlohmann::json::array()},
                        {"unseen", to_json(made.unseen)}};
  for (const Judged& judged : made.targets) {
    out["targets"].push_back({{"target", name_of(judged.target)},
                              {"legal", judged.is_legal},
                              {"diagnostics", cli::to_json(judged.said)}});
  }
  for (const Difference& found : made.differences) out["differences"].push_back(to_json(found));
  session.out << out.dump(2) << "\n";
}

void print_text(Session& session, const Comparison& made, const std::string& replay_line) {
  for (const Judged& judged : made.targets) show(session.out, judged);
  for (const Difference& found : made.differences) show(session.out, found);
  for (const Reason& reason : made.unseen) {
    session.out << "not seen on these data [" << reason.id << "]: " << reason.what << "\n";
  }
  session.out << (made.differences.empty() ? "equal" : "different") << "; again: " << replay_line
              << "\n";
}

Result<CompareRequest> request_of(const KernelSpec& spec, const DiffOptions& options) {
  const Result<std::vector<Target>> targets = targets_named(options.targets);
  if (!targets) return targets.error();
  const Result<std::vector<Backend>> backends = backends_named(options.backends);
  if (!backends) return backends.error();
  const Result<std::vector<Binding>> bindings = parse_bindings(spec, options.bind);
  if (!bindings) return bindings.error();
  return CompareRequest{spec, *targets, *backends, *bindings, options.seed};
}

void diff(Session& session, const DiffOptions& options) {
  const Result<KernelSpec> spec = parse(options.spec);
  const Result<CompareRequest> request =
      spec ? request_of(*spec, options) : Result<CompareRequest>(spec.error());
  const Result<Comparison> made = request ? compare(*request) : Result<Comparison>(request.error());
  if (!made)
    return report(session, {Exit::Unusable, made.error(), spec ? "" : options.spec}, options.json);
  const std::string again = replay(options, *request);
  options.json ? print_json(session, *made, *request, again) : print_text(session, *made, again);
  session.exit = made->differences.empty() ? Exit::Good : Exit::Broken;
}

}  // namespace

void add_diff(CLI::App& app, Session& session) {
  const auto options = std::make_shared<DiffOptions>();
  CLI::App* command =
      app.add_subcommand("diff", "Compare one operation on several targets and backends");
  command->add_option("SPEC", options->spec, "The spec text, of any target")->required();
  command->add_option("--targets", options->targets, "cpu,a2a3,a5")->delimiter(',');
  command->add_option("--backends", options->backends, "xbyak,llvm,interpreter: all there are")
      ->delimiter(',');
  command->add_option("--bind", options->bind, "NAME=N,...: values for each '?' of the spec");
  command->add_option("--seed", options->seed, "Of the made-up data");
  command->add_flag("--json", options->json, "Machine-readable output");
  command->callback([&session, options] { diff(session, *options); });
}

}  // namespace pto::jit::cli
