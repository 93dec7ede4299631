#include "tests/runtime/tiny_kernels.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <initializer_list>

#include "ir/canonical.h"

namespace pto::jit::tests {
namespace {

class CountedBody final : public KernelBody {
 public:
  CountedBody(std::atomic<int>& alive, std::size_t footprint)
      : KernelBody({.entry = [](const Frame*, const void*) {},
                    .context = nullptr,
                    .backend = Backend::Interpreter,
                    .code = {},
                    .footprint = footprint,
                    .name = "counted"}),
        alive_(alive) {
    ++alive_;
  }
  ~CountedBody() override { --alive_; }
  CountedBody(const CountedBody&) = delete;
  CountedBody& operator=(const CountedBody&) = delete;
  CountedBody(CountedBody&&) = delete;
  CountedBody& operator=(CountedBody&&) = delete;

 private:
  std::atomic<int>& alive_;
};

void append(std::vector<std::byte>& code, std::initializer_list<unsigned char> bytes) {
  for (const unsigned char byte : bytes) code.push_back(static_cast<std::byte>(byte));
}

void append_number(std::vector<std::byte>& code, std::int32_t number) {
  std::byte bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  code.insert(code.end(), std::begin(bytes), std::end(bytes));
}

#if defined(__aarch64__)

// Both halves of `number` into a register: movz, movk.
void append_load(std::vector<std::byte>& code, std::int32_t number, std::uint32_t into) {
  const auto bits = static_cast<std::uint32_t>(number);
  append_number(code, static_cast<std::int32_t>(0x52800000U | (bits & 0xffffU) << 5 | into));
  append_number(code, static_cast<std::int32_t>(0x72a00000U | (bits >> 16) << 5 | into));
}

constexpr std::initializer_list<unsigned char> kReturn = {0xc0, 0x03, 0x5f, 0xd6};

void append_returning(std::vector<std::byte>& code, std::int32_t number) {
  append_load(code, number, 0);
}

void append_storing(std::vector<std::byte>& code, std::int32_t number) {
  append(code, {0x00, 0x00, 0x40, 0xf9});  // ldr x0, [x0]
  append_load(code, number, 1);
  append(code, {0x01, 0x00, 0x00, 0xb9});  // str w1, [x0]
}

#else

constexpr std::initializer_list<unsigned char> kReturn = {0xc3};

void append_returning(std::vector<std::byte>& code, std::int32_t number) {
  append(code, {0xb8});  // mov eax, number
  append_number(code, number);
}

void append_storing(std::vector<std::byte>& code, std::int32_t number) {
  append(code, {0x48, 0x8b, 0x07});  // mov rax, [rdi]
  append(code, {0xc7, 0x00});        // mov dword [rax], number
  append_number(code, number);
}

#endif

}  // namespace

std::vector<std::byte> code_returning(std::int32_t number, std::size_t padding) {
  std::vector<std::byte> code;
  append_returning(code, number);
  append(code, kReturn);
  code.resize(code.size() + padding);
  return code;
}

std::int32_t call(const CodeBlock& block) {
  using Function = std::int32_t (*)();
  return reinterpret_cast<Function>(const_cast<std::byte*>(block.entry()))();
}

bool returns(const CodeBlock& block, std::int32_t number) {
  return !kRunsTinyCode || call(block) == number;
}

std::vector<std::byte> code_storing(std::int32_t number) {
  std::vector<std::byte> code;
  append_storing(code, number);
  append(code, kReturn);
  return code;
}

std::int32_t number_of(const Kernel& kernel) {
  std::int32_t number = 0;
  Frame frame;
  frame.tile = &number;
  kernel(frame);
  return number;
}

KernelSpec spec_numbered(std::int32_t number) {
  KernelSpec spec;
  spec.op = Op::MGather;
  spec.data = {.rows = 8, .cols = 32, .vr = 8, .vc = 32, .dtype = DType::F32};
  spec.index = {.rows = 1, .cols = 8, .vr = 1, .vc = 8, .dtype = DType::I32};
  spec.table = {.shape = {1, 1, 1, 64 + number, 32}, .dtype = DType::F32};
  return canonical(spec);
}

CacheKey key_numbered(std::int32_t number) { return {.spec = spec_numbered(number), .maker = 7}; }

Kernel make_counted_kernel(std::atomic<int>& alive, std::size_t footprint) {
  return Kernel(std::make_unique<CountedBody>(alive, footprint));
}

bool holds_in_child(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

std::size_t resident_bytes() {
  std::size_t total = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * page_size();
}

}  // namespace pto::jit::tests
