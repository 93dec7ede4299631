#include "jit/backends/llvm/machine.h"

#include <llvm-c/Core.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <mutex>

namespace pto::jit::llvm_backend {
namespace {

void initialise_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86Disassembler();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64Disassembler();
  });
}

// Collects what LLVM would otherwise print before ending the process.
class Listener final : public llvm::DiagnosticHandler {
 public:
  explicit Listener(std::string& heard) : heard_(heard) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream out(heard_);
    llvm::DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    return true;
  }

 private:
  std::string& heard_;
};

// LLVM only warns, on stderr, of a cpu or feature it does not know.
std::string unknown_part(const llvm::MCSubtargetInfo& known, const MachineTarget& target) {
  if (!target.cpu.empty() && !known.isCPUStringValid(target.cpu)) {
    return "'" + target.cpu + "' is not a recognized processor of " + target.triple;
  }
  llvm::SmallVector<llvm::StringRef, 16> names;
  llvm::StringRef(target.features).split(names, ',', -1, false);
  for (const llvm::StringRef name : names) {
    const bool is_known =
        std::ranges::any_of(known.getAllProcessorFeatures(),
                            [&](const auto& entry) { return name.drop_front() == entry.Key; });
    if (is_known && (name.front() == '+' || name.front() == '-')) continue;
    return "'" + name.str() + "' is not a recognized feature of " + target.triple;
  }
  return {};
}

// What LLVM might end the process over instead of refusing it: object formats other than ELF, and
// 32-bit processors for a 64-bit triple.
std::string missing_part(const llvm::Target& family, const MachineTarget& target) {
  const llvm::Triple triple(target.triple);
  if (!triple.isOSBinFormatELF())
    return "objects are ELF files, which " + target.triple + " has not";
  if (triple.getArch() != llvm::Triple::x86_64) return {};
  const std::unique_ptr<llvm::MCSubtargetInfo> made(
      family.createMCSubtargetInfo(target.triple, target.cpu, target.features));
  if (made->checkFeatures("+64bit")) return {};
  return "'" + target.cpu + target.features + "' is no 64-bit processor";
}

Abilities on_aarch64(bool has_sve, int sve_bytes, bool adds_half) {
  const bool is_usable =
      has_sve && sve_bytes > 16 && std::has_single_bit(static_cast<unsigned>(sve_bytes));
  return {.vector_bytes = is_usable ? sve_bytes : 16,
          .written_out = 4,
          .has_half = true,
          .adds_half = adds_half,
          .loads_half = true,
          .interleaves = is_usable ? 2 : 4,
          .gathers = has_sve ? (is_usable ? sve_bytes : 16) / 4 : 0,
          .held_table = 64,
          .finds_bytes = true,
          .finds_greatest = true};
}

Abilities abilities_of(const llvm::TargetMachine& machine, int sve_bytes) {
  const llvm::MCSubtargetInfo& known = *machine.getMCSubtargetInfo();
  const auto has = [&](llvm::StringRef features) { return known.checkFeatures(features); };
  if (machine.getTargetTriple().isAArch64())
    return on_aarch64(has("+sve"), sve_bytes, has("+fullfp16"));
  const bool is_widest = has("+avx512f") && has("+avx512bw") && has("+avx512vl");
  return {.vector_bytes = is_widest      ? 64
                          : has("+avx2") ? 32
                                         : 16,
          .has_half = has("+f16c"),
          .held_table = is_widest ? 128 : 0,
          .has_streams = is_widest};
}

// All passes from IR to an object, or to text for an assembler.
class Writer {
 public:
  // Null where the machine has no such files.
  static std::unique_ptr<Writer> make(llvm::TargetMachine& machine, llvm::CodeGenFileType type) {
    auto out = std::make_unique<Writer>();
    const bool fails = machine.addPassesToEmitFile(out->passes_, out->out_, nullptr, type);
    return fails ? nullptr : std::move(out);
  }

