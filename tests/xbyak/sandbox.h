// A place to call code that may do anything: registers, stack and vectors are poisoned before the
// call and looked at after it; a fault or a loop without end comes back as an outcome. Memory lies
// in the middle of a wide inaccessible stretch, so that wild pointers hit nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "ir/frame.h"
#include "tests/support/guarded.h"

namespace pto::jit::tests {

enum class Ending : std::uint8_t { Returned, Faulted, TimedOut };

// How a call ended and what it left in the registers its caller relies on.
struct Aftermath {
  Ending ending = Ending::Returned;
  std::array<std::uint64_t, 7> registers{};  // rbx, rbp, r12 to r15, rsp
  bool has_clean_vectors = false;            // their upper halves, where a host has them

  bool operator==(const Aftermath&) const = default;
};

class Trampoline;

class Sandbox {
 public:
  static constexpr std::size_t kRooms = 24;
  static constexpr std::size_t kRoomBytes = std::size_t{1} << 20;
  static constexpr std::byte kPoison{0x5a};

  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox(Sandbox&&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  Sandbox& operator=(Sandbox&&) = delete;

  // Takes over the process's signals, for good, and starts the clock: better done in a child.
  void arm();

  // Memory that ends, or begins, at an inaccessible page.
  std::byte* place(std::size_t room, std::size_t bytes, Guard guard);

  // Calls from now on run this.
  void load(std::span<const std::byte> code);

  Aftermath call(const Frame* frame);

 private:
  std::byte* room_at(std::size_t number) const;
  std::byte* open(std::size_t number, std::size_t bytes);

  std::byte* reserved_ = nullptr;
  std::byte* code_ = nullptr;
  std::byte* stack_ = nullptr;
  std::unique_ptr<Trampoline> trampoline_;
};

}  // namespace pto::jit::tests
