// What of a spec a kernel does: all of it, a part, or an audit's pass over the indices.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace pto::jit {

enum class KernelKind : std::uint8_t { Whole, Part, Audit };

constexpr std::string_view name_of(KernelKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"whole", "part", "audit"};
  return kNames[static_cast<std::size_t>(kind)];
}

// Behind names of files and symbols: nothing, ".part", ".audit".
inline std::string suffix_of(KernelKind kind) {
  return kind == KernelKind::Whole ? "" : "." + std::string(name_of(kind));
}

}  // namespace pto::jit
