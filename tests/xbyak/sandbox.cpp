#include "tests/xbyak/sandbox.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <xbyak/xbyak.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/host/host_features.h"
#include "runtime/system_calls.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kReserved = std::size_t{1} << 39;
// Between rooms. No multiple of it is near a power of two, so that a scaled index that is far out
// of range leads to no other room.
constexpr std::size_t kApart = (std::size_t{3} << 30) + (std::size_t{5} << 20);
constexpr std::size_t kCodeBytes = std::size_t{1} << 16;
constexpr std::size_t kStackBytes = std::size_t{1} << 14;
constexpr std::size_t kPoisonedStack = 6144;  // more than a kernel may use
constexpr std::size_t kStackAbove = 1024;     // its caller's
constexpr int kTickMicroseconds = 4000;  // of processor time, so that a busy machine is no matter
constexpr int kPatience = 3;             // ticks

// What the trampoline and the signal handlers share.
struct Call {
  std::uint64_t frame = 0;
  std::uint64_t stack = 0;
  std::uint64_t saved_rsp = 0;
  std::array<std::uint64_t, 7> registers{};
  std::array<std::uint64_t, 4> vectors{};  // all of them, one over the other
  volatile bool is_running = false;
  volatile int ticks = 0;
  volatile Ending ending = Ending::Returned;
  std::uint64_t abandon = 0;  // where to go on after a fault
};
Call call_state;

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::abort();
}

}  // namespace

// Fills every register a kernel might take for granted, calls it on a stack of its own, and notes
// what comes back.
class Trampoline : public Xbyak::CodeGenerator {
 public:
  explicit Trampoline(const std::byte* target) : CodeGenerator(4096, Xbyak::DontSetProtectRWE) {
    save();
    poison();
    call(qword[rip + target_]);
    note();
    mov(eax, 1);
    L(leave_);
    restore();
    L(abandon_);
    xor_(eax, eax);
    jmp(leave_);
    align(64);
    L(poison_);
    for (int i = 0; i < 8; ++i) dq(~kPoison);
    L(target_);
    dq(reinterpret_cast<std::uint64_t>(target));
    setProtectModeRE();
  }

  // Whether the call came back by itself.
  bool enter() const { return getCode<std::uint64_t (*)()>()() != 0; }

  // Where to go on when it does not.
  std::uint64_t abandon() const { return reinterpret_cast<std::uint64_t>(abandon_.getAddress()); }

 private:
  static constexpr std::uint64_t kPoison = 0x5a5a5a5a5a5a5a5a;  // no address either
  static constexpr std::array<int, 6> kKept = {Xbyak::Operand::RBX, Xbyak::Operand::RBP,
                                               Xbyak::Operand::R12, Xbyak::Operand::R13,
                                               Xbyak::Operand::R14, Xbyak::Operand::R15};

  Xbyak::Address field(const void* at) {
    const auto offset = static_cast<const char*>(at) - reinterpret_cast<const char*>(&call_state);
    return qword[rax + static_cast<int>(offset)];
  }

  void save() {
    for (const int index : kKept) push(Xbyak::Reg64(index));
    mov(rax, reinterpret_cast<std::uint64_t>(&call_state));
    mov(field(&call_state.saved_rsp), rsp);
    mov(rsp, field(&call_state.stack));
    mov(rdi, field(&call_state.frame));
  }

  void poison() {
    const HostFeatures& host = host_features();
    for (int index = 0; index < 16; ++index) {
      if (host.avx512f) {
        vmovdqu64(Xbyak::Zmm(index + 16), zword[rip + poison_]);
        vmovdqu64(Xbyak::Zmm(index), zword[rip + poison_]);
      } else if (host.avx2) {
        vmovdqu(Xbyak::Ymm(index), yword[rip + poison_]);
      } else {
        movdqu(Xbyak::Xmm(index), xword[rip + poison_]);
      }
      const bool is_free = index != Xbyak::Operand::RSP && index != Xbyak::Operand::RDI;
      if (is_free) mov(Xbyak::Reg64(index), kPoison + static_cast<std::uint64_t>(index));
    }
    for (int index = 1; index < 8 && host.avx512bw; ++index) kmovq(Xbyak::Opmask(index), rax);
  }

  void note() {
    mov(rax, reinterpret_cast<std::uint64_t>(&call_state));
    for (std::size_t i = 0; i < kKept.size(); ++i)
      mov(field(&call_state.registers[i]), Xbyak::Reg64(kKept[i]));
    mov(field(&call_state.registers[kKept.size()]), rsp);
    if (!host_features().avx2) return;
    for (int index = 1; index < 16; ++index) vorps(ymm0, ymm0, Xbyak::Ymm(index));
    vmovdqu(yword[rax + static_cast<int>(offsetof(Call, vectors))], ymm0);
  }

