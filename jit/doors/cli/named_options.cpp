#include "jit/doors/cli/named_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "ir/mnemonic.h"
#include "jit/backends/backend.h"

namespace pto::jit::cli {
namespace {

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr std::array kPlacements = {
    Named<Placement>{"manual", Placement::Manual},
    Named<Placement>{"auto", Placement::Auto},
};
constexpr std::array kLevels = {
    Named<LineLevel>{"sync", LineLevel::Sync},
    Named<LineLevel>{"ssa", LineLevel::Ssa},
    Named<LineLevel>{"dps", LineLevel::Dps},
};

template <class Value, std::size_t kCount>
Result<Value> value_named(std::string_view option, const std::string& name,
                          const std::array<Named<Value>, kCount>& values) {
  std::string names;
  for (const Named<Value>& value : values) {
    if (value.name == name) return value.value;
    names += (names.empty() ? "" : ", ") + std::string(value.name);
  }
  return error("option." + std::string(option),
               "'" + printable(name) + "' is no " + std::string(option) + "; there are " + names);
}

Diagnostic unknown(const char* id, const std::string& name, const std::string& accepted) {
  return error(id, "'" + printable(name) + "' is not a " + accepted);
}

}  // namespace

Result<Backend> parse_backend(const std::string& name) {
  if (const std::optional<Backend> backend = backend_named(name)) return *backend;
  return unknown("option.backend", name, "backend; backends are auto, xbyak, llvm, interpreter");
}

Result<std::optional<FeatureLevel>> parse_features(const std::string& name) {
  if (const std::optional<FeatureLevel> level = feature_level_named(name)) return level;
  return unknown("option.features", name, "feature level; levels are " + std::string(kLevelNames));
}

Result<std::optional<StrategyWish>> parse_strategy(const std::string& text) {
  const Result<StrategyWish> wish = parse_wish(text);
  if (!wish) return wish.error();
  return std::optional(*wish);
}

Result<CompileOptions> compile_options(Backend backend, const std::optional<StrategyWish>& wish) {
  if (!wish) return CompileOptions{.backend = backend};
  if (backend == Backend::Auto || backend == Backend::Xbyak)
    return CompileOptions{.backend = Backend::Xbyak, .strategy = *wish};
  return error("option.strategy", "--strategy has no effect on " + std::string(name_of(backend)) +
                                      "; it goes with xbyak");
}

Result<LineLevel> parse_level(const std::string& name) {
  return value_named("level", name, kLevels);
}

Result<std::optional<Placement>> parse_placement(const std::string& name) {
  const Result<Placement> placement = value_named("placement", name, kPlacements);
  if (!placement) return placement.error();
  return std::optional(*placement);
}

Result<std::vector<Backend>> parse_backends(const std::vector<std::string>& names) {
  std::vector<Backend> out;
  for (const std::string& name : names) {
    const std::optional<Backend> backend = backend_named(name);
    if (!backend || *backend == Backend::Auto)
      return unknown("option.backends", name, "backend; backends are xbyak, llvm, interpreter");
    if (!has_backend(*backend)) return no_backend(*backend);
    if (std::ranges::find(out, *backend) == out.end()) out.push_back(*backend);
  }
  return out;
}

Result<std::vector<Target>> parse_targets(const std::vector<std::string>& names) {
  std::vector<Target> out;
  for (const std::string& name : names) {
    const std::optional<Target> target = target_named(name);
    if (!target) return unknown("option.targets", name, "target; targets are " + target_names());
    if (std::ranges::find(out, *target) == out.end()) out.push_back(*target);
  }
  return out;
}

}  // namespace pto::jit::cli