  std::string file(llvm::Module& module) {
    bytes_.clear();
    passes_.run(module);
    return {bytes_.data(), bytes_.size()};
  }

 private:
  llvm::SmallVector<char, 0> bytes_;
  llvm::raw_svector_ostream out_{bytes_};
  llvm::legacy::PassManager passes_;
};

Result<std::string> file_of(FunctionBuilder& written, llvm::TargetMachine& machine,
                            llvm::CodeGenFileType type, std::unique_ptr<Writer>& writer) {
  std::string heard;
  llvm::Module& module = written.module();
  module.getContext().setDiagnosticHandler(std::make_unique<Listener>(heard));
  if (!writer) writer = Writer::make(machine, type);
  if (!writer) return error("llvm.codegen", machine.getTargetTriple().str() + " has no such files");
  std::string file = writer->file(module);
  if (heard.empty()) return file;
  writer = nullptr;
  return error("llvm.codegen", heard);
}

// What LLVM calls that which a level has beyond the least of its architecture.
std::string features_of(FeatureLevel level) {
  constexpr const char* kAvx2 = "+avx2,+f16c,+bmi,+bmi2,+fma";
  switch (level) {
    case FeatureLevel::Avx512:
      return kAvx2 + std::string(",+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx512cd");
    case FeatureLevel::Avx2: return kAvx2;
    case FeatureLevel::Sve2: return "+sve2";
    case FeatureLevel::Sve: return "+sve";
    case FeatureLevel::Native:
    case FeatureLevel::Baseline:
    case FeatureLevel::Neon: return "";
  }
  return "";
}

// LLVM tells what an aarch64 host has, but not what it has not.
std::string missing_on_aarch64(const llvm::MCSubtargetInfo& wanted, int sve_bytes) {
  const HostFeatures& here = host_features();
  const std::array<std::pair<const char*, bool>, 3> features = {
      {{"fullfp16", here.fp16}, {"sve", here.sve}, {"sve2", here.sve2}}};
  std::string out;
  for (const auto& [name, is_here] : features) {
    if (!is_here && wanted.checkFeatures("+" + std::string(name)))
      out += (out.empty() ? "" : " ") + std::string(name);
  }
  const bool fits = sve_bytes == 0 || sve_bytes == static_cast<int>(here.sve_bytes);
  return out.empty() && !fits ? "SVE of " + std::to_string(8 * sve_bytes) + " bits" : out;
}

Diagnostic refused(std::string why) { return error("llvm.target", std::move(why)); }

}  // namespace

struct Machine::State {
  MachineTarget target;
  std::unique_ptr<llvm::TargetMachine> machine;
  Abilities abilities;
  std::unique_ptr<Writer> writer;  // made when it is first wanted
};

Machine::Machine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Machine::~Machine() = default;

const MachineTarget& Machine::target() const { return state_->target; }
const Abilities& Machine::abilities() const { return state_->abilities; }
std::string Machine::data_layout() const {
  return state_->machine->createDataLayout().getStringRepresentation();
}

Result<std::unique_ptr<Machine>> Machine::make(const MachineTarget& asked) {
  initialise_targets();
  MachineTarget target = asked;
  target.triple = llvm::Triple::normalize(asked.triple);
  std::string why;
  const llvm::Target* family = llvm::TargetRegistry::lookupTarget(target.triple, why);
  if (!family) return refused(why);
  const std::unique_ptr<llvm::MCSubtargetInfo> known(
      family->createMCSubtargetInfo(target.triple, "", ""));
  if (!known) return refused("nothing is known of the processors of " + target.triple);
  why = unknown_part(*known, target);
  if (why.empty()) why = missing_part(*family, target);
  if (!why.empty()) return refused(why);
  auto state = std::make_unique<State>();
  state->target = target;
  state->machine.reset(family->createTargetMachine(target.triple, target.cpu, target.features,
                                                   llvm::TargetOptions(), llvm::Reloc::PIC_));
  if (!state->machine) return refused("no code can be made for " + target.triple);
  const llvm::DataLayout layout = state->machine->createDataLayout();
  if (!layout.isLittleEndian() || layout.getPointerSize() != 8) {
    return refused(target.triple + " is not a 64-bit little-endian machine");
  }
  state->abilities = abilities_of(*state->machine, target.sve_bytes);
  return std::unique_ptr<Machine>(new Machine(std::move(state)));
}

