#include "tests/fuzz/c_door.h"

#include <algorithm>
#include <limits>

#include "ir/storage.h"
#include "runtime/parallel/work_pool.h"

namespace pto::jit::tests {
namespace {

using Number = std::int64_t;

constexpr std::array<Number, 14> kNumbers = {0,
                                             1,
                                             2,
                                             7,
                                             -1,
                                             -2,
                                             std::numeric_limits<std::int32_t>::max(),
                                             Number{1} << 31,
                                             Number{1} << 32,
                                             Number{1} << 47,
                                             Number{1} << 61,
                                             std::numeric_limits<Number>::max() - 1,
                                             std::numeric_limits<Number>::max(),
                                             std::numeric_limits<Number>::min()};

// A hostile number, or a neighbour of the one there was.
Number another(Number given, Random& random) {
  if (random.below(3) == 0 && given < std::numeric_limits<Number>::max()) return given + 1;
  if (random.below(3) == 0 && given > 0) return given - 1;
  return kNumbers[random.below(kNumbers.size())];
}

std::string any_name(Random& random) {
  constexpr std::array<std::string_view, 10> kNames = {
      "",     "f33", "dst.99999999999999999999", "dst.-1", "src.", "table.d9", "\xff\x01", "%s%n%s",
      "idx ", "Auto"};
  if (random.below(8) == 0) return std::string(1 << 16, 'x');
  return std::string(kNames[random.below(kNames.size())]);
}

bool has_threads() { return built_in_pool(2).has_value(); }

}  // namespace

DoorCall::DoorCall(const Workload& load, const Frame& frame) : load_(load), frame_(frame) {
  for (const MemoryOperand& operand : memory_operands(load.bound)) {
    const Side side = operand_of(load.bound.op, operand.role)->side;
    void* const data = side == Side::Walked      ? frame.tile
                       : side == Side::Index     ? const_cast<void*>(frame.index)
                       : side == Side::Addressed ? frame.table
                                                 : frame.ranks[operand.rank];
    add(operand, data);
  }
  for (const Dim dim : runtime_dims(load.declared)) {
    if (is_tile(role_of(dim)))
      bindings_.push_back({keep(dim_name(load.declared.op, dim)), get(load.bound, dim)});
  }
  arguments_.report = reinterpret_cast<ptojit_audit_report*>(frame.report);
}

void DoorCall::add(const MemoryOperand& operand, void* data) {
  const KernelSpec& bound = load_.bound;
  ptojit_buffer buffer = {};
  buffer.operand = keep(name_of(bound, operand));
  buffer.data = data;
  buffer.bytes = touched_bytes(bound, operand.role, load_.plan, frame_);
  buffer.dtype = keep(std::string(jit::name_of(dtype_of(bound, operand.role))));
  if (!is_tile(operand.role)) describe(buffer, table_of(bound, operand.role));
  buffers_.push_back(buffer);
}

void DoorCall::describe(ptojit_buffer& buffer, const Table& table) {
  Numbers& extents = numbers_.emplace_back();
  std::ranges::copy(table.shape, extents.begin());
  buffer.extents = extents.data();
  buffer.rank = table.shape.size();
  if (!has_strides(table)) return;
  Numbers& strides = numbers_.emplace_back();
  std::ranges::copy(table.strides, strides.begin());
  buffer.strides = strides.data();
}

ptojit_status DoorCall::run(const ptojit_spec* spec, ptojit_diagnostics** why) {
  if (!arguments_.buffers) arguments_.buffers = buffers_.data();
  arguments_.buffer_count = buffers_.size();
  arguments_.bindings = bindings_.data();
  arguments_.binding_count = bindings_.size();
  return ptojit_call(spec, has_arguments_ ? &arguments_ : nullptr, &options_, why);
}

void DoorCall::restore() {
  std::ranges::copy(indices_, static_cast<std::byte*>(const_cast<void*>(frame_.index)));
}

// One function for each change.
struct Changes {
  static Answer nothing(DoorCall&, Random&) { return Answer::Same; }

  static Answer order(DoorCall& call, Random& random) {
    std::swap(call.any_buffer(random), call.any_buffer(random));
    return Answer::Same;
  }

  static Answer threads(DoorCall& call, Random& random) {
    call.arguments_.threads = static_cast<int>(random.below(9));
    call.arguments_.parts = static_cast<int>(random.below(2) * random.below(100));
    return has_threads() ? Answer::Same : Answer::Either;
  }

  static Answer no_threads(DoorCall& call, Random& random) {
    constexpr std::array kWrong = {-1, std::numeric_limits<int>::min(),
                                   std::numeric_limits<int>::max(), 65537};
    int& number = random.below(2) == 0 ? call.arguments_.threads : call.arguments_.parts;
    number = kWrong[random.below(kWrong.size())];
    return Answer::Refusal;
  }

  static Answer backend(DoorCall& call, Random& random) {
    constexpr std::array<const char*, 3> kNames = {"auto", "interpreter", nullptr};
    call.options_.backend = kNames[random.below(kNames.size())];
    call.options_.features = random.below(2) == 0 ? "native" : nullptr;
    return Answer::Same;
  }

  static Answer no_backend(DoorCall& call, Random& random) {
    const char*& name = random.below(2) == 0 ? call.options_.backend : call.options_.features;
    name = call.keep(any_name(random));
    return Answer::Refusal;
  }

  static Answer null(DoorCall& call, Random& random) {
    ptojit_buffer& buffer = call.any_buffer(random);
    switch (random.below(5)) {
      case 0: buffer.operand = nullptr; return Answer::Refusal;
      case 1: buffer.dtype = nullptr; return Answer::Refusal;
      case 2: call.has_arguments_ = false; return Answer::Refusal;
      case 3: call.bindings_.push_back({nullptr, 1}); return Answer::Refusal;
      default: buffer.data = nullptr; return buffer.bytes > 0 ? Answer::Refusal : Answer::Either;
    }
  }

