// What a command takes from the command line: names, where their values go, a line of help each.
// CLI11 stands behind it in two sources only, since its headers take seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/result.h"

namespace CLI {
class App;
}

namespace pto::jit::cli {

using Names = std::vector<std::string>;

class Arguments {
 public:
  Arguments(CLI::App& tool, const std::string& command, const std::string& about);

  void take_spec(std::string& spec, const std::string& help = "The spec text");
  void take(const std::string& name, std::string& value, const std::string& help);
  void take(const std::string& name, std::uint32_t& value, const std::string& help);
  void take(const std::string& name, std::optional<std::uint64_t>& value, const std::string& help);
  void take(const std::string& name, bool& is_given, const std::string& help);
  // Given any number of times, one value each.
  void take(const std::string& name, Names& values, const std::string& help);

  // Parsed when it is read; the command that uses it says what is wrong with it.
  template <class Value>
  void take(const std::string& name, Result<Value>& value,
            Result<Value> (*parse)(const std::string& text), const std::string& help) {
    take_text(name, [&value, parse](const std::string& text) { value = parse(text); }, help);
  }
  // Names separated by commas.
  template <class Value>
  void take(const std::string& name, Result<Value>& value,
            Result<Value> (*parse)(const Names& names), const std::string& help) {
    take_list(name, [&value, parse](const Names& names) { value = parse(names); }, help);
  }

  // Whether the user wrote an option, known by its first name: "--form", "-o".
  bool has(const std::string& name) const;

  // What the command does, once it has all of them.
  void then(std::function<void()> work);

 private:
  void take_text(const std::string& name, const std::function<void(const std::string&)>& use,
                 const std::string& help);
  void take_list(const std::string& name, const std::function<void(const Names&)>& use,
                 const std::string& help);

  CLI::App& command_;
};

}  // namespace pto::jit::cli
