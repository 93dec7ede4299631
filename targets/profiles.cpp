// The list of all targets.
#include "targets/a2a3/a2a3.h"
#include "targets/a5/a5.h"
#include "targets/cpu/cpu.h"

namespace pto::jit {
namespace {

constexpr std::array<const Profile*, kTargets> kProfiles = {&kCpuProfile, &kA2A3Profile,
                                                            &kA5Profile};

}  // namespace

std::span<const Profile* const> all_profiles() { return kProfiles; }

const Profile& profile_of(Target target) { return *kProfiles[static_cast<std::size_t>(target)]; }

}  // namespace pto::jit
