#include "jit/backends/xbyak/shortcut.h"

#include <xbyak/xbyak.h>

#include <algorithm>
#include <array>

#include "ir/frame.h"
#include "jit/backends/xbyak/jumps.h"

namespace pto::jit::xbyak {
namespace {

constexpr std::size_t kBytesEach = 16;  // more than a comparison and its jump
constexpr std::size_t kBytes = kDims * kBytesEach + 64;

bool fits(const FrameValue& one) { return one.value == static_cast<std::int32_t>(one.value); }

}  // namespace

std::vector<std::byte> assemble(const Shortcut& shortcut) {
  if (!std::ranges::all_of(shortcut.values, fits)) return {};
  std::array<std::byte, kBytes> buffer;
  Jumps a(buffer.size(), buffer.data());
  Label others;
  for (const FrameValue& one : shortcut.values) {
    const std::size_t at = offsetof(Frame, extents) + static_cast<std::size_t>(one.dim) * 8;
    a.cmp(a.qword[a.rdi + at], static_cast<std::uint32_t>(one.value));
    a.jne(others, Jumps::T_NEAR);
  }
  const auto go_to = [&](const KernelCall& there) {
    if (there.context) a.mov(a.rsi, reinterpret_cast<std::uintptr_t>(there.context));
    a.mov(a.rax, reinterpret_cast<std::uintptr_t>(there.entry));
    a.CodeGenerator::jmp(a.rax);
  };
  go_to(shortcut.own);
  a.L(others);
  go_to({shortcut.others});
  a.ready();
  return {buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(a.getSize())};
}

}  // namespace pto::jit::xbyak
