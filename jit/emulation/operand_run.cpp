#include "jit/emulation/operand_run.h"

#include <vector>

namespace pto::jit {

// The kernel's pointers in their order, then the memory it finds by address.
Result<std::string> run_on_operands(const HostProgram& program, const SourcePlan& plan,
                                    const OperandStore& operands) {
  std::vector<source::HostBuffer> buffers;
  std::vector<source::HostBuffer> ranks;
  std::vector<std::uint64_t> addresses;
  for (const OperandStore::Held& held : operands.operands()) {
    const bool is_rank = held.operand.rank >= 0;
    const std::span<std::byte> bytes = held.bytes();
    (is_rank ? ranks : buffers)
        .push_back({is_rank ? "rank" : held.name.c_str(), bytes.data(), bytes.size()});
    if (is_rank) addresses.push_back(reinterpret_cast<std::uint64_t>(bytes.data()));
  }
  if (!ranks.empty())
    buffers.push_back({"dst", addresses.data(), addresses.size() * sizeof(std::uint64_t)});
  buffers.insert(buffers.end(), ranks.begin(), ranks.end());
  std::vector<std::int64_t> extents;
  for (const ExtentParameter& extent : plan.extents)
    extents.push_back(operands.frame().extents[static_cast<std::size_t>(extent.dim)]);
  return program.run(plan.name, buffers, extents);
}

}  // namespace pto::jit
