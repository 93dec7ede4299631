#include "runtime/code/code_arena.h"

#include <cstring>
#include <utility>

#include "runtime/code/arena_core.h"
#include "runtime/invariant.h"

namespace pto::jit {

CodePiece::CodePiece(CodePiece&& other) noexcept = default;

CodePiece& CodePiece::operator=(CodePiece&& other) noexcept {
  CodePiece taken(std::move(other));
  std::swap(core_, taken.core_);
  std::swap(segment_, taken.segment_);
  std::swap(offset_, taken.offset_);
  std::swap(bytes_, taken.bytes_);
  std::swap(birth_, taken.birth_);
  std::swap(is_published_, taken.is_published_);
  return *this;
}

CodePiece::~CodePiece() {
  if (core_) core_->give_back(*this);  // a piece that was moved from has no core
}

std::span<std::byte> WritableCode::bytes() const {
  return {piece_.segment_->writable(piece_.offset_), piece_.bytes_};
}

const std::byte* CodeBlock::entry() const { return piece_.segment_->executable(piece_.offset_); }

std::size_t CodeBlock::size() const { return piece_.bytes_; }

CodeArena::CodeArena(const ArenaOptions& options) : core_(std::make_shared<ArenaCore>(options)) {}

CodeArena::~CodeArena() = default;

Result<CodeBlock> CodeArena::publish(std::span<const std::byte> code) {
  Result<WritableCode> memory = reserve(code.size());
  if (!memory) return std::move(memory).error();
  if (!code.empty()) std::memcpy(memory->bytes().data(), code.data(), code.size());
  return commit(*std::move(memory), code.size());
}

Result<WritableCode> CodeArena::reserve(std::size_t most) {
  Result<CodePiece> piece = core_->take(most);
  if (!piece) return std::move(piece).error();
  return WritableCode(*std::move(piece));
}

Result<CodeBlock> CodeArena::commit(WritableCode&& code, std::size_t used) {
  if (used > code.bytes().size()) broken_invariant("more code written than was reserved");
  Result<CodePiece> piece = core_->publish(std::move(code.piece_), used);
  if (!piece) return std::move(piece).error();
  return CodeBlock(*std::move(piece));
}

ArenaStatistics CodeArena::statistics() const { return core_->statistics(); }

}  // namespace pto::jit
