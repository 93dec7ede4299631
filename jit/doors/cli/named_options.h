// Options that name one of a few things, or several of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/result.h"
#include "ir/spec.h"
#include "jit/compile/compile.h"
#include "jit/text/emit_source.h"
#include "runtime/host/host_features.h"
#include "runtime/kernel.h"

namespace pto::jit::cli {

Result<Backend> parse_backend(const std::string& name);
Result<std::optional<FeatureLevel>> parse_features(const std::string& name);
Result<LineLevel> parse_level(const std::string& name);
Result<std::optional<StrategyWish>> parse_strategy(const std::string& text);
Result<std::optional<Placement>> parse_placement(const std::string& name);

// A wish is granted by xbyak, whether that is named or not.
Result<CompileOptions> compile_options(Backend backend, const std::optional<StrategyWish>& wish);

// Each once; backends that are there: not auto.
Result<std::vector<Backend>> parse_backends(const std::vector<std::string>& names);
Result<std::vector<Target>> parse_targets(const std::vector<std::string>& names);

}  // namespace pto::jit::cli
