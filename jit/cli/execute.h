// Running a kernel by the backend a user names.
#pragma once

#include <string>
#include <string_view>

#include "ir/frame.h"
#include "ir/plan.h"
#include "ir/result.h"
#include "targets/verify.h"

namespace pto::jit::cli {

inline constexpr std::string_view kDefaultBackend = "auto";

Result<Done> execute(std::string_view backend, const LegalSpec& legal, const Frame& frame);

// How that backend goes about a plan, in one line; `wish` as parse_wish takes it.
Result<std::string> describe_strategy(std::string_view backend, const KernelPlan& plan,
                                      std::string_view wish);

}  // namespace pto::jit::cli
