#include "tests/llvm/cross_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "ir/storage.h"
#include "tests/style/tree.h"

namespace pto::jit::tests {

namespace fs = std::filesystem;

bool is_installed(const std::string& program) {
  return style::run("command -v " + program).exit_code == 0;
}

llvm_backend::MachineTarget machine_of(const Host& host) {
  llvm_backend::MachineTarget out = *llvm_backend::machine_at("aarch64-linux-gnu", host.level);
  out.sve_bytes = host.sve_bytes;
  return out;
}

Folder::Folder(const std::string& name)
    : path_(fs::temp_directory_path() / ("ptojit_aarch64_" + std::to_string(getpid()) + name)) {
  fs::create_directories(path_);
}
Folder::~Folder() { fs::remove_all(path_); }

void Folder::write(const std::string& name, std::string_view text) const {
  std::ofstream(file(name), std::ios::binary) << text;
}

void write_kernel(const Folder& folder, const std::string& name, const KernelPlan& plan,
                  const Host& host) {
  const auto object = llvm_backend::emit_object(plan, name, machine_of(host));
  ASSERT_TRUE(object) << render(object.error());
  folder.write(name + ".o", {reinterpret_cast<const char*>(object->data()), object->size()});
  folder.write(name + ".h", llvm_backend::emit_header(plan, name, "a kernel"));
}

Call call_of(const Workload& load, std::int64_t kernel) {
  const Frame frame = frame_of(load.bound);
  Call call{.kernel = kernel, .extents = frame.extents, .operands = {}, .ranks = load.memory.ranks};
  const std::array<std::pair<Role, const Bytes*>, 4> operands = {
      {{Role::Data, &load.memory.data},
       {Role::Index, &load.memory.index},
       {Role::Store, &load.memory.store},
       {Role::Table, &load.memory.table}}};
  for (const auto& [role, bytes] : operands) {
    Frame marked;
    std::byte mark{};
    if (has_memory(load.bound.op, role)) set_buffer(marked, load.bound.op, role, &mark);
    const std::int64_t field = marked.tile    ? offsetof(Frame, tile)
                               : marked.index ? offsetof(Frame, index)
                               : marked.table ? offsetof(Frame, table)
                                              : -1;
    const std::int64_t touched = field < 0 ? 0 : touched_bytes(load.bound, role, load.plan, frame);
    call.operands.push_back({field, Bytes(bytes->begin(), bytes->begin() + touched)});
  }
  call.scratch = scratch_bytes(load.plan, frame);
  return call;
}

}  // namespace pto::jit::tests
