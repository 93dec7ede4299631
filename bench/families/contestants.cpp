#include "bench/families/contestants.h"

#include <algorithm>
#include <optional>

#include "bench/families/goals.h"
#include "bench/families/limits.h"
#include "bench/families/moves.h"
#include "ir/spec_text.h"
#include "jit/compile/compile.h"

namespace pto::jit::bench {
namespace {

// Every extent that may be read at invocation is; the innermost two of NZ tables may not.
KernelSpec with_runtime_extents(KernelSpec spec) {
  spec.data.vr = spec.data.vc = kRuntime;
  if (spec.op == Op::TScatterMask) return spec;
  spec.index.vc = kRuntime;
  if (!is_row(spec)) spec.index.vr = kRuntime;
  if (spec.table.layout == TableLayout::Nz) {
    spec.table.shape[0] = spec.table.shape[1] = spec.table.shape[2] = kRuntime;
    return spec;
  }
  spec.table.shape[4] = kRuntime;
  if (is_row(spec)) spec.table.shape[3] = kRuntime;
  return spec;
}

KernelSpec spec_to_time(const Cell& cell) {
  return cell.family == Family::Extents ? with_runtime_extents(cell.spec) : cell.spec;
}

// The same kernel with static extents, or without its policy.
std::optional<KernelSpec> sibling_of(const Cell& cell) {
  KernelSpec spec = cell.spec;
  if (cell.family == Family::Extents) return spec;
  if (!is_about_policy(cell)) return std::nullopt;
  spec.oob = Oob::Undefined;
  return spec;
}

class CellContestants {
 public:
  CellContestants(const Cell& cell, CellMemory& memory) : cell_(cell), memory_(memory) {}

  Result<std::vector<CellContestant>> make() {
    if (Result<Done> done = add_kernel(Part::Kernel, spec_to_time(cell_)); !done) {
      return done.error();
    }
    for (const StaticMove& move : static_moves()) {
      if (*move.cell == cell_) add_static(move);
    }
    add(Part::Dispatched, "R", true, [&cell = cell_, table = memory_.table()](const Frame& frame) {
      move_dispatched(cell.spec, frame.tile, frame.index, table);
    });
    add_limit();
    if (const std::optional<KernelSpec> sibling = sibling_of(cell_)) {
      if (Result<Done> done = add_kernel(Part::Sibling, *sibling); !done) return done.error();
    }
    if (cell_.family == Family::Extents) {
      if (Result<Done> done = add_kernel(Part::General, spec_to_time(cell_), 0); !done)
        return done.error();
    }
    return std::move(out_);
  }

 private:
  // Calls `body` again and again, each time with the next indices where there are more.
  template <class Body>
  void add(Part part, std::string name, bool does_the_same, Body body) {
    const bool has_policy = part != Part::Limit && part != Part::Sibling;
    const Frame& frame = has_policy ? memory_.frame() : memory_.frame_within();
    const auto run = [&memory = memory_, &frame, body](std::int64_t calls) {
      for (std::int64_t i = 0; i < calls; ++i) {
        body(frame);
        if (memory.has_more_indices()) memory.next_indices();
      }
    };
    out_.push_back({part, does_the_same, {.name = std::move(name), .run = run}});
  }

  Result<Done> add_kernel(Part part, const KernelSpec& spec,
                          std::optional<std::uint32_t> bind_after = {}) {
    const Result<Kernel> kernel =
        compile(spec, {.backend = Backend::Xbyak, .bind_after = bind_after});
    if (!kernel) return kernel.error();
    const bool does_the_same = part == Part::Kernel || !has_outside(cell_.indices);
    add(part, "the kernel of " + print(spec), does_the_same,
        [kernel = *kernel](const Frame& frame) { kernel(frame); });
    return Done{};
  }

  void add_static(const StaticMove& made) {
    add(Part::Static, std::string(made.compiler), true,
        [move = made.move, table = memory_.table()](const Frame& frame) {
          move(frame.tile, frame.index, table);
        });
  }

  void add_limit() {
    switch (limit_of(cell_)) {
      case Limit::None: return;
      case Limit::OnePiece: return add_limit("one piece", false, &copy_in_one_piece);
      case Limit::StringMove: return add_limit("rep movsb", true, &copy_rows_by_string_move);
      case Limit::Libc: return add_limit("libc", true, &copy_rows_by_libc);
      case Limit::Loads: return add_limit("loads", false, &load_each);
      case Limit::Stores: return add_limit("stores", false, &store_each);
      case Limit::Fill: return add_limit("fill", false, &fill_all);
      case Limit::Copy: return add_limit("copy", false, &copy_by_libc);
    }
  }

  void add_limit(const char* name, bool does_the_same, void (*move)(const LimitWork&)) {
    const KernelSpec& spec = cell_.spec;
    const std::int64_t size = size_of(spec.data.dtype);
    const LimitWork shape = {
        .count = static_cast<std::size_t>(std::int64_t{spec.index.vr} * spec.index.vc),
        .bytes = static_cast<std::size_t>(spec.data.vc * size),
        .pitch = static_cast<std::size_t>(spec.data.cols * size),
        .capacity = static_cast<std::size_t>(spec.table.shape[3]),
        .written = static_cast<std::size_t>(spec.store.rows * spec.store.cols * size),
        .element = static_cast<std::size_t>(size),
        .is_gather = is_gather(spec)};
    add(Part::Limit, name, does_the_same, [shape, move](const Frame& frame) {
      LimitWork work = shape;
      work.tile = static_cast<std::byte*>(frame.tile);
      work.index = static_cast<const std::uint32_t*>(frame.index);
      work.table = static_cast<std::byte*>(frame.table);
      move(work);
    });
  }

  const Cell& cell_;
  CellMemory& memory_;
  std::vector<CellContestant> out_;
};

}  // namespace

Result<std::vector<CellContestant>> make_contestants(const Cell& cell, CellMemory& memory) {
  return CellContestants(cell, memory).make();
}

}  // namespace pto::jit::bench
