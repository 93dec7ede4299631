// ptojit diff: one operation on several targets and backends, on the same made-up data.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "ir/mnemonic.h"
#include "ir/spec_text.h"
#include "jit/backends/backend.h"
#include "jit/checks/compare/compare.h"
#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/bind_text.h"
#include "jit/doors/cli/command.h"
#include "jit/doors/cli/named_options.h"
#include "targets/profile.h"

namespace pto::jit::cli {
namespace {

std::vector<Target> every_target() {
  std::vector<Target> out;
  for (const Profile* profile : all_profiles()) out.push_back(profile->target);
  return out;
}

std::vector<Backend> every_backend() {
  std::vector<Backend> out = {Backend::Xbyak, Backend::Llvm, Backend::Interpreter};
  std::erase_if(out, [](Backend backend) { return !has_backend(backend); });
  return out;
}

struct DiffOptions {
  std::string spec;
  Result<std::vector<Target>> targets = every_target();
  Result<std::vector<Backend>> backends = every_backend();
  std::string bind;
  std::uint32_t seed = 1;
  bool json = false;
};

template <class Value>
std::string joined_names(const std::vector<Value>& values) {
  std::string out;
  for (const Value value : values) out += (out.empty() ? "" : ",") + std::string(name_of(value));
  return out;
}

// The command that shows the same again.
std::string replay(const DiffOptions& options, const CompareRequest& request) {
  return "ptojit diff '" + print(request.spec) + "' --targets " + joined_names(request.targets) +
         " --backends " + joined_names(request.backends) +
         (options.bind.empty() ? "" : " --bind " + options.bind) + " --seed " +
         std::to_string(request.seed);
}

std::string as_text(const Judged& judged) {
  std::string out(name_of(judged.target));
  out += judged.is_legal ? ": legal\n" : ": not legal\n";
  const std::string text = render(judged.said);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += "  " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

std::string as_text(const Difference& difference) {
  std::string out = difference.first + " and " + difference.second + " differ in " +
                    std::to_string(difference.count) +
                    (difference.count == 1 ? " element\n" : " elements\n");
  for (const Mismatch& mismatch : difference.some)
    out += "  " + mismatch.place + ": " + mismatch.first + ", " + mismatch.second + "\n";
  for (const Reason& reason : difference.reasons)
    out += "  because [" + reason.id + "]: " + reason.what + "\n";
  if (difference.reasons.empty())
    out += "  because of nothing that the plans say: a defect of this library\n";
  return out;
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

// That no two targets were compared, and what was; empty where two took part.
std::string lone_target(const Comparison& made, const CompareRequest& request) {
  const auto is_legal = [](const Judged& judged) { return judged.is_legal; };
  if (std::ranges::count_if(made.targets, is_legal) > 1) return {};
  const Target only = std::ranges::find_if(made.targets, is_legal)->target;
  const bool has_rivals = std::ranges::any_of(
      request.backends, [](Backend backend) { return backend != Backend::Interpreter; });
  return "only " + std::string(name_of(only)) + " took part: no targets were compared" +
         (has_rivals ? ", backends were" : "");
}

std::string as_json(const Comparison& made, const CompareRequest& request,
                    const std::string& replay_line) {
  nlohmann::json out = {{"verdict", made.differences.empty() ? "equal" : "different"},
                        {"seed", request.seed},
                        {"replay", replay_line},
                        {"targets", nlohmann::json::array()},
                        {"differences", nlohmann::json::array()},
                        {"unseen", to_json(made.unseen)}};
  if (const std::string lone = lone_target(made, request); !lone.empty()) out["remark"] = lone;
  for (const Judged& judged : made.targets) {
    out["targets"].push_back({{"target", name_of(judged.target)},
                              {"legal", judged.is_legal},
                              {"diagnostics", cli::to_json(judged.said)}});
  }
  for (const Difference& found : made.differences) out["differences"].push_back(to_json(found));
  return printed(out);
}

std::string to_text(const Comparison& made, const CompareRequest& request,
                    const std::string& replay_line) {
  std::string out;
  for (const Judged& judged : made.targets) out += as_text(judged);
  for (const Difference& found : made.differences) out += as_text(found);
  for (const Reason& reason : made.unseen)
    out += "not seen on these data [" + reason.id + "]: " + reason.what + "\n";
  if (const std::string lone = lone_target(made, request); !lone.empty()) out += lone + "\n";
  return out + (made.differences.empty() ? "equal" : "different") + "; again: " + replay_line +
         "\n";
}

Result<CompareRequest> request_of(const KernelSpec& spec, const DiffOptions& options) {
  if (!options.targets) return options.targets.error();
  if (!options.backends) return options.backends.error();
  const Result<std::vector<Binding>> bindings = parse_bindings(spec, options.bind);
  if (!bindings) return bindings.error();
  return CompareRequest{spec, *options.targets, *options.backends, *bindings, options.seed};
}

Outcome diff(const DiffOptions& options) {
  const Result<KernelSpec> spec = parse(options.spec);
  if (!spec) return unusable(spec.error(), options.spec);
  const Result<CompareRequest> request = request_of(*spec, options);
  if (!request) return unusable(request.error());
  const Result<Comparison> made = compare(*request);
  if (!made) return unusable(made.error());
  const std::string again = replay(options, *request);
  return {.exit = made->differences.empty() ? Exit::Good : Exit::Broken,
          .output = (options.json ? as_json : to_text)(*made, *request, again)};
}

}  // namespace

void add_diff(CLI::App& app, Session& session) {
  const auto options = std::make_shared<DiffOptions>();
  Arguments command(app, "diff", "Compare one operation on several targets and backends");
  command.take_spec(options->spec, "The spec text, of any target");
  command.take("--targets", options->targets, parse_targets, "cpu,a2a3,a5");
  command.take("--backends", options->backends, parse_backends,
               "xbyak,llvm,interpreter: all there are");
  command.take("--bind", options->bind, "NAME=N,...: values for each '?' of the spec");
  command.take("--seed", options->seed, "Of the made-up data");
  command.take("--json", options->json, "Machine-readable output");
  command.then(
      [&session, options] { run_command(session, [&] { return diff(*options); }, options->json); });
}

}  // namespace pto::jit::cli
