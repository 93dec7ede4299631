#include "jit/calling/checked_call.h"

#include <optional>
#include <string>
#include <vector>

#include "ir/quantity.h"
#include "ir/storage.h"
#include "runtime/large_buffer.h"
#include "targets/planner.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

// An operand and the buffer given for it; ranks of a group come one by one.
struct Slotted {
  Role role;
  std::int32_t rank;
  const BufferView* view;
  std::int64_t needed = 0;
};

std::string name_of(const Slotted& entry, const KernelSpec& spec) {
  const std::string name = operand(spec, entry.role);
  return entry.role == Role::Peer ? name + "." + std::to_string(entry.rank) : name;
}

class Call {
 public:
  Call(const LegalSpec& legal, const CallArguments& arguments)
      : legal_(legal), spec_(legal.spec()), arguments_(arguments) {}

  Result<Frame> prepare(std::vector<void*>& ranks, LargeBuffer& scratch) {
    if (auto problem = match_buffers()) return *problem;
    if (auto problem = check_rank()) return *problem;
    for (const Slotted& entry : slots_) {
      if (auto problem = read_view(entry)) return *problem;
    }
    Result<KernelSpec> bound = bind(legal_, bindings_);
    if (!bound) return bound.error();
    if (Result<Done> verdict = verify_bound(legal_, *bound); !verdict) return verdict.error();
    Frame frame;
    frame.extents = extents_of(*bound);
    const KernelPlan plan = make_plan(legal_);
    if (auto problem = check_memory(*bound, plan, frame)) return *problem;
    fill(frame, ranks);
    return finish(frame, plan, scratch);
  }

 private:
  using Problem = std::optional<Diagnostic>;

  static Diagnostic refuse(std::string_view id, std::string message) {
    return error("call." + std::string(id), std::move(message));
  }

  // Every operand once, no buffer left over. A stage is no buffer: nothing is staged in one
  // process.
  Problem match_buffers() {
    for (const Operand& wanted : operands_of(spec_.op)) {
      if (spec_.op == Op::CommTScatter && wanted.role == Role::Data) continue;
      const std::int32_t copies = wanted.role == Role::Peer ? spec_.ranks : 1;
      for (std::int32_t rank = 0; rank < copies; ++rank) {
        Slotted entry{wanted.role, rank, nullptr};
        const std::string name = name_of(entry, spec_);
        for (const BufferView& view : arguments_.buffers) {
          if (view.operand != name) continue;
          if (entry.view != nullptr) return refuse("buffer", name + " is given twice");
          entry.view = &view;
        }
        if (entry.view == nullptr) return refuse("buffer", "no buffer for " + name);
        slots_.push_back(entry);
      }
    }
    if (slots_.size() == arguments_.buffers.size()) return std::nullopt;
    return refuse("buffer", "a buffer is not an operand of " + str(pto::jit::name_of(spec_.op)));
  }

  Problem check_rank() const {
    const bool is_root = arguments_.rank < 0 || arguments_.rank == spec_.root;
    if (spec_.op != Op::CommTScatter || is_root) return std::nullopt;
    return refuse("rank", "rank " + std::to_string(arguments_.rank) +
                              " called it; only the root, rank " + std::to_string(spec_.root) +
                              ", may");
  }

  Problem read_view(const Slotted& entry) {
    const BufferView& view = *entry.view;
    const DType wanted = dtype_of(spec_, entry.role);
    if (view.dtype != wanted) {
      return refuse("dtype", name_of(entry, spec_) + " is " + str(pto::jit::name_of(view.dtype)) +
                                 "; the spec says " + str(pto::jit::name_of(wanted)));
    }
    return is_tile(entry.role) ? read_tile(entry) : read_table(entry);
  }

  Problem read_tile(const Slotted& entry) const {
    const BufferView& view = *entry.view;
    const Tile& tile = tile_of(spec_, entry.role);
    if (!view.strides.empty())
      return refuse("strides", name_of(entry, spec_) + " is a tile and has no strides");
    if (view.shape.empty()) return std::nullopt;
    const bool agrees =
        view.shape.size() == 2 && view.shape[0] == tile.rows && view.shape[1] == tile.cols;
    if (agrees) return std::nullopt;
    return refuse("shape", name_of(entry, spec_) + " does not have the " + str(tile.rows) + "x" +
                               str(tile.cols) + " padded elements of the spec");
  }

