#include "runtime/ranks/delivery.h"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "ir/frame.h"
#include "ir/quantity.h"
#include "runtime/operands.h"
#include "runtime/ranks/pieces.h"

namespace pto::jit {
namespace {

// Source runs of so many bytes are put from where they lie; shorter ones are packed first.
constexpr std::int64_t kLongRun = 16384;

class Deliverer {
 public:
  Deliverer(const ParallelGroup& group, const Delivery& delivery, Carrier& carrier)
      : group_(group), delivery_(delivery), carrier_(carrier) {}

  Result<Done> run() {
    if (Result<Done> made = make_stages(); !made) return made;
    for (std::int32_t rank = 0; rank < group_.size(); ++rank) {
      if (group_.is_in_reach(rank)) continue;
      if (Result<Done> sent = send(rank); !sent) return sent;
    }
    for (std::int32_t rank = 0; rank < group_.size(); ++rank) {
      if (group_.is_in_reach(rank)) write(rank);
    }
    return carrier_.finish();
  }

 private:
  bool has_two() const { return delivery_.bound.staging == Staging::PingPong; }

  Result<Done> make_stages() {
    const Tile& tile = delivery_.bound.data;
    const std::int64_t elements =
        std::max<std::int64_t>(tile.vr, 1) * std::max<std::int64_t>(tile.vc, 1);
    const std::int64_t bytes = elements * size_of(tile.dtype);
    for (std::size_t i = 0; i < (has_two() ? 2 : 1); ++i) {
      stages_[i].reset(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
      if (!stages_[i]) return out_of_memory("the stage, " + std::to_string(bytes) + " bytes");
    }
    return Done{};
  }

  const std::byte* part_of(std::int32_t rank) const {
    return delivery_.source +
           offset_in(delivery_.bound.table, {0, 0, 0, rank * group_.tensor().shape[3], 0});
  }

  void write(std::int32_t rank) const {
    Frame frame = frame_of(delivery_.slice_spec);
    call(delivery_.slice, frame, part_of(rank), group_.destination(rank));
  }

  static void call(const Kernel& kernel, Frame& frame, const std::byte* from, void* to) {
    set_buffer(frame, Op::CommTScatter, Role::Table, const_cast<std::byte*>(from));
    frame.ranks = &to;
    kernel(frame);
  }

  Result<Done> send(std::int32_t rank) {
    return for_each_piece(group_.tensor(), delivery_.bound.data, [&](const Piece& piece) {
      const std::byte* from = part_of(rank) + offset_in(delivery_.bound.table, piece.at);
      const Layout origin = layout_in(delivery_.bound.table, piece.extents);
      const Layout target = layout_in(group_.tensor(), piece.extents);
      const std::int64_t offset = offset_in(group_.tensor(), piece.at);
      const Runs runs = runs_of(origin);
      if (runs.is_one() || runs.bytes >= kLongRun)
        return carrier_.put(rank, from, origin, offset, target);
      return put_packed(rank, {from, piece.extents}, offset, target);
    });
  }

  struct Unpacked {
    const std::byte* from;
    Extents extents;
  };

  // With two stages one is filled while the other is on its way.
  Result<Done> put_packed(std::int32_t rank, const Unpacked& piece, std::int64_t offset,
                          const Layout& target) {
    std::byte* stage = stages_[has_two() ? turn_++ % 2 : 0].get();
    if (!has_two()) {
      if (Result<Done> free = settle(); !free) return free;
    }
    pack(piece, stage);
    if (Result<Done> free = settle(); !free) return free;
    busy_ = rank;
    return carrier_.put(rank, stage, packed_layout(target.element, piece.extents), offset, target);
  }

  Result<Done> settle() {
    const std::optional<std::int32_t> rank = std::exchange(busy_, std::nullopt);
    return rank ? carrier_.drain(*rank) : Result<Done>(Done{});
  }

  void pack(const Unpacked& piece, std::byte* stage) const {
    KernelSpec spec = delivery_.pack_spec;
    for (std::size_t dim = 0; dim < 5; ++dim)
      spec.table.shape[dim] = spec.peer.shape[dim] = static_cast<std::int32_t>(piece.extents[dim]);
    Frame frame = frame_of(spec);
    call(delivery_.pack, frame, piece.from, stage);
  }

  const ParallelGroup& group_;
  const Delivery& delivery_;
  Carrier& carrier_;
  std::array<std::unique_ptr<std::byte[]>, 2> stages_;
  std::size_t turn_ = 0;
  std::optional<std::int32_t> busy_;  // whose put uses a stage
};

}  // namespace

Result<Done> deliver(const ParallelGroup& group, const Delivery& delivery, Carrier& carrier) {
  return Deliverer(group, delivery, carrier).run();
}

}  // namespace pto::jit
