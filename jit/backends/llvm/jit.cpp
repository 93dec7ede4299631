// Code in this process: objects linked into pooled memory, one dylib and one tracker for each. LLVM
// is entered by one thread at a time, so that a fork never finds a lock of its taken.
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/MapperJITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/MemoryMapper.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/TargetParser/Host.h>

#include <cstring>
#include <map>
#include <mutex>

#include "jit/backends/llvm/llvm_backend.h"
#include "jit/backends/llvm/machine.h"
#include "jit/backends/llvm/object.h"
#include "runtime/fork_watch.h"
#include "runtime/made_once.h"

namespace pto::jit::llvm_backend {
namespace {

namespace orc = llvm::orc;

constexpr std::size_t kPool = std::size_t{4} << 20;  // bytes reserved at a time
constexpr std::uint64_t kSweep = 256;                // drops between clearing unused names

class Gate final : public ForkParticipant {
 public:
  Gate() { watch_forks(*this); }
  ~Gate() { unwatch_forks(*this); }

  void before_fork() override { mutex.lock(); }
  void after_fork_in_parent() override { mutex.unlock(); }
  void after_fork_in_child() override { mutex.unlock(); }

  std::mutex mutex;
  std::map<std::string, LlvmJit> kept;  // by target
};

Gate& gate() {
  static constinit MadeOnce<Gate> the_gate;
  return the_gate.get([] { return std::make_unique<Gate>(); });
}

// What linking had to say on this thread. It runs where it is asked for.
thread_local std::string heard;

Diagnostic failed(llvm::Error problem) {
  const std::string what = llvm::toString(std::move(problem));
  const std::string why = std::exchange(heard, {});
  return error("llvm.link", why.empty() ? what : what + ": " + why);
}

llvm::Expected<std::unique_ptr<orc::ExecutorProcessControl>> make_process() {
  using Mapper = orc::InProcessMemoryMapper;
  auto memory = orc::MapperJITLinkMemoryManager::CreateWithMapper<Mapper>(kPool);
  if (!memory) return memory.takeError();
  return orc::SelfExecutorProcessControl::Create(
      nullptr, std::make_unique<orc::InPlaceTaskDispatcher>(), std::move(*memory));
}

// The only symbols a kernel may ask for.
llvm::Expected<orc::JITDylibSP> make_library(orc::LLJIT& jit) {
  orc::JITDylib& library = jit.getExecutionSession().createBareJITDylib("library");
  const auto at = [](auto* function) {
    return orc::ExecutorSymbolDef(orc::ExecutorAddr::fromPtr(function),
                                  llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable);
  };
  orc::SymbolMap symbols;
  symbols[jit.mangleAndIntern("memcpy")] =
      at(static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memcpy));
  symbols[jit.mangleAndIntern("memset")] =
      at(static_cast<void* (*)(void*, int, std::size_t)>(&std::memset));
  if (llvm::Error problem = library.define(orc::absoluteSymbols(std::move(symbols))))
    return problem;
  return &library;
}

llvm::Expected<std::unique_ptr<orc::LLJIT>> make_lljit(const std::string& triple) {
  auto process = make_process();
  if (!process) return process.takeError();
  return orc::LLJITBuilder()
      .setExecutorProcessControl(std::move(*process))
      .setJITTargetMachineBuilder(orc::JITTargetMachineBuilder(llvm::Triple(triple)))
      .setObjectLinkingLayerCreator([](orc::ExecutionSession& session, const llvm::Triple&) {
        return std::make_unique<orc::ObjectLinkingLayer>(session);
      })
      .setProcessSymbolsJITDylibSetup(make_library)
      .setPlatformSetUp(orc::setUpInactivePlatform)
      .create();
}

struct Sizes {
  std::size_t code = 0;
  std::size_t memory = 0;
};

// Measured: beside its pages a kernel keeps its symbols, its dylib and its tracker.
constexpr std::size_t kBookkeeping = 12 * 1024;
constexpr std::size_t kPage = 4096;

// What an object for this machine takes: code and constants get pages of their own.
llvm::Expected<Sizes> sizes_of(const llvm::MemoryBuffer& object, const llvm::Triple& here) {
  auto file = llvm::object::ObjectFile::createObjectFile(object.getMemBufferRef());
  if (!file) return file.takeError();
  if ((*file)->getArch() != here.getArch()) {
    const std::string theirs = llvm::Triple::getArchTypeName((*file)->getArch()).str();
    return llvm::createStringError("an object for " + theirs + " cannot run on " + here.str());
  }
  std::size_t code = 0;
  std::size_t constants = 0;
  for (const llvm::object::SectionRef& section : (*file)->sections()) {
    if (section.isText()) code += section.getSize();
    if (section.isData()) constants += section.getSize();
  }
  const auto pages = [](std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; };
  return Sizes{code, pages(code) + pages(constants) + kBookkeeping};
}

}  // namespace

