#include "jit/doors/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace pto::jit::cli {

Arguments::Arguments(CLI::App& tool, const std::string& command, const std::string& about)
    : command_(*tool.add_subcommand(command, about)) {}

void Arguments::take_spec(std::string& spec, const std::string& help) {
  command_.add_option("SPEC", spec, help)->required();
}

void Arguments::take(const std::string& name, std::string& value, const std::string& help) {
  command_.add_option(name, value, help);
}

void Arguments::take(const std::string& name, std::uint32_t& value, const std::string& help) {
  command_.add_option(name, value, help);
}

void Arguments::take(const std::string& name, std::optional<std::uint64_t>& value,
                     const std::string& help) {
  command_.add_option(name, value, help);
}

void Arguments::take(const std::string& name, bool& is_given, const std::string& help) {
  command_.add_flag(name, is_given, help);
}

void Arguments::take(const std::string& name, Names& values, const std::string& help) {
  command_.add_option(name, values, help)->allow_extra_args(false);
}

void Arguments::take_text(const std::string& name,
                          const std::function<void(const std::string&)>& use,
                          const std::string& help) {
  command_.add_option_function<std::string>(name, use, help);
}

void Arguments::take_list(const std::string& name, const std::function<void(const Names&)>& use,
                          const std::string& help) {
  command_.add_option_function<Names>(name, use, help)->delimiter(',');
}

bool Arguments::has(const std::string& name) const { return command_.count(name) > 0; }

void Arguments::then(std::function<void()> work) { command_.callback(std::move(work)); }

}  // namespace pto::jit::cli
