#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "ir/quantity.h"
#include "ir/spec_text.h"
#include "jit/calls/mpi/group_state.h"
#include "jit/calls/mpi/mpi.h"

namespace pto::jit::mpi {
namespace {

// What every rank states, and must state alike.
struct Offer {
  Table tensor;  // strides written out, those of extent one as 1
  std::int32_t root = 0;
  std::int32_t ranks_per_host = 0;  // -1: memory of the caller's

  bool operator==(const Offer&) const = default;
};
static_assert(std::is_trivially_copyable_v<Offer>);

Table stated(const Table& tensor) {
  Table out = tensor;
  for (std::size_t dim = 0; dim < 5; ++dim)
    out.strides[dim] = tensor.shape[dim] == 1 ? 1 : stride_of(tensor, dim).value;
  return out;
}

std::string text_of(const Offer& offer) {
  const Table& tensor = offer.tensor;
  std::string shape;
  std::string strides;
  for (std::size_t dim = 0; dim < 5; ++dim) {
    shape += (dim == 0 ? "" : "x") + std::to_string(tensor.shape[dim]);
    strides += (dim == 0 ? "" : "x") + std::to_string(tensor.strides[dim]);
  }
  return std::string(name_of(tensor.dtype)) + "[" + shape + "@" + strides + "], root " +
         std::to_string(offer.root) +
         (offer.ranks_per_host < 0 ? ", in memory of its own"
                                   : ", " + std::to_string(offer.ranks_per_host) + " a host");
}

// Every rank sees all offers, so that all come to the same verdict.
Result<Done> compare(MPI_Comm comm, const Offer& mine) {
  std::vector<Offer> all(static_cast<std::size_t>(ranks_in(comm)));
  constexpr int kBytes = sizeof(Offer);
  if (Result<Done> told =
          checked(MPI_Allgather(&mine, kBytes, MPI_BYTE, all.data(), kBytes, MPI_BYTE, comm),
                  "MPI_Allgather");
      !told)
    return told;
  const auto other = std::ranges::find_if(all, [&](const Offer& one) { return one != all[0]; });
  if (other == all.end()) return Done{};
  return error("group.differs", "rank 0 has " + text_of(all[0]) + ", rank " +
                                    std::to_string(other - all.begin()) + " has " +
                                    text_of(*other));
}

Result<Window> opened(int code, MPI_Win window, const char* call) {
  if (Result<Done> made = checked(code, call); !made) {
    Diagnostics why = made.error();
    why[0].message +=
        "; MPI may have been told to leave out what puts between these ranks: Open MPI 4 of Debian "
        "puts over TCP with --mca osc ^ucx";
    return why;
  }
  return Window(window);
}

}  // namespace

// Makes a group step by step; after each step that may fail on some ranks, all agree.
struct Group::Maker {
  MPI_Comm parent;
  Table tensor;
  std::int32_t root;
  GroupOptions options;
  std::span<std::byte> own = {};  // the caller's memory
  bool is_exposed = false;
  Result<Done> given = Done{};  // else why there is no tensor

  Result<Group> run() {
    Result<Communicator> copy = duplicate(parent);
    if (!copy) return copy.error();
    comm = std::move(*copy);
    rank = rank_in(comm.get());
    if (Result<Done> fit = agree(comm.get(), check()); !fit) return fit.error();
    const Offer offer = {stated(tensor), root, is_exposed ? -1 : options.ranks_per_host};
    if (Result<Done> alike = compare(comm.get(), offer); !alike) return alike.error();
    if (Result<Done> made = agree(comm.get(), share()); !made) return made.error();
    if (Result<Done> made = agree(comm.get(), expose_to_all()); !made) return made.error();
    Result<ParallelGroup> ranks = see();
    if (Result<Done> all = agree(comm.get(), outcome_of(ranks)); !all) return all.error();
    return Group(std::unique_ptr<State>(
        new State{Assembly(std::move(comm)), std::move(near), std::move(shared), std::move(alone),
                  std::move(exposed), memory, rank, std::move(*ranks), Done{}}));
  }

  Result<Done> check() const {
    if (!given) return given;
    if (Result<Done> good = check_tensor(tensor); !good) return good;
    const int ranks = ranks_in(comm.get());
    if (root < 0 || root >= ranks) {
      return error("group.root",
                   "root is " + std::to_string(root) + " of " + std::to_string(ranks) + " ranks");
    }
    if (options.ranks_per_host < 0)
      return error("group.options", "ranks_per_host is 0, or how many share memory");
    if (!is_exposed) return Done{};
    return outcome_of(ParallelGroup::make(tensor, std::array{own}, 0));
  }

  // Ranks of a host get memory that all of them see.
  Result<Done> share() {
    memory = own;
    if (is_exposed) return Done{};
    MPI_Comm host = MPI_COMM_NULL;
    if (Result<Done> split = checked(
            MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host),
            "MPI_Comm_split_type");
        !split)
      return split;
    near = Communicator(host);
    if (options.ranks_per_host > 0) {
      MPI_Comm part = MPI_COMM_NULL;
      const int color = rank_in(host) / options.ranks_per_host;
      if (Result<Done> split = checked(MPI_Comm_split(host, color, rank, &part), "MPI_Comm_split");
          !split)
        return split;
      near = Communicator(part);
    }
    return ranks_in(near.get()) == 1 ? allocate_alone() : allocate_shared();
  }