  Problem read_table(const Slotted& entry) {
    const BufferView& view = *entry.view;
    const std::size_t given = view.shape.size();
    const bool has_strides = !view.strides.empty();
    if (given > 5 || (has_strides && view.strides.size() != given)) {
      return refuse("shape", name_of(entry, spec_) + " has " + std::to_string(given) +
                                 " extents and " + std::to_string(view.strides.size()) +
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
    const std::int64_t stated = table_of(spec_, entry.role).shape[dim];
    const Dim name = first_extent(entry.role) + static_cast<int>(dim);
    if (stated == kRuntime) {
      bindings_.push_back({name, extent});
      return std::nullopt;
    }
    if (stated == extent) return std::nullopt;
    return refuse("shape", name_of(entry, spec_) + " has extent " + std::to_string(extent) +
                               " where " + dim_name(spec_.op, name) + " is " + str(stated));
  }

  Problem read_stride(const Slotted& entry, std::size_t dim, std::int64_t extent,
                      std::int64_t stride) {
    const Table& table = table_of(spec_, entry.role);
    const Dim name = first_stride(entry.role) + static_cast<int>(dim);
    if (table.strides[dim] == kRuntime) {
      bindings_.push_back({name, std::max<std::int64_t>(stride, 1)});
      return std::nullopt;
    }
    const bool is_silent = entry.view->strides.empty() || extent <= 1;
    const Quantity stated = stride_of(table, dim);
    if (is_silent || !stated.known || stated.value == stride) return std::nullopt;
    return refuse("strides", name_of(entry, spec_) + " has stride " + std::to_string(stride) +
                                 " where " + dim_name(spec_.op, name) + " is " + str(stated.value));
  }

  Problem check_memory(const KernelSpec& bound, const KernelPlan& plan, const Frame& frame) {
    for (Slotted& entry : slots_) {
      entry.needed = storage_bytes(bound, entry.role, plan, frame);
      if (auto problem = check_room(entry)) return problem;
    }
    for (const Slotted& written : slots_) {
      if (written.role != written_role(spec_.op)) continue;
      for (const Slotted& other : slots_) {
        if (&other != &written && overlap(written, other)) {
          return refuse("overlap", name_of(written, spec_) + " is written and overlaps " +
                                       name_of(other, spec_));
        }
      }
    }
    return std::nullopt;
  }

  Problem check_room(const Slotted& entry) const {
    const BufferView& view = *entry.view;
    const std::string name = name_of(entry, spec_);
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
    const auto* first = static_cast<const std::byte*>(a.view->data);
    const auto* second = static_cast<const std::byte*>(b.view->data);
    return first < second + b.needed && second < first + a.needed;
  }

  void fill(Frame& frame, std::vector<void*>& ranks) const {
    for (const Slotted& entry : slots_) {
      if (entry.role == Role::Peer) {
        ranks.push_back(entry.view->data);
      } else {
        set_buffer(frame, spec_.op, entry.role, entry.view->data);
      }
    }
    frame.ranks = ranks.data();
  }

  Result<Frame> finish(Frame frame, const KernelPlan& plan, LargeBuffer& scratch) const {
    if (!plan.audit.is_on) return frame;
    if (arguments_.report == nullptr)
      return refuse("report", "an audited kernel needs a place for its report");
    frame.report = arguments_.report;
    Result<LargeBuffer> room =
        LargeBuffer::make(static_cast<std::size_t>(scratch_bytes(plan, frame)));
    if (!room) return room.error();
    scratch = std::move(*room);
    frame.scratch = scratch.data();
    return frame;
  }

  const LegalSpec& legal_;
  const KernelSpec& spec_;
  const CallArguments& arguments_;
  std::vector<Slotted> slots_;
  std::vector<Binding> bindings_{arguments_.bindings.begin(), arguments_.bindings.end()};
};

}  // namespace

Result<Done> call(const KernelSpec& spec, const CallArguments& arguments,
                  const CompileOptions& options) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  std::vector<void*> ranks;
  LargeBuffer scratch;
  const Result<Frame> frame = Call(*legal, arguments).prepare(ranks, scratch);
  if (!frame) return frame.error();
  const Result<Kernel> kernel = compile(spec, options);
  if (!kernel) return kernel.error();
  (*kernel)(*frame);
  return Done{};
}

}  // namespace pto::jit
