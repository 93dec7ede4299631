#include "tests/fuzz/members.h"

#include <algorithm>
#include <cstring>

namespace pto::jit::tests {
namespace {

template <class Visit>
void visit_tile(Tile& tile, Visit&& visit) {
  visit(tile.rows), visit(tile.cols), visit(tile.vr), visit(tile.vc);
  visit(tile.dtype), visit(tile.layout), visit(tile.zero);
}

template <class Visit>
void visit_table(Table& table, Visit&& visit) {
  for (std::int32_t& extent : table.shape) visit(extent);
  visit(table.dtype), visit(table.layout), visit(table.zero);
  for (std::int64_t& stride : table.strides) visit(stride);
}

template <class Visit>
void visit_members(Members& all, Visit&& visit) {
  KernelSpec& spec = all.spec;
  visit(spec.target), visit(spec.op), visit(spec.coalesce), visit(spec.oob), visit(spec.atomic);
  visit(spec.conflict), visit(spec.mask), visit(spec.unit), visit(spec.engine);
  visit(spec.staging), visit(spec.audit), visit(spec.zero), visit(spec.ranks), visit(spec.root);
  visit_tile(spec.data, visit);
  visit_tile(spec.index, visit);
  visit_tile(spec.store, visit);
  visit_table(spec.table, visit);
  visit_table(spec.peer, visit);
  visit(all.number);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class Member>
  void operator()(Member& member) {
    const std::size_t size = std::min(rest_.size(), sizeof member);
    std::memcpy(&member, rest_.data(), size);
    rest_.remove_prefix(size);
  }

 private:
  std::string_view rest_;
};

}  // namespace

Members members_in(std::string_view bytes) {
  Members out;
  visit_members(out, Reader(bytes));
  return out;
}

std::string bytes_of(const Members& members) {
  std::string out;
  Members copy = members;
  visit_members(copy, [&](const auto& member) {
    out.append(reinterpret_cast<const char*>(&member), sizeof member);
  });
  return out;
}

}  // namespace pto::jit::tests
