// The sandbox, shown what it is for: code that faults, hangs or leaves its caller in disorder.
#include "tests/xbyak/sandbox.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <initializer_list>
#include <vector>

#include "runtime/host/host_features.h"

namespace pto::jit::tests {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

Aftermath call(Sandbox& sandbox, std::initializer_list<int> code) {
  static const Frame kFrame;
  sandbox.load(bytes(code));
  return sandbox.call(&kFrame);
}

// Runs a claim about the sandbox in a child, whose signals it takes over.
template <class Claim>
bool holds_in_child(Claim&& claim) {
  Sandbox sandbox;
  const pid_t child = ::fork();
  if (child == 0) {
    sandbox.arm();
    ::_exit(claim(sandbox) ? 0 : 1);
  }
  int status = -1;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the thread sanitizer holds signals back";
#endif
  }
};

TEST_F(SandboxTest, ReturnsWhatReturns) {
  EXPECT_TRUE(holds_in_child([](Sandbox& sandbox) {
    const Aftermath once = call(sandbox, {0xc3});
    return once.ending == Ending::Returned && once == call(sandbox, {0x90, 0xc3});
  }));
}

TEST_F(SandboxTest, SurvivesFaults) {
  EXPECT_TRUE(holds_in_child([](Sandbox& sandbox) {
    const bool illegal = call(sandbox, {0x0f, 0x0b}).ending == Ending::Faulted;  // ud2
    const bool wild =
        call(sandbox, {0x89, 0x00, 0xc3}).ending == Ending::Faulted;  // mov [rax], eax
    const bool trap = call(sandbox, {0xcc, 0xc3}).ending == Ending::Faulted;
    const bool lost = call(sandbox, {0x50, 0xc3}).ending == Ending::Faulted;  // push rax; ret
    const bool zero =
        call(sandbox, {0x31, 0xc9, 0xf7, 0xf1}).ending == Ending::Faulted;  // div by 0
    return illegal && wild && trap && lost && zero &&
           call(sandbox, {0xc3}).ending == Ending::Returned;
  }));
}

TEST_F(SandboxTest, EndsWhatDoesNot) {
  EXPECT_TRUE(holds_in_child([](Sandbox& sandbox) {
    return call(sandbox, {0xeb, 0xfe}).ending == Ending::TimedOut &&
           call(sandbox, {0xc3}).ending == Ending::Returned;
  }));
}

TEST_F(SandboxTest, SeesWhatACallerWouldMiss) {
  EXPECT_TRUE(holds_in_child([](Sandbox& sandbox) {
    const Aftermath good = call(sandbox, {0xc3});
    const Aftermath no_rbx = call(sandbox, {0x31, 0xdb, 0xc3});        // xor ebx, ebx
    const Aftermath no_r15 = call(sandbox, {0x45, 0x31, 0xff, 0xc3});  // xor r15d, r15d
    const Aftermath no_stack = call(sandbox, {0xc2, 0x08, 0x00});      // ret 8
    return no_rbx != good && no_r15 != good && no_stack != good;
  }));
}

TEST_F(SandboxTest, SeesVectorsThatWereNotCleared) {
  if (!host_features().avx2) GTEST_SKIP() << "the host has no wide vectors";
  EXPECT_TRUE(holds_in_child([](Sandbox& sandbox) {
    return !call(sandbox, {0xc3}).has_clean_vectors &&
           call(sandbox, {0xc5, 0xf8, 0x77, 0xc3}).has_clean_vectors;  // vzeroupper
  }));
}

TEST_F(SandboxTest, EndsMemoryAtAnInaccessiblePage) {
  EXPECT_TRUE(holds_in_child([](Sandbox& sandbox) {
    // mov rax, [rdi]; mov al, [rax]: through the frame's first pointer.
    const auto reads = [&](std::byte* at) {
      Frame frame;
      frame.tile = at;
      sandbox.load(bytes({0x48, 0x8b, 0x07, 0x8a, 0x00, 0xc3}));
      return sandbox.call(&frame).ending == Ending::Returned;
    };
    std::byte* first = sandbox.place(0, 5, Guard::Before);
    std::byte* last = sandbox.place(0, 5, Guard::Behind) + 4;
    return reads(first) && !reads(first - 1) && reads(last) && !reads(last + 1);
  }));
}

}  // namespace
}  // namespace pto::jit::tests