  void restore() {
    mov(rcx, reinterpret_cast<std::uint64_t>(&call_state));
    mov(rsp, qword[rcx + static_cast<int>(offsetof(Call, saved_rsp))]);
    if (host_features().avx2) vzeroupper();
    for (std::size_t i = kKept.size(); i-- > 0;) pop(Xbyak::Reg64(kKept[i]));
    ret();
  }

  Xbyak::Label leave_, abandon_, poison_, target_;
};

namespace {

void abandon_call(ucontext_t& context, Ending ending) {
  call_state.ending = ending;
  context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(call_state.abandon);
}

void on_fault(int signal, siginfo_t*, void* context) {
  if (call_state.is_running) {
    abandon_call(*static_cast<ucontext_t*>(context), Ending::Faulted);
  } else {
    ::signal(signal, SIG_DFL);
  }
}

void on_tick(int, siginfo_t*, void* context) {
  call_state.ticks = call_state.ticks + 1;
  if (!call_state.is_running || call_state.ticks < kPatience) return;
  abandon_call(*static_cast<ucontext_t*>(context), Ending::TimedOut);
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&action.sa_mask);
  if (sigaction(signal, &action, nullptr) != 0) give_up("sigaction");
}

}  // namespace

Sandbox::Sandbox() {
  void* reserved =
      ::mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) give_up("reserving addresses");
  reserved_ = static_cast<std::byte*>(reserved);
  for (std::size_t room = 0; room < kRooms; ++room) open(room, kRoomBytes);
  stack_ = open(kRooms, kStackBytes) + kStackBytes - kStackAbove;
  code_ = open(kRooms + 1, kCodeBytes);
  trampoline_ = std::make_unique<Trampoline>(code_);
}

Sandbox::~Sandbox() { ::munmap(reserved_, kReserved); }

std::byte* Sandbox::room_at(std::size_t number) const {
  return reserved_ + kReserved / 2 + number * kApart;
}

std::byte* Sandbox::open(std::size_t number, std::size_t bytes) {
  std::byte* at = room_at(number);
  if (::mprotect(at, bytes, PROT_READ | PROT_WRITE) != 0) give_up("opening memory");
  return at;
}

void Sandbox::arm() {
  alignas(64) static std::array<std::byte, std::size_t{1} << 16> signal_stack;
  const stack_t stack = {
      .ss_sp = signal_stack.data(), .ss_flags = 0, .ss_size = signal_stack.size()};
  if (sigaltstack(&stack, nullptr) != 0) give_up("sigaltstack");
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE}) handle(signal, on_fault);
  handle(SIGVTALRM, on_tick);
  const itimerval tick = {.it_interval = {0, kTickMicroseconds},
                          .it_value = {0, kTickMicroseconds}};
  if (setitimer(ITIMER_VIRTUAL, &tick, nullptr) != 0) give_up("setitimer");
}

std::byte* Sandbox::place(std::size_t room, std::size_t bytes, Guard guard) {
  if (room >= kRooms || bytes > kRoomBytes) give_up("a room too small");
  return room_at(room) + (guard == Guard::Behind ? kRoomBytes - bytes : 0);
}

void Sandbox::load(std::span<const std::byte> code) {
  if (code.size() > kCodeBytes) give_up("a kernel too large");
  const std::size_t bytes = (code.size() + page_size() - 1) / page_size() * page_size();
  if (::mprotect(code_, bytes, PROT_READ | PROT_WRITE) != 0) give_up("writing code");
  std::memcpy(code_, code.data(), code.size());
  if (::mprotect(code_, bytes, PROT_READ | PROT_EXEC) != 0) give_up("sealing code");
}

Aftermath Sandbox::call(const Frame* frame) {
  std::memset(stack_ - kPoisonedStack, static_cast<int>(kPoison), kPoisonedStack);
  call_state.frame = reinterpret_cast<std::uint64_t>(frame);
  call_state.stack = reinterpret_cast<std::uint64_t>(stack_);
  call_state.abandon = trampoline_->abandon();
  call_state.ticks = 0;
  call_state.is_running = true;
  const bool has_returned = trampoline_->enter();
  call_state.is_running = false;
  if (!has_returned) return {.ending = call_state.ending};
  const bool is_clean = (call_state.vectors[2] | call_state.vectors[3]) == 0;
  return {Ending::Returned, call_state.registers, is_clean};
}

}  // namespace pto::jit::tests
