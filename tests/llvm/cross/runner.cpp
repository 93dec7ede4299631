// Runs on another machine: makes each call it finds in one file, beside inaccessible pages, and
// writes what memory holds afterwards into another. Linked with the kernels and a table of them.
#include <cstring>
#include <deque>

#include "ir/frame.h"
#include "tests/llvm/cross/exchange.h"
#include "tests/support/guarded.h"

struct ptojit_frame;
using Kernel = void (*)(const ptojit_frame*);
extern const Kernel kKernels[];

namespace pto::jit::tests {
namespace {

// Copies of byte strings, each beside an inaccessible page.
class Copies {
 public:
  explicit Copies(Guard guard) : guard_(guard) {}

  void* add(const Bytes& bytes) {
    std::byte* at = memory_.emplace_back().place(bytes.size(), guard_);
    if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
    placed_.push_back({at, bytes.size()});
    return at;
  }
  void put(Exchange& to) const {
    for (const auto& [at, size] : placed_) to.put(Bytes(at, at + size));
  }

 private:
  struct Placed {
    std::byte* at;
    std::size_t size;
  };

  const Guard guard_;
  std::deque<GuardedMemory> memory_;
  std::vector<Placed> placed_;
};

void make_call(const Call& call, Guard guard, Exchange& results) {
  Frame frame;
  frame.extents = call.extents;
  Copies copies(guard);
  for (const Call::Operand& operand : call.operands) {
    void* at = copies.add(operand.bytes);
    if (operand.field < 0) continue;
    std::memcpy(reinterpret_cast<std::byte*>(&frame) + operand.field, &at, sizeof at);
  }
  std::vector<void*> ranks;
  for (const Bytes& rank : call.ranks) ranks.push_back(copies.add(rank));
  GuardedMemory scratch;
  AuditReport report;
  frame.ranks = ranks.data();
  frame.report = &report;
  frame.scratch = scratch.place(static_cast<std::size_t>(call.scratch), guard);
  kKernels[call.kernel](reinterpret_cast<const ptojit_frame*>(&frame));
  copies.put(results);
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