  static Answer no_report(DoorCall& call, Random&) {
    call.arguments_.report = nullptr;
    return call.load_.bound.audit ? Answer::Refusal : Answer::Same;
  }

  static Answer name(DoorCall& call, Random& random) {
    ptojit_buffer& buffer = call.any_buffer(random);
    (random.below(2) == 0 ? buffer.operand : buffer.dtype) = call.keep(any_name(random));
    return Answer::Refusal;
  }

  static Answer dtype(DoorCall& call, Random& random) {
    const DTypeInfo& other = kDTypes[random.below(kDTypes.size())];
    ptojit_buffer& buffer = call.any_buffer(random);
    const bool is_same = other.name == buffer.dtype;
    buffer.dtype = call.keep(std::string(other.name));
    return is_same ? Answer::Same : Answer::Refusal;
  }

  static Answer missing(DoorCall& call, Random& random) {
    call.buffers_.erase(call.buffers_.begin() +
                        static_cast<std::ptrdiff_t>(random.below(call.buffers_.size())));
    return Answer::Refusal;
  }

  static Answer repeated(DoorCall& call, Random& random) {
    call.buffers_.push_back(ptojit_buffer(call.any_buffer(random)));
    return Answer::Refusal;
  }

  static Answer room(DoorCall& call, Random& random) {
    ptojit_buffer& buffer = call.any_buffer(random);
    const bool is_empty = buffer.bytes == 0;
    constexpr std::array<Number, 3> kLess = {0, -1, std::numeric_limits<Number>::min()};
    buffer.bytes = random.below(2) == 0 ? buffer.bytes - 1 : kLess[random.below(kLess.size())];
    return is_empty ? Answer::Either : Answer::Refusal;
  }

  static Answer alignment(DoorCall& call, Random& random) {
    ptojit_buffer& buffer = call.any_buffer(random);
    if (buffer.bytes == 0) return Answer::Same;
    buffer.data = static_cast<std::byte*>(buffer.data) + 1;
    --buffer.bytes;
    return Answer::Refusal;
  }

  static Answer overlap(DoorCall& call, Random& random) {
    ptojit_buffer& one = call.any_buffer(random);
    const ptojit_buffer& other = call.any_buffer(random);
    if (&one == &other) return Answer::Same;
    one.data = other.data;
    one.bytes = std::min(one.bytes, other.bytes);
    return Answer::Either;
  }

  static Answer extents(DoorCall& call, Random& random) {
    ptojit_buffer& buffer = call.any_buffer(random);
    DoorCall::Numbers& numbers = call.numbers_.emplace_back();
    if (buffer.extents) std::copy_n(buffer.extents, buffer.rank, numbers.begin());
    if (random.below(4) == 0) buffer.rank = random.below(numbers.size() + 1);
    std::int64_t& number = numbers[random.below(numbers.size())];
    number = another(number, random);
    (random.below(2) == 0 ? buffer.extents : buffer.strides) = numbers.data();
    return Answer::Either;
  }

  static Answer no_extents(DoorCall& call, Random& random) {
    call.any_buffer(random).extents = nullptr;
    return Answer::Either;
  }

  static Answer binding(DoorCall& call, Random& random) {
    const auto dim = Dim{static_cast<std::uint8_t>(random.below(kDims))};
    const std::string name = dim_name(call.load_.declared.op, dim);
    const bool adds = call.bindings_.empty() || random.below(2) == 0;
    if (adds)
      call.bindings_.push_back({call.keep(random.below(4) == 0 ? any_name(random) : name), 1});
    ptojit_binding& one = call.bindings_[random.below(call.bindings_.size())];
    one.value = another(one.value, random);
    return Answer::Either;
  }

  static Answer unbound(DoorCall& call, Random&) {
    call.bindings_.clear();
    return Answer::Either;
  }

  static Answer index(DoorCall& call, Random& random) {
    auto* first = static_cast<std::byte*>(const_cast<void*>(call.frame_.index));
    const Number bytes = call.load_.plan.has_index() ? touched_bytes(call.load_.bound, Role::Index,
                                                                     call.load_.plan, call.frame_)
                                                     : 0;
    if (bytes == 0) return Answer::Same;
    call.indices_.assign(first, first + bytes);
    first[random.below(static_cast<std::size_t>(bytes))] = std::byte{0xff};
    return Answer::Either;
  }
};

std::span<const DoorCall::Change> DoorCall::changes() {
  static constexpr std::array<Change, 20> kChanges = {{{"nothing", Changes::nothing},
                                                       {"order", Changes::order},
                                                       {"threads", Changes::threads},
                                                       {"no threads", Changes::no_threads},
                                                       {"backend", Changes::backend},
                                                       {"no backend", Changes::no_backend},
                                                       {"null", Changes::null},
                                                       {"no report", Changes::no_report},
                                                       {"name", Changes::name},
                                                       {"dtype", Changes::dtype},
                                                       {"missing", Changes::missing},
                                                       {"repeated", Changes::repeated},
                                                       {"room", Changes::room},
                                                       {"alignment", Changes::alignment},
                                                       {"overlap", Changes::overlap},
                                                       {"extents", Changes::extents},
                                                       {"no extents", Changes::no_extents},
                                                       {"binding", Changes::binding},
                                                       {"unbound", Changes::unbound},
                                                       {"index", Changes::index}}};
  return kChanges;
}

}  // namespace pto::jit::tests