struct LlvmJit::State {
  std::unique_ptr<Machine> machine;
  std::unique_ptr<orc::LLJIT> jit;
  std::uint64_t loads = 0;
  std::uint64_t drops = 0;
};

struct LoadedCode::State {
  State(std::shared_ptr<LlvmJit::State> from, orc::JITDylib& in)
      : owner(std::move(from)), dylib(in), tracker(in.createResourceTracker()) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    const std::lock_guard lock(gate().mutex);
    orc::ExecutionSession& session = owner->jit->getExecutionSession();
    llvm::consumeError(tracker->remove());
    tracker = nullptr;
    llvm::consumeError(session.removeJITDylib(dylib));
    if (++owner->drops % kSweep == 0) session.getSymbolStringPool()->clearDeadEntries();
  }

  std::shared_ptr<LlvmJit::State> owner;
  orc::JITDylib& dylib;
  orc::ResourceTrackerSP tracker;
  Entry entry = nullptr;
  Sizes sizes;
};

LoadedCode::LoadedCode(std::unique_ptr<State> state) : state_(std::move(state)) {}
LoadedCode::LoadedCode(LoadedCode&& other) noexcept = default;
LoadedCode& LoadedCode::operator=(LoadedCode&& other) noexcept = default;
LoadedCode::~LoadedCode() = default;

Entry LoadedCode::entry() const { return state_->entry; }
std::span<const std::byte> LoadedCode::bytes() const {
  return {reinterpret_cast<const std::byte*>(state_->entry), state_->sizes.code};
}
std::size_t LoadedCode::footprint() const { return state_->sizes.memory; }

Result<LlvmJit> LlvmJit::make(const MachineTarget& target) {
  const std::lock_guard lock(gate().mutex);
  return make_alone(target);
}

Result<LlvmJit> LlvmJit::for_host(const HostFeatures& host) {
  const MachineTarget target = host_target(host);
  const std::lock_guard lock(gate().mutex);
  const auto known = gate().kept.find(print(target));
  if (known != gate().kept.end()) return known->second;
  Result<LlvmJit> made = make_alone(target);
  if (made) gate().kept.emplace(print(target), *made);
  return made;
}

Result<LlvmJit> LlvmJit::make_alone(const MachineTarget& target) {
  Result<std::unique_ptr<Machine>> machine = Machine::make(target);
  if (!machine) return machine.error();
  const llvm::Triple here(llvm::sys::getProcessTriple());
  if (llvm::Triple(target.triple).getArch() != here.getArch()) {
    return error("llvm.target", "code for " + target.triple + " cannot run on " + here.str());
  }
  auto jit = make_lljit(target.triple);
  if (!jit) return failed(jit.takeError());
  (*jit)->getExecutionSession().setErrorReporter([](llvm::Error problem) {
    heard += (heard.empty() ? "" : "; ") + llvm::toString(std::move(problem));
  });
  return LlvmJit(std::make_shared<State>(State{std::move(*machine), std::move(*jit)}));
}

Result<std::vector<std::byte>> LlvmJit::compile(const KernelPlan& plan, const std::string& symbol,
                                                bool follows_indices) const {
  const std::lock_guard lock(gate().mutex);
  return make_object(plan, symbol, *state_->machine, follows_indices);
}

Result<LoadedCode> LlvmJit::load_object(std::span<const std::byte> object,
                                        const std::string& symbol) const {
  std::unique_ptr<LoadedCode::State> code;  // outlives the lock, which its destructor takes
  const std::lock_guard lock(gate().mutex);
  heard.clear();
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, symbol);
  llvm::Expected<Sizes> sizes = sizes_of(*buffer, state_->jit->getTargetTriple());
  if (!sizes) return failed(sizes.takeError());
  auto dylib = state_->jit->createJITDylib(std::to_string(state_->loads++));
  if (!dylib) return failed(dylib.takeError());
  code = std::make_unique<LoadedCode::State>(state_, *dylib);
  if (llvm::Error problem = state_->jit->addObjectFile(code->tracker, std::move(buffer)))
    return failed(std::move(problem));
  auto entry = state_->jit->lookup(*dylib, symbol);
  if (!entry) return failed(entry.takeError());
  code->entry = entry->toPtr<Entry>();
  code->sizes = *sizes;
  return LoadedCode(std::move(code));
}

}  // namespace pto::jit::llvm_backend
