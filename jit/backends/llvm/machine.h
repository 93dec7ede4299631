// One target machine, checked once and kept: turns written functions into text or object files.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "jit/backends/llvm/function_builder.h"
#include "jit/backends/llvm/llvm_backend.h"

namespace pto::jit::llvm_backend {

// What generated code may make use of.
struct Abilities {
  int vector_bytes = 16;
  int written_out = 1;      // times as much as usual is, instead of a loop
  bool has_half = false;    // converts between f16 and f32 without calling a library
  bool adds_half = false;   // adds and compares f16 as it is, rounding as f32 would
  bool loads_half = false;  // into registers of floats, one as well as many
  int interleaves = 0;      // from how many vectors on it stores their lanes in turn; 0: never
  int gathers = 0;          // lanes of 32 bits that one instruction gathers; 0: there is none
  // Bytes of a table that is kept in registers; 0: none is.
  int held_table = 0;
  bool finds_bytes = false;  // by number, in several registers of 16; else elements, in two of 64
  bool finds_greatest = false;  // lane of a vector, by one instruction
  bool has_streams = false;     // stores vectors of 64 bytes around the caches
};

class Machine {
 public:
  // A triple, cpu or feature that LLVM does not know is an error with LLVM's message.
  static Result<std::unique_ptr<Machine>> make(const MachineTarget& target);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const MachineTarget& target() const;
  const Abilities& abilities() const;
  std::string missing_here() const;  // see missing_here of a target
  std::string data_layout() const;

  // Whether the machine's C library has a function of that name.
  bool is_in_library(const std::string& symbol) const;

  // One thread at a time. The written function is used up.
  Result<std::vector<std::byte>> object(FunctionBuilder& written) const;

  // Checked by LLVM's verifier.
  Result<std::string> text(FunctionBuilder& written) const;

  // For an assembler. The written function is used up.
  Result<std::string> assembly(FunctionBuilder& written) const;

 private:
  struct State;
  explicit Machine(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace pto::jit::llvm_backend
