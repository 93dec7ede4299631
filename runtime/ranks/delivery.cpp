#include "runtime/ranks/delivery.h"

#include <algorithm>
#include <array>
#include <chrono>
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

using Clock = std::chrono::steady_clock;

constexpr int kTrialPieces = 16;

class Deliverer {
 public:
  Deliverer(const ParallelGroup& group, const Delivery& delivery, Carrier& carrier,
            SendingTimes& times)
      : group_(group), delivery_(delivery), carrier_(carrier), times_(times) {}

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

  // A piece on its way to a rank: where it lies, and where it goes.
  struct Parcel {
    std::int32_t rank;
    const std::byte* from;
    Layout origin;
    std::int64_t offset;
    Layout target;
  };

  Result<Done> send(std::int32_t rank) {
    const Result<Done> sent =
        for_each_piece(group_.tensor(), delivery_.bound.data, [&](const Piece& piece) {
          return send({rank, part_of(rank) + offset_in(delivery_.bound.table, piece.at),
                       layout_in(delivery_.bound.table, piece.extents),
                       offset_in(group_.tensor(), piece.at),
                       layout_in(group_.tensor(), piece.extents)});
        });
    return sent ? end_trial() : sent;
  }

  Result<Done> send(const Parcel& parcel) {
    const Runs runs = runs_of(parcel.origin);
    if (runs.is_one()) return put_in_place(parcel);
    if (delivery_.sending != Sending::Measured) return put(parcel, delivery_.sending);
    if (times_.is_measured(runs.bytes)) return put(parcel, times_.next(runs.bytes));
    return try_out(parcel, runs.bytes);
  }

  Result<Done> put(const Parcel& parcel, Sending way) {
    return way == Sending::Packed ? put_packed(parcel) : put_in_place(parcel);
  }

  // Pieces in a row that go one way, timed until they have arrived: each alone would not show what
  // is gained by having several on their way.
  struct Trial {
    std::int64_t run;
    Sending way;
    Clock::time_point start = Clock::now();
    std::int64_t bytes = 0;
    int pieces = 0;
  };

  Result<Done> try_out(const Parcel& parcel, std::int64_t run) {
    if (!trial_) trial_ = Trial{run, times_.next(run)};
    trial_->bytes += bytes_of(parcel.origin);
    if (Result<Done> sent = put(parcel, trial_->way); !sent) return sent;
    return ++trial_->pieces == kTrialPieces ? end_trial() : Done{};
  }

  Result<Done> end_trial() {
    const std::optional<Trial> trial = std::exchange(trial_, std::nullopt);
    if (!trial) return Done{};
    busy_.reset();
    if (Result<Done> arrived = carrier_.finish(); !arrived) return arrived;
    const std::chrono::duration<double> took = Clock::now() - trial->start;
    times_.note(trial->run, trial->way, took.count() / static_cast<double>(trial->bytes));
    return Done{};
  }

  Result<Done> put_in_place(const Parcel& parcel) {
    return carrier_.put(parcel.rank, parcel.from, parcel.origin, parcel.offset, parcel.target);
  }

  // With two stages one is filled while the other is on its way.
  Result<Done> put_packed(const Parcel& parcel) {
    std::byte* stage = stages_[has_two() ? turn_++ % 2 : 0].get();
    if (!has_two()) {
      if (Result<Done> free = settle(); !free) return free;
    }
    pack(parcel, stage);
    if (Result<Done> free = settle(); !free) return free;
    busy_ = parcel.rank;
    const Layout packed = packed_layout(parcel.target.element, parcel.target.extents);
    return carrier_.put(parcel.rank, stage, packed, parcel.offset, parcel.target);
  }

  Result<Done> settle() {
    const std::optional<std::int32_t> rank = std::exchange(busy_, std::nullopt);
    return rank ? carrier_.drain(*rank) : Result<Done>(Done{});
  }

  void pack(const Parcel& parcel, std::byte* stage) const {
    KernelSpec spec = delivery_.pack_spec;
    for (std::size_t dim = 0; dim < 5; ++dim) {
      spec.table.shape[dim] = spec.peer.shape[dim] =
          static_cast<std::int32_t>(parcel.origin.extents[dim]);
    }
    Frame frame = frame_of(spec);
    call(delivery_.pack, frame, parcel.from, stage);
  }

  const ParallelGroup& group_;
  const Delivery& delivery_;
  Carrier& carrier_;
  SendingTimes& times_;
  std::array<std::unique_ptr<std::byte[]>, 2> stages_;
  std::size_t turn_ = 0;
  std::optional<std::int32_t> busy_;  // whose put uses a stage
  std::optional<Trial> trial_;
};

}  // namespace

Result<Done> deliver(const ParallelGroup& group, const Delivery& delivery, Carrier& carrier,
                     SendingTimes& times) {
  return Deliverer(group, delivery, carrier, times).run();
}

}  // namespace pto::jit
