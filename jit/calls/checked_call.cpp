#include "jit/calls/checked_call.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "ir/flaws.h"
#include "ir/quantity.h"
#include "jit/calls/call_check.h"
#include "jit/calls/index_check.h"
#include "jit/calls/parallel/parallel_run.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

// An operand and the buffer given for it.
struct Slotted {
  MemoryOperand operand;
  std::string name;
  const BufferView* view = nullptr;
  std::int64_t needed = 0;
};

class Call {
 public:
  Call(const LegalSpec& legal, const CallArguments& arguments)
      : legal_(legal), spec_(legal.spec()), arguments_(arguments) {}

  Result<CheckedCall> prepare() {
    if (auto problem = match_buffers()) return *problem;
    if (auto problem = check_rank()) return *problem;
    for (const Slotted& entry : slots_) {
      if (auto problem = read_view(entry)) return *problem;
    }
    Result<BoundSpec> bound = jit::bind(legal_, bindings_);
    if (!bound) return bound.error();
    const StorageSource views = [&](const StorageRequest& wanted) { return lend(wanted); };
    Result<OperandStore> operands = OperandStore::make(bound->spec(), bound->plan(), views);
    if (!operands) return operands.error();
    if (auto problem = check_overlap()) return *problem;
    if (bound->plan().audit.is_on && arguments_.report == nullptr)
      return refuse("report", "an audited kernel needs a place for its report");
    return CheckedCall{*bound, std::move(*operands)};
  }

 private:
  using Problem = std::optional<Diagnostic>;

  static Diagnostic refuse(std::string_view id, std::string message) {
    return error("call." + std::string(id), std::move(message));
  }

  // Every operand once, no buffer left over.
  Problem match_buffers() {
    const std::size_t given = arguments_.buffers.size();
    if (is_collective(spec_.op) && static_cast<std::size_t>(spec_.ranks) > given) {
      return refuse("buffer", std::to_string(given) + " buffers for a group of " +
                                  str(spec_.ranks) + " ranks; each rank has one");
    }
    for (const MemoryOperand& operand : memory_operands(spec_)) {
      Slotted entry{operand, name_of(spec_, operand)};
      for (const BufferView& view : arguments_.buffers) {
        if (view.operand != entry.name) continue;
        if (entry.view != nullptr) return refuse("buffer", entry.name + " is given twice");
        entry.view = &view;
      }
      if (entry.view == nullptr) return refuse("buffer", "no buffer for " + entry.name);
      slots_.push_back(std::move(entry));
    }
    for (const BufferView& view : arguments_.buffers) {
      if (std::ranges::count(slots_, view.operand, &Slotted::name) == 0) return unknown(view);
    }
    return std::nullopt;
  }

  Diagnostic unknown(const BufferView& view) const {
    std::string names;
    for (const Slotted& entry : slots_) names += (names.empty() ? "" : " ") + entry.name;
    return refuse("buffer", "'" + printable(view.operand) + "' is not an operand of " +
                                str(name_of(spec_.op)) + " in memory; it has " + names);
  }

  Problem check_rank() const {
    const bool is_root = arguments_.rank < 0 || arguments_.rank == spec_.root;
    if (!is_collective(spec_.op) || is_root) return std::nullopt;
    return refuse("rank", "rank " + std::to_string(arguments_.rank) +
                              " called it; only the root, rank " + std::to_string(spec_.root) +
                              ", may");
  }

  Problem read_view(const Slotted& entry) {
    const BufferView& view = *entry.view;
    if (auto flaw = beyond("call.dtype", "the dtype of " + entry.name, view.dtype, DType::HIF8))
      return flaw;
    const DType wanted = dtype_of(spec_, entry.operand.role);
    const bool fits = view.may_hold_bits && holds_bits_of(view.dtype, wanted);
    if (view.dtype != wanted && !fits) {
      return refuse("dtype", entry.name + " is " + str(name_of(view.dtype)) + "; the spec says " +
                                 str(name_of(wanted)));
    }
    if (view.is_const && entry.operand.role == written_role(spec_.op))
      return refuse("const", entry.name + " is written, and its view is of const elements");
    return is_tile(entry.operand.role) ? read_tile(entry) : read_table(entry);
  }

  Problem read_tile(const Slotted& entry) const {
    const BufferView& view = *entry.view;
    const Tile& tile = tile_of(spec_, entry.operand.role);
    if (!view.strides.empty())
      return refuse("strides", entry.name + " is a tile and has no strides");
    if (view.shape.empty()) return std::nullopt;
    const bool agrees =
        view.shape.size() == 2 && view.shape[0] == tile.rows && view.shape[1] == tile.cols;
    if (agrees) return std::nullopt;
    return refuse("shape", entry.name + " does not have the " + str(tile.rows) + "x" +
                               str(tile.cols) + " padded elements of the spec");
  }

