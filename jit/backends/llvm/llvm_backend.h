// The portable backend: LLVM IR, object files for any 64-bit little-endian x86 or Arm machine, and
// code for this process. No LLVM type appears here.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/frame.h"
#include "ir/plan.h"
#include "ir/result.h"
#include "runtime/host/host_features.h"

namespace pto::jit::llvm_backend {

// A machine in LLVM's words.
struct MachineTarget {
  std::string triple;
  std::string cpu;       // empty: the least of its kind
  std::string features;  // "+avx2,+f16c"
  int sve_bytes = 0;     // of a vector of SVE, where code may count on it

  bool operator==(const MachineTarget&) const = default;
};

// "x86_64-linux-gnu, processor x86-64 with +avx2,+f16c"
std::string print(const MachineTarget& target);

// A host of this one's kind, with what `host` has.
MachineTarget host_target(const HostFeatures& host);

// Any machine at a level of its architecture; Native counts as Baseline. An empty triple is this
// host's.
Result<MachineTarget> machine_at(const std::string& triple, FeatureLevel level);

// What a machine's code may use and this host has not: "avx512f avx512bw"; empty: it has it all.
std::string missing_here(const MachineTarget& target);

// Counts up with every change of what the emitter writes: objects on disk are named by it.
inline constexpr int kGeneratorVersion = 13;

// How many indices a kernel takes at a time: a power of two, no more than the innermost level has
// where that is known; 0 where there is no such machine.
int group_size(const KernelPlan& plan, const MachineTarget& target);

// One function `void symbol(const Frame*)`, as LLVM's IR, as text for an assembler, as an object.
// Of other symbols it needs at most memcpy and memset; its own is none that C or its library has.
Result<std::string> emit_ir(const KernelPlan& plan, const std::string& symbol,
                            const MachineTarget& target);
Result<std::string> emit_assembly(const KernelPlan& plan, const std::string& symbol,
                                  const MachineTarget& target);
Result<std::vector<std::byte>> emit_object(const KernelPlan& plan, const std::string& symbol,
                                           const MachineTarget& target);

// What code of a machine says. What the machine does not know, because it takes more features or is
// no instruction, is known to be a number only.
struct DecodedInstruction {
  std::size_t offset = 0;
  std::string text;  // a branch by the offset it goes to
  bool is_known = false;
};
Result<std::vector<DecodedInstruction>> decode(std::span<const std::byte> code,
                                               const MachineTarget& target);

// One instruction a line behind its offset; of a machine that LLVM does not know, why not.
std::string disassemble(std::span<const std::byte> code, const MachineTarget& target);

// A C header for an emitted object: the frame and the entry. `title` is its first line; extents are
// named after the operands of `op` where it is said.
std::string emit_header(const KernelPlan& plan, const std::string& symbol, const std::string& title,
                        std::optional<Op> op = {});

using Entry = void (*)(const Frame*);

// Code in this process; dropping it removes the code. May outlive the LlvmJit it came from.
class LoadedCode {
 public:
  struct State;

  explicit LoadedCode(std::unique_ptr<State> state);
  LoadedCode(LoadedCode&& other) noexcept;
  LoadedCode& operator=(LoadedCode&& other) noexcept;
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;
  ~LoadedCode();

  Entry entry() const;
  std::span<const std::byte> bytes() const;  // the instructions
  std::size_t footprint() const;             // bytes of memory, all that comes with it included

 private:
  std::unique_ptr<State> state_;
};

// Makes and loads code for one machine, which must be able to run here. Kept alive, so that a
// kernel costs only itself. Any number of threads may use it.
class LlvmJit {
 public:
  struct State;

  static Result<LlvmJit> make(const MachineTarget& target);
  // Made once for all hosts with the same target; a failure is tried again.
  static Result<LlvmJit> for_host(const HostFeatures& host);

  // An object can be kept, and loaded again by the same LLVM. Indices that nothing checks are
  // followed wherever they lead only where that is asked for; else such an element may be any.
  Result<std::vector<std::byte>> compile(const KernelPlan& plan, const std::string& symbol,
                                         bool follows_indices = false) const;
  Result<LoadedCode> load_object(std::span<const std::byte> object,
                                 const std::string& symbol) const;

 private:
  explicit LlvmJit(std::shared_ptr<State> state) : state_(std::move(state)) {}
  static Result<LlvmJit> make_alone(const MachineTarget& target);

  std::shared_ptr<State> state_;
};

// "19.1.7": part of the name of anything kept on disk.
std::string llvm_version();

}  // namespace pto::jit::llvm_backend
