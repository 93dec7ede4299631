// Programs for aarch64 that tests link from emitted objects and run in an emulator.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "jit/backends/llvm/llvm_backend.h"
#include "tests/llvm/cross/exchange.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {

inline constexpr const char* kCrossCompiler = "aarch64-linux-gnu-g++";
inline constexpr const char* kEmulator = "qemu-aarch64";

bool is_installed(const std::string& program);

// A machine, and what the emulator is told to be.
struct Host {
  const char* name;
  FeatureLevel level;
  int sve_bytes;
  const char* cpu;
};

inline constexpr std::array kHosts = {
    Host{"neon", FeatureLevel::Neon, 0, "cortex-a72"},
    Host{"sve", FeatureLevel::Sve, 0, "max,sve256=on"},
    Host{"sve_of_128", FeatureLevel::Sve, 16, "max,sve128=on"},
    Host{"sve2_of_256", FeatureLevel::Sve2, 32, "max,sve256=on"},
    Host{"sve2_of_512", FeatureLevel::Sve2, 64, "max,sve512=on"},
};

llvm_backend::MachineTarget machine_of(const Host& host);

// A folder that goes with it.
class Folder {
 public:
  explicit Folder(const std::string& name = "");  // of several at a time
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }
  void write(const std::string& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

// Emits the kernel of a plan into a folder, as NAME.o and NAME.h.
void write_kernel(const Folder& folder, const std::string& name, const KernelPlan& plan,
                  const Host& host);

// A workload as a call that such a program makes.
Call call_of(const Workload& load, std::int64_t kernel);

}  // namespace pto::jit::tests
