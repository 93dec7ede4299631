#include "tests/support/raw_spec.h"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <string_view>

#include "ir/flaws.h"

namespace pto::jit::tests {
namespace {

template <class Value>
void take(std::span<const std::uint8_t>& bytes, Value& out) {
  const std::size_t count = std::min(bytes.size(), sizeof out);
  std::memset(&out, 0, sizeof out);
  if (count > 0) std::memcpy(&out, bytes.data(), count);
  bytes = bytes.subspan(count);
}

}  // namespace

KernelSpec raw_spec(std::span<const std::uint8_t> bytes) {
  KernelSpec out;
  for_each_choice(out, [&](std::string_view, auto& member, auto) {
    std::uint8_t byte = 0;
    take(bytes, byte);
    if constexpr (std::same_as<decltype(member), bool&>) {
      member = byte % 2 == 1;
    } else {
      member = static_cast<std::remove_reference_t<decltype(member)>>(byte);
    }
  });
  for_each_number(out, [&](auto& member) { take(bytes, member); });
  return out;
}

}  // namespace pto::jit::tests