// The passes to objects are kept from one function to the next: setting them up takes a fifth of
// the time. What an error leaves of them is thrown away.
Result<std::vector<std::byte>> Machine::object(FunctionBuilder& written) const {
  const Result<std::string> file =
      file_of(written, *state_->machine, llvm::CodeGenFileType::ObjectFile, state_->writer);
  if (!file) return file.error();
  const auto* first = reinterpret_cast<const std::byte*>(file->data());
  return std::vector<std::byte>(first, first + file->size());
}

Result<std::string> Machine::assembly(FunctionBuilder& written) const {
  std::unique_ptr<Writer> writer;
  return file_of(written, *state_->machine, llvm::CodeGenFileType::AssemblyFile, writer);
}

bool Machine::is_in_library(const std::string& symbol) const {
  llvm::LibFunc function{};
  return llvm::TargetLibraryInfoImpl(state_->machine->getTargetTriple())
      .getLibFunc(symbol, function);
}

std::string Machine::missing_here() const {
  const llvm::MCSubtargetInfo& wanted = *state_->machine->getMCSubtargetInfo();
  if (state_->machine->getTargetTriple().isAArch64())
    return missing_on_aarch64(wanted, state_->target.sve_bytes);
  const llvm::StringMap<bool> here = llvm::sys::getHostCPUFeatures();
  std::string out;
  for (const llvm::SubtargetFeatureKV& feature : wanted.getAllProcessorFeatures()) {
    const auto found = here.find(feature.Key);
    const bool is_missing = found != here.end() && !found->second;
    if (is_missing && wanted.hasFeature(feature.Value))
      out += (out.empty() ? "" : " ") + std::string(feature.Key);
  }
  return out;
}

Result<std::string> Machine::text(FunctionBuilder& written) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (llvm::verifyModule(written.module(), &out)) return error("llvm.verify", text);
  written.module().print(out, nullptr);
  return text;
}

std::string print(const MachineTarget& target) {
  return target.triple + ", processor " + (target.cpu.empty() ? "generic" : target.cpu) +
         (target.features.empty() ? "" : " with " + target.features) +
         (target.sve_bytes == 0 ? ""
                                : ", SVE of " + std::to_string(8 * target.sve_bytes) + " bits");
}

MachineTarget host_target(const HostFeatures& host) {
  MachineTarget out = *machine_at({}, best_level(host));
  if (host.fp16 && !host.sve) out.features = "+fullfp16";
  out.sve_bytes = static_cast<int>(host.sve_bytes);
  return out;
}

Result<MachineTarget> machine_at(const std::string& triple, FeatureLevel level) {
  const std::string where = triple.empty() ? llvm::sys::getProcessTriple() : triple;
  const llvm::Triple parts(where);
  const Architecture here = parts.isX86()       ? Architecture::X86_64
                            : parts.isAArch64() ? Architecture::Aarch64
                                                : Architecture::Any;
  const Architecture owner = architecture_of(level);
  if (owner != Architecture::Any && owner != here) {
    return refused(std::string(name_of(level)) + " is a level of " + std::string(name_of(owner)) +
                   ", not of " + where);
  }
  return MachineTarget{where, parts.isX86() ? "x86-64" : "generic", features_of(level)};
}

std::string missing_here(const MachineTarget& target) {
  const Result<std::unique_ptr<Machine>> machine = Machine::make(target);
  return machine ? (*machine)->missing_here() : "";
}

// Of the library that is loaded, which may be another than the one compiled against.
std::string llvm_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace pto::jit::llvm_backend