  Problem read_table(const Slotted& entry) {
    const BufferView& view = *entry.view;
    const std::size_t given = view.shape.size();
    const bool has_strides = !view.strides.empty();
    if (given > 5 || (has_strides && view.strides.size() != given)) {
      return refuse("shape", entry.name + " has " + std::to_string(given) + " extents and " +
                                 std::to_string(view.strides.size()) +
                                 " strides; a table has one to five of each");
    }
    std::int64_t packed = 1;
    for (std::size_t dim = 5; dim-- > 0 && given > 0;) {
      const bool is_given = dim + given >= 5;
      const std::size_t at = dim + given - 5;
      const std::int64_t extent = is_given ? view.shape[at] : 1;
      if (auto problem = read_extent(entry, dim, extent)) return problem;
      if (auto problem =
              read_stride(entry, dim, extent, has_strides && is_given ? view.strides[at] : packed))
        return problem;
      packed = saturating_product(packed, extent);
    }
    return std::nullopt;
  }

  Problem read_extent(const Slotted& entry, std::size_t dim, std::int64_t extent) {
    const std::int64_t stated = table_of(spec_, entry.operand.role).shape[dim];
    const Dim name = first_extent(entry.operand.role) + static_cast<int>(dim);
    if (stated == kRuntime) {
      bindings_.push_back({name, extent});
      return std::nullopt;
    }
    if (stated == extent) return std::nullopt;
    return refuse("shape", entry.name + " has extent " + std::to_string(extent) + " where " +
                               dim_name(spec_.op, name) + " is " + str(stated));
  }

  Problem read_stride(const Slotted& entry, std::size_t dim, std::int64_t extent,
                      std::int64_t stride) {
    const Table& table = table_of(spec_, entry.operand.role);
    const Dim name = first_stride(entry.operand.role) + static_cast<int>(dim);
    if (table.strides[dim] == kRuntime) {
      bindings_.push_back({name, std::max<std::int64_t>(stride, 1)});
      return std::nullopt;
    }
    const bool is_silent = entry.view->strides.empty() || extent <= 1;
    const Quantity stated = stride_of(table, dim);
    if (is_silent || !stated.known || stated.value == stride) return std::nullopt;
    return refuse("strides", entry.name + " has stride " + std::to_string(stride) + " where " +
                                 dim_name(spec_.op, name) + " is " + str(stated.value));
  }

  Result<Storage> lend(const StorageRequest& wanted) {
    if (!wanted.operand) return zeros_for(wanted);
    Slotted& entry = *std::ranges::find(slots_, *wanted.operand, &Slotted::operand);
    entry.needed = wanted.touched;
    if (auto problem = check_room(entry)) return *problem;
    return Storage{
        {static_cast<std::byte*>(entry.view->data), static_cast<std::size_t>(wanted.touched)}};
  }

  Problem check_overlap() const {
    for (const Slotted& written : slots_) {
      if (written.operand.role != written_role(spec_.op)) continue;
      for (const Slotted& other : slots_) {
        if (&other != &written && overlap(written, other))
          return refuse("overlap", written.name + " is written and overlaps " + other.name);
      }
    }
    return std::nullopt;
  }

  Problem check_room(const Slotted& entry) const {
    const BufferView& view = *entry.view;
    const std::string& name = entry.name;
    if (view.bytes < entry.needed) {
      return refuse("size", name + " has " + std::to_string(view.bytes) + " bytes and needs " +
                                std::to_string(entry.needed));
    }
    if (view.data == nullptr && entry.needed > 0) return refuse("null", name + " is null");
    const auto address = reinterpret_cast<std::uintptr_t>(view.data);
    const auto element = static_cast<std::uintptr_t>(size_of(view.dtype));
    if (address % element == 0) return std::nullopt;
    return refuse("alignment",
                  name + " is not aligned to its " + std::to_string(element) + "-byte elements");
  }

  static bool overlap(const Slotted& a, const Slotted& b) {
    if (a.needed == 0 || b.needed == 0) return false;
    const auto first = reinterpret_cast<std::uintptr_t>(a.view->data);
    const auto second = reinterpret_cast<std::uintptr_t>(b.view->data);
    return first < second ? second - first < static_cast<std::uintptr_t>(a.needed)
                          : first - second < static_cast<std::uintptr_t>(b.needed);
  }

  const LegalSpec& legal_;
  const KernelSpec& spec_;
  const CallArguments& arguments_;
  std::vector<Slotted> slots_;
  std::vector<Binding> bindings_{arguments_.bindings.begin(), arguments_.bindings.end()};
};

}  // namespace

Result<CheckedCall> check_call(const LegalSpec& legal, const CallArguments& arguments) {
  return Call(legal, arguments).prepare();
}

Result<Done> call(const KernelSpec& spec, const CallArguments& arguments,
                  const CompileOptions& options) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  const Result<CheckedCall> checked = check_call(*legal, arguments);
  if (!checked) return checked.error();
  Frame frame = checked->operands.frame();
  if (arguments.report != nullptr) frame.report = arguments.report;
  const Result<OwnIndices> indices = take_indices(checked->kernel, frame);
  if (!indices) return indices.error();
  return run_parallel(checked->kernel.legal(), checked->kernel.plan(), frame,
                      {arguments.parallel, options});
}

}  // namespace pto::jit
