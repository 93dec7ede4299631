// Runs on another machine: makes each call it finds in one file, beside inaccessible pages, and
// writes what memory holds afterwards into another. Linked with the kernels and a table of them.
#include <cstring>

#include "ir/frame.h"
#include "tests/llvm/cross/exchange.h"
#include "tests/support/guarded.h"

struct ptojit_frame;
using Kernel = void (*)(const ptojit_frame*);
extern const Kernel kKernels[];

namespace pto::jit::tests {
namespace {

GuardedBuffer placed(const Bytes& bytes, Guard guard) {
  GuardedBuffer buffer(bytes.size(), guard);
  if (!bytes.empty()) std::memcpy(buffer.data(), bytes.data(), bytes.size());
  return buffer;
}

void put(Exchange& to, const std::vector<GuardedBuffer>& buffers) {
  for (const GuardedBuffer& buffer : buffers) {
    to.put(Bytes(buffer.bytes().begin(), buffer.bytes().end()));
  }
}

void make_call(const Call& call, Guard guard, Exchange& results) {
  Frame frame;
  frame.extents = call.extents;
  std::vector<GuardedBuffer> operands;
  for (const Call::Operand& operand : call.operands) {
    void* at = operands.emplace_back(placed(operand.bytes, guard)).data();
    if (operand.field < 0) continue;
    std::memcpy(reinterpret_cast<std::byte*>(&frame) + operand.field, &at, sizeof at);
  }
  std::vector<GuardedBuffer> ranks;
  std::vector<void*> rank_starts;
  for (const Bytes& rank : call.ranks) {
    rank_starts.push_back(ranks.emplace_back(placed(rank, guard)).data());
  }
  const GuardedBuffer scratch(static_cast<std::size_t>(call.scratch), guard);
  AuditReport report;
  frame.ranks = rank_starts.data();
  frame.report = &report;
  frame.scratch = scratch.data();
  kKernels[call.kernel](reinterpret_cast<const ptojit_frame*>(&frame));
  put(results, operands);
  put(results, ranks);
  for (const std::int64_t number : {report.out_of_bounds, report.first_out_of_bounds,
                                    report.collisions, report.first_collision}) {
    results.put(number);
  }
}

}  // namespace
}  // namespace pto::jit::tests

int main(int, char** arguments) {
  using namespace pto::jit::tests;
  Exchange calls = Exchange::from_file(arguments[1]);
  Exchange results;
  while (!calls.is_at_end()) {
    const Call call = take_call(calls);
    for (const Guard guard : {Guard::Behind, Guard::Before}) make_call(call, guard, results);
  }
  results.save(arguments[2]);
  return 0;
}
