// The headers of the emulation, carried by the library: a tool that was installed without its
// sources can still compile what it printed.
#pragma once

#include <span>
#include <string_view>

namespace pto::jit::source {

struct EmbeddedFile {
  std::string_view path;  // below the include root: "pto/pto-inst.hpp"
  std::string_view text;
};

// Generated at build time from jit/checks/emulation/include.
std::span<const EmbeddedFile> emulation_headers();

}  // namespace pto::jit::source
