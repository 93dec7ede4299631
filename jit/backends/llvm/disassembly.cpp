// Code of any machine as text, by LLVM's disassembler: offsets, and branches by where they go.
#include <llvm-c/Disassembler.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#include "jit/backends/llvm/llvm_backend.h"
#include "jit/backends/llvm/machine.h"

namespace pto::jit::llvm_backend {
namespace {

std::string offset_text(std::uint64_t offset) {
  std::array<char, 24> out{};
  std::snprintf(out.data(), out.size(), "0x%04llx", static_cast<unsigned long long>(offset));
  return out.data();
}

// Where a branch goes, by name: `kept` holds the name for as long as LLVM prints it.
const char* name_of_target(void* kept, std::uint64_t value, std::uint64_t* type, std::uint64_t,
                           const char** comment) {
  const bool is_branch = *type == LLVMDisassembler_ReferenceType_In_Branch;
  *type = LLVMDisassembler_ReferenceType_InOut_None;
  *comment = nullptr;
  if (!is_branch) return nullptr;
  auto& text = *static_cast<std::string*>(kept);
  text = offset_text(value);
  return text.c_str();
}

struct Dispose {
  void operator()(void* context) const { LLVMDisasmDispose(context); }
};

// LLVM separates by tabs.
std::string tidied(const char* text) {
  std::string out(text + std::strspn(text, "\t"));
  for (char& c : out) c = c == '\t' ? ' ' : c;
  return out;
}

std::string word_text(std::span<const std::byte> code) {
  std::uint32_t word = 0;
  std::memcpy(&word, code.data(), std::min(sizeof word, code.size()));
  std::array<char, 24> out{};
  std::snprintf(out.data(), out.size(), ".word 0x%08x", word);
  return out.data();
}

}  // namespace

Result<std::vector<DecodedInstruction>> decode(std::span<const std::byte> code,
                                               const MachineTarget& target) {
  const Result<std::unique_ptr<Machine>> machine = Machine::make(target);
  if (!machine) return machine.error();
  std::string name;
  const std::unique_ptr<void, Dispose> reader(
      LLVMCreateDisasmCPUFeatures(target.triple.c_str(), target.cpu.c_str(),
                                  target.features.c_str(), &name, 0, nullptr, name_of_target));
  if (!reader) return error("llvm.target", "code for " + target.triple + " cannot be read");
  std::vector<std::byte> bytes(code.begin(), code.end());  // LLVM asks for something to write to
  std::vector<DecodedInstruction> out;
  for (std::size_t at = 0; at < bytes.size();) {
    std::array<char, 160> text{};
    const std::size_t length =
        LLVMDisasmInstruction(reader.get(), reinterpret_cast<std::uint8_t*>(&bytes[at]),
                              bytes.size() - at, at, text.data(), text.size());
    const std::size_t step =
        std::min(length == 0 ? sizeof(std::uint32_t) : length, bytes.size() - at);
    const bool is_known = length != 0;
    out.push_back({at, is_known ? tidied(text.data()) : word_text(code.subspan(at)), is_known});
    at += step;
  }
  return out;
}

std::string disassemble(std::span<const std::byte> code, const MachineTarget& target) {
  const Result<std::vector<DecodedInstruction>> decoded = decode(code, target);
  if (!decoded) return render(decoded.error());
  std::string out;
  for (const DecodedInstruction& instruction : *decoded)
    out += offset_text(instruction.offset) + "  " + instruction.text + "\n";
  return out;
}

}  // namespace pto::jit::llvm_backend
