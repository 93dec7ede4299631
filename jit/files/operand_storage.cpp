#include "jit/files/operand_storage.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "jit/files/operand_fit.h"

namespace pto::jit::cli {

// Where each operand of one call comes from.
class OperandLoader {
 public:
  OperandLoader(const BoundSpec& kernel, std::span<const OperandInput> inputs, LoadedOperands& out)
      : kernel_(kernel), inputs_(inputs), out_(out) {}

  Result<Storage> load(const StorageRequest& wanted) {
    if (!wanted.operand) return zeros_for(wanted);
    const auto input = std::ranges::find(inputs_, *wanted.operand, &OperandInput::operand);
    const auto written =
        std::ranges::find(out_.written_, *wanted.operand, &LoadedOperands::Written::operand);
    std::optional<Payload> payload;
    if (input != inputs_.end()) {
      Result<Payload> fitted = fit_operand(kernel_, wanted, *input);
      if (!fitted) return fitted.error();
      payload = std::move(*fitted);
    }
    if (written == out_.written_.end()) return unwritten(wanted, payload);
    if (written->output->to.is_in_place) return in_memory(wanted, payload);
    Result<Storage> staged = stage(*written, wanted, payload);
    if (staged || input == inputs_.end()) return staged;
    if (Result<Done> kept = input->file.check(); !kept) return kept.error();
    return staged;
  }

 private:
  using MaybePayload = std::optional<Payload>;

  Result<Storage> unwritten(const StorageRequest& wanted, const MaybePayload& payload) {
    if (payload) return payload->storage;
    if (wanted.operand->role != Role::Peer) return zeros_for(wanted);
    if (shared_) return *shared_;
    Result<Storage> made = zeros_for(wanted);
    if (made) shared_ = *made;
    return made;
  }

  // What is written is whole, also where the file it began as was not.
  static Result<Storage> in_memory(const StorageRequest& wanted, const MaybePayload& payload) {
    if (!payload) return zeros_for(wanted);
    const std::span<const std::byte> bytes = payload->storage.bytes;
    const auto whole = static_cast<std::size_t>(wanted.bytes);
    if (bytes.size() >= whole) return payload->storage;
    std::vector<std::byte> grown(bytes.begin(), bytes.end());
    grown.resize(whole);
    return holding(std::move(grown));
  }

  Result<Storage> stage(LoadedOperands::Written& written, const StorageRequest& wanted,
                        const MaybePayload& payload) {
    const DType dtype = dtype_of(kernel_.spec(), wanted.operand->role);
    const auto begun = payload ? static_cast<std::int64_t>(payload->storage.bytes.size()) : 0;
    const std::int64_t bytes = std::max(begun, wanted.bytes);
    const std::string& path = written.output->path;
    std::vector<std::byte> front;
    if (is_npy(path)) {
      const auto shape = shape_of_file(kernel_, wanted.operand->role, bytes / size_of(dtype));
      front = npy_front(dtype, shape);
    }
    const int file = written.output->file.descriptor();
    if (const int code = fill(file, front, bytes, payload)) return unwritable(path, code);
    const std::size_t all = front.size() + static_cast<std::size_t>(bytes);
    if (bytes == 0) return holding({});
    written.mapping = MappedFile::make(file, all, MappedFile::Use::Share);
    if (!written.mapping) return unwritable(path, errno);
    return Storage{written.mapping->bytes().subspan(front.size()), written.mapping};
  }

  static int fill(int file, std::span<const std::byte> front, std::int64_t bytes,
                  const MaybePayload& payload) {
    off_t size = 0;
    if (__builtin_add_overflow(static_cast<off_t>(front.size()), bytes, &size)) return EFBIG;
    if (const int code = put_size(file, size)) return code;
    if (const int code = write_all(file, front)) return code;
    if (!payload) return 0;
    if (payload->range) return copy_range(*payload->range, file, static_cast<off_t>(front.size()));
    return write_all(file, payload->storage.bytes);
  }

  const BoundSpec& kernel_;
  std::span<const OperandInput> inputs_;
  LoadedOperands& out_;
  std::optional<Storage> shared_;
};

Result<LoadedOperands> LoadedOperands::load(const BoundSpec& kernel, const OperandFiles& files,
                                            std::span<const OperandInput> inputs) {
  LoadedOperands out;
  for (const OperandInput& input : inputs) out.inputs_.push_back(input.file);
  for (const auto& [operand, path] : files.out) {
    const Result<Output*> output = out.outputs_.add(path);
    if (!output) return output.error();
    out.written_.push_back({operand, *output, nullptr});
  }
  OperandLoader loader(kernel, inputs, out);
  const StorageSource source = [&](const StorageRequest& wanted) { return loader.load(wanted); };
  Result<OperandStore> store = OperandStore::make(kernel.spec(), kernel.plan(), source);
  if (!store) return store.error();
  out.store_ = std::move(*store);
  for (Written& written : out.written_) {
    if (!written.output->to.is_in_place) continue;
    const std::span<const std::byte> bytes = out.store_->bytes_of(written.operand);
    const Role role = written.operand.role;
    const DType dtype = dtype_of(kernel.spec(), role);
    const auto elements = static_cast<std::int64_t>(bytes.size()) / size_of(dtype);
    if (is_npy(written.output->path))
      written.output->front = npy_front(dtype, shape_of_file(kernel, role, elements));
    written.output->rest = bytes;
  }
  return out;
}

Result<Done> LoadedOperands::check() const {
  for (const InputFile& file : inputs_) {
    if (Result<Done> kept = file.check(); !kept) return kept;
  }
  for (const Written& written : written_) {
    if (written.mapping && !written.mapping->is_whole())
      return unwritable(written.output->path, "there is no room for all of it");
  }
  return Done{};
}

}  // namespace pto::jit::cli