  Result<Done> allocate_alone() {
    Result<Storage> made = zeros(bytes_of(tensor), "this rank's destination");
    if (!made) return made.error();
    alone = std::move(*made);
    memory = alone.bytes;
    return Done{};
  }

  Result<Done> allocate_shared() {
    const std::int64_t bytes = bytes_of(tensor);
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");  // each rank's on pages of its own
    void* base = nullptr;
    MPI_Win window = MPI_WIN_NULL;
    const int code = MPI_Win_allocate_shared(std::max<std::int64_t>(bytes, 1), 1, info, near.get(),
                                             &base, &window);
    MPI_Info_free(&info);
    Result<Window> made = opened(code, window, "MPI_Win_allocate_shared");
    if (!made) return made.error();
    shared = std::move(*made);
    memory = {static_cast<std::byte*>(base), static_cast<std::size_t>(bytes)};
    std::ranges::fill(memory, std::byte{0});
    return Done{};
  }

  // Only where some rank is out of the root's reach.
  Result<Done> expose_to_all() {
    const bool is_alone = ranks_in(comm.get()) == 1;
    const bool has_all = !is_exposed && ranks_in(near.get()) == ranks_in(comm.get());
    if (is_alone || has_all) return Done{};
    MPI_Win window = MPI_WIN_NULL;
    const int code = MPI_Win_create(memory.data(), static_cast<MPI_Aint>(memory.size()), 1,
                                    MPI_INFO_NULL, comm.get(), &window);
    Result<Window> made = opened(code, window, "MPI_Win_create");
    if (!made) return made.error();
    exposed = std::move(*made);
    return Done{};
  }

  Result<ParallelGroup> see() const {
    std::vector<std::span<std::byte>> seen(static_cast<std::size_t>(ranks_in(comm.get())));
    if (rank == root && shared.is_open()) see_near(seen);
    // Never null, which would mean out of reach.
    static std::byte nothing;
    seen[static_cast<std::size_t>(rank)] = memory.data() ? memory : std::span(&nothing, 0);
    return ParallelGroup::make(tensor, seen, root);
  }

  void see_near(std::vector<std::span<std::byte>>& seen) const {
    MPI_Group ours = MPI_GROUP_NULL;
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm_group(near.get(), &ours);
    MPI_Comm_group(comm.get(), &all);
    for (int peer = 0; peer < ranks_in(near.get()); ++peer) {
      int there = 0;
      MPI_Group_translate_ranks(ours, 1, &peer, all, &there);
      MPI_Aint bytes = 0;
      int unit = 0;
      void* base = nullptr;
      MPI_Win_shared_query(shared.get(), peer, &bytes, &unit, &base);
      seen[static_cast<std::size_t>(there)] = {static_cast<std::byte*>(base),
                                               static_cast<std::size_t>(bytes)};
    }
    MPI_Group_free(&ours);
    MPI_Group_free(&all);
  }

  Communicator comm = {};
  Communicator near = {};
  Window shared = {};
  Storage alone = {};
  Window exposed = {};
  std::span<std::byte> memory = {};
  std::int32_t rank = 0;
};

Group::Group(std::unique_ptr<State> state) : state_(std::move(state)) {}
Group::Group(Group&& other) noexcept = default;
Group& Group::operator=(Group&& other) noexcept = default;
Group::~Group() = default;

Result<Group> Group::allocate(MPI_Comm comm, const Result<Table>& tensor, std::int32_t root,
                              const GroupOptions& options) {
  if (tensor) return Maker{comm, *tensor, root, options}.run();
  return Maker{
      .parent = comm, .tensor = {}, .root = root, .options = options, .given = tensor.error()}
      .run();
}

Result<Group> Group::expose(MPI_Comm comm, const Table& tensor, std::int32_t root,
                            std::span<std::byte> memory) {
  return Maker{comm, tensor, root, {}, memory, true}.run();
}

std::int32_t Group::rank() const { return state_->rank; }
std::int32_t Group::size() const { return state_->ranks.size(); }
std::int32_t Group::root() const { return state_->ranks.root(); }
const Table& Group::tensor() const { return state_->ranks.tensor(); }
std::span<std::byte> Group::memory() const { return state_->memory; }
bool Group::is_in_reach(std::int32_t rank) const { return state_->ranks.is_in_reach(rank); }

void Group::fail(Diagnostics why) { state_->last = std::move(why); }
void Group::leave(Diagnostics why) { state_->leave(std::move(why)); }

Result<Done> Group::wait() {
  state_->shared.sync();
  state_->exposed.sync();
  Result<Done> all = state_->all.agree(std::exchange(state_->last, Done{}));
  state_->shared.sync();
  state_->exposed.sync();
  return all;
}

}  // namespace pto::jit::mpi
