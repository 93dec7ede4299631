#include "jit/doors/mpi/cli/group_run.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "ir/quantity.h"
#include "ir/spec_text.h"
#include "jit/calls/mpi/mpi.h"
#include "jit/calls/mpi/status.h"
#include "jit/doors/cli/bind_text.h"
#include "jit/doors/mpi/cli/launch_check.h"
#include "jit/files/operand_storage.h"

namespace pto::jit::mpi {
namespace {

using cli::OperandFile;
using cli::OperandFiles;
using cli::OperandInput;

const MPI_Comm kAll = MPI_COMM_WORLD;

class GroupRun {
 public:
  explicit GroupRun(const cli::KernelOptions& options) : options_(options) {}

  // What the spec, its options and its values are: broken rules are the spec's.
  Result<Done> prepare() {
    if (Result<Done> same = compare_commands(kAll, options_); !same) return same;
    if (Result<Done> read = agree(kAll, read_options()); !read) return read;
    if (Result<Done> apart = compare_outputs(kAll, options_.out, own_output()); !apart)
      return apart;
    if (Result<Done> opened = agree(kAll, open_files()); !opened) return opened;
    const bool is_root = rank_ == legal_->spec().root;
    if (Result<Done> read = agree(kAll, is_root ? tell_values() : Done{}); !read) return read;
    share_values();
    return agree(kAll, bind_values());
  }

  Result<Done> carry_out() {
    Result<cli::LoadedOperands> loaded = cli::LoadedOperands::load(*kernel_, files_, inputs_);
    if (Result<Done> all = agree(kAll, outcome_of(loaded)); !all) return all;
    const KernelSpec& bound = kernel_->spec();
    Result<Group> group = Group::allocate(kAll, bound.peer, bound.root);
    if (!group) return group.error();
    const std::span<std::byte> window = group->memory();
    const std::span<std::byte> file = loaded->store().bytes_of({Role::Peer, rank_});
    std::copy_n(file.begin(), window.size(), window.begin());
    if (Result<Done> ready = group->wait(); !ready) return ready;
    if (rank_ == bound.root)
      static_cast<void>(!scatter_from(*group, loaded->store()));  // waiting says so
    if (Result<Done> moved = group->wait(); !moved) return moved;
    std::ranges::copy(window, file.begin());
    if (Result<Done> kept = agree(kAll, loaded->check()); !kept) return kept;
    if (Result<Done> filled = agree(kAll, loaded->fill()); !filled) return filled;
    return agree(kAll, loaded->take_names());
  }

 private:
  Result<Done> read_options() {
    if (!options_.backend) return options_.backend.error();
    const Result<LegalSpec> legal = cli::read_spec(options_.spec);
    if (!legal) return legal.error();
    legal_ = *legal;
    const KernelSpec& spec = legal->spec();
    if (spec.ranks != ranks_in(kAll)) {
      return error("group.ranks", "ranks is " + std::to_string(spec.ranks) + ", mpirun started " +
                                      std::to_string(ranks_in(kAll)));
    }
    Result<OperandFiles> files =
        cli::parse_operand_files(spec, options_.in, options_.out, cli::Purpose::Run);
    if (!files) return files.error();
    if (Result<Done> pipes = cli::check_pipes(spec, *files); !pipes) return pipes;
    Result<std::vector<Binding>> values = cli::parse_bindings(spec, bind_text(options_));
    if (!values) return values.error();
    values_ = std::move(*values);
    files_ = std::move(*files);
    const auto is_others = [&](const OperandFile& file) {
      const bool is_source = file.operand.rank < 0;
      return is_source ? rank_ != spec.root : file.operand.rank != rank_;
    };
    std::erase_if(files_.in, is_others);
    std::erase_if(files_.out, is_others);
    return Done{};
  }

  // A rank has one output at most.
  std::string own_output() const { return files_.out.empty() ? "" : files_.out[0].path; }

  // Once: what a pipe had is gone then.
  Result<Done> open_files() {
    Result<std::vector<OperandInput>> inputs = cli::open_inputs(legal_->spec(), files_);
    if (!inputs) return inputs.error();
    inputs_ = std::move(*inputs);
    return Done{};
  }

  // The root's files tell what --bind does not.
  Result<Done> tell_values() {
    const auto told = cli::with_told_extents(*legal_, values_, inputs_);
    const Result<BoundSpec> bound = jit::bind(*legal_, told);
    if (!bound) return bound.error();
    values_.clear();
    for (const Dim dim : runtime_dims(legal_->spec()))
      values_.push_back({dim, get(bound->spec(), dim)});
    return Done{};
  }

  void share_values() {
    values_.resize(runtime_dims(legal_->spec()).size());
    MPI_Bcast(values_.data(), static_cast<int>(values_.size() * sizeof(Binding)), MPI_BYTE,
              legal_->spec().root, kAll);
  }

  Result<Done> bind_values() {
    const Result<BoundSpec> bound = jit::bind(*legal_, values_);
    if (!bound) return bound.error();
    kernel_ = *bound;
    return Done{};
  }

  Result<Done> scatter_from(Group& group, const OperandStore& store) const {
    const Table& table = kernel_->spec().table;
    std::array<std::int64_t, 5> shape{};
    std::array<std::int64_t, 5> strides{};
    for (std::size_t dim = 0; dim < 5; ++dim) {
      shape[dim] = table.shape[dim];
      strides[dim] = stride_of(table, dim).value;
    }
    const std::span<std::byte> bytes = store.bytes_of({Role::Table});
    const BufferView source = {.operand = "src",
                               .data = bytes.data(),
                               .bytes = static_cast<std::int64_t>(bytes.size()),
                               .dtype = table.dtype,
                               .shape = shape,
                               .strides = strides};
    return scatter(group, legal_->spec(), source,
                   {.bindings = values_, .compile = {.backend = *options_.backend}});
  }

  const cli::KernelOptions& options_;
  const std::int32_t rank_ = rank_in(kAll);
  std::optional<LegalSpec> legal_;
  OperandFiles files_;  // this rank's
  std::vector<OperandInput> inputs_;
  std::vector<Binding> values_;  // of --bind; then the root's, of every '?'
  std::optional<BoundSpec> kernel_;
};

}  // namespace

// A rank that has no memory left cannot agree with the others on anything.
cli::Outcome run_group(const cli::KernelOptions& options) try {
  MPI_Init(nullptr, nullptr);
  GroupRun run(options);
  if (Result<Done> prepared = run.prepare(); !prepared)
    return cli::refused(prepared.error(), options.spec, bind_text(options));
  if (Result<Done> done = run.carry_out(); !done) return cli::unusable(done.error());
  return {};
} catch (const std::bad_alloc&) {
  std::fputs(render({out_of_memory("this run")}).c_str(), stderr);
  MPI_Abort(kAll, static_cast<int>(cli::Exit::Unusable));
  throw;
}

void end_group() {
  if (is_running()) MPI_Finalize();
}

}  // namespace pto::jit::mpi
