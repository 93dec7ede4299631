// The program that emulated kernels are linked into. Its arguments are the name of a kernel, its
// operands as NAME=BYTES, and the runtime extents. The operands' contents lie one after the other
// in the file `operands`, where they are left as well; what was found and done goes to `record`,
// whose last line says that the kernel came to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "pto/emulation/machine.hpp"

namespace pto::emulation {

struct Operand {
  std::string name;
  std::vector<std::byte> bytes;
  bool is_addresses = false;  // of all operands after it
};

struct Call {
  std::vector<Operand> operands;
  std::vector<std::int64_t> extents;

  void* pointer(std::size_t k) { return operands[k].bytes.data(); }
};

// One for each kernel of the program.
class Entry {
 public:
  using Start = void (*)(Call& call);

  Entry(const char* name, Launch launch, Start start)
      : name_(name), launch_(launch), start_(start), next_(first()) {
    first() = this;
  }

  static const Entry* find(const std::string& name) {
    const Entry* entry = first();
    while (entry != nullptr && name != entry->name_) entry = entry->next_;
    return entry;
  }

  // What goes to the record.
  std::string run(Call& call) const {
    Machine machine(launch_);
    for (Operand& operand : call.operands)
      machine.add_memory(operand.name, operand.bytes.data(), operand.bytes.size());
    std::string out;
    for (const Report& report : machine.run([&] { start_(call); }))
      out +=
          std::string("report\t") + emulation::name_of(report.kind) + ": " + report.message + "\n";
    return out + machine.record();
  }

 private:
  static const Entry*& first() {
    static const Entry* entry = nullptr;
    return entry;
  }

  const char* name_;
  Launch launch_;
  Start start_;
  const Entry* next_;
};

inline Call read_call(const std::vector<std::string>& words) {
  Call call;
  std::ifstream in("operands", std::ios::binary);
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::size_t equals = words[k].find('=');
    if (equals == std::string::npos) {
      call.extents.push_back(std::stoll(words[k]));
      continue;
    }
    Operand operand{words[k].substr(0, equals), {}, words[k].substr(equals) == "=@"};
    if (!operand.is_addresses) {
      operand.bytes.resize(std::stoull(words[k].substr(equals + 1)));
      in.read(reinterpret_cast<char*>(operand.bytes.data()),
              static_cast<std::streamsize>(operand.bytes.size()));
    }
    call.operands.push_back(std::move(operand));
  }
  return call;
}

inline void fill_addresses(Call& call) {
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    if (!call.operands[k].is_addresses) continue;
    std::vector<std::byte>& table = call.operands[k].bytes;
    const std::size_t count = call.operands.size() - k - 1;
    table.resize(count * sizeof(std::uint64_t));
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t address = address_of(call.pointer(k + 1 + i));
      std::memcpy(table.data() + i * sizeof address, &address, sizeof address);
    }
  }
}

inline void write_operands(const Call& call) {
  std::ofstream out("operands", std::ios::binary);
  for (const Operand& operand : call.operands) {
    if (operand.is_addresses) continue;
    out.write(reinterpret_cast<const char*>(operand.bytes.data()),
              static_cast<std::streamsize>(operand.bytes.size()));
  }
}

inline int run_program(const std::vector<std::string>& words) {
  const Entry* entry = words.empty() ? nullptr : Entry::find(words[0]);
  if (entry == nullptr) return 2;
  std::string record;
  try {
    Call call = read_call(words);
    fill_addresses(call);
    record = entry->run(call);
    write_operands(call);
  } catch (const std::bad_alloc&) {
    record = "report\tmemory: the kernel asks for more than it is allowed\n";
  }
  std::ofstream("record") << record << "end\n";
  return 0;
}

}  // namespace pto::emulation

int main(int count, char** words) {
  return pto::emulation::run_program({words + 1, words + count});
}
