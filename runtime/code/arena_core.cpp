#include "runtime/code/arena_core.h"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/invariant.h"

namespace pto::jit {
namespace {

Diagnostic full(std::size_t bytes, const ArenaOptions& options) {
  Diagnostic out = error("memory.full", "no room for " + std::to_string(bytes) +
                                            " bytes of code: the arena is limited to " +
                                            std::to_string(options.limit) + " bytes");
  out.rule =
      "code of kernels that are held or cached stays mapped; PTOJIT_ARENA_BYTES is the limit";
  return out;
}

}  // namespace

ArenaCore::ArenaCore(const ArenaOptions& options) : options_(options) { watch_forks(*this); }

ArenaCore::~ArenaCore() { unwatch_forks(*this); }

Result<CodePiece> ArenaCore::take(std::size_t bytes) {
  bytes = std::max<std::size_t>(bytes, 1);
  const std::lock_guard lock(mutex_);
  if (takes_from_pool()) {
    for (const std::unique_ptr<CodeSegment>& segment : segments_) {
      if (const auto offset = segment->take(bytes)) return piece_of(*segment, *offset, bytes);
    }
  }
  Result<CodeSegment*> segment = add_segment(bytes);
  if (!segment) return std::move(segment).error();
  if (const auto offset = (*segment)->take(bytes)) return piece_of(**segment, *offset, bytes);
  broken_invariant("a new segment has no room for what it was made for");
}

CodePiece ArenaCore::piece_of(CodeSegment& segment, std::size_t offset, std::size_t bytes) {
  CodePiece piece;
  piece.core_ = shared_from_this();
  piece.segment_ = &segment;
  piece.offset_ = offset;
  piece.bytes_ = bytes;
  piece.birth_ = now_;
  ++blocks_;
  return piece;
}

Result<CodePiece> ArenaCore::publish(CodePiece piece, std::size_t used) {
  used = std::max<std::size_t>(used, 1);
  const std::lock_guard lock(mutex_);
  if (piece.birth_.process != now_.process) {
    return error("memory.fork", "code reserved before a fork cannot be published in the child");
  }
  CodeSegment& segment = *piece.segment_;
  segment.give_back_rest(piece.offset_, piece.bytes_, used);
  piece.bytes_ = used;
  const std::size_t size = segment.size();
  Result<Done> sealed = segment.seal(used);
  mapped_ -= size - segment.size();
  if (!sealed) return std::move(sealed).error();
  segment.renew_instructions(piece.offset_, used);
  piece.birth_ = now_;  // a child forked meanwhile has never seen this code
  piece.is_published_ = true;
  return piece;
}

void ArenaCore::give_back(const CodePiece& piece) {
  using Reuse = CodeSegment::Reuse;
  const std::lock_guard lock(mutex_);
  if (piece.birth_.process != now_.process) return;
  const bool may_run_elsewhere = piece.is_published_ && piece.birth_ != now_;
  piece.segment_->give_back(piece.offset_, piece.bytes_,
                            may_run_elsewhere ? Reuse::Never : Reuse::Allowed);
  --blocks_;
  drop_if_unused(piece.segment_);
}

// One unused segment is kept, so that work around the edge of a segment maps nothing.
void ArenaCore::drop_if_unused(const CodeSegment* segment) {
  if (!segment->is_unused()) return;
  const auto is_spare = [&](const std::unique_ptr<CodeSegment>& other) {
    return other.get() != segment && other->is_unused();
  };
  if (segment->can_be_reused() && std::ranges::none_of(segments_, is_spare)) return;
  mapped_ -= segment->size();
  segments_.erase(std::ranges::find(segments_, segment, &std::unique_ptr<CodeSegment>::get));
}

void ArenaCore::drop_unused_segments() {
  std::erase_if(segments_, [&](const std::unique_ptr<CodeSegment>& segment) {
    if (segment->is_unused()) mapped_ -= segment->size();
    return segment->is_unused();
  });
}

// Less than a whole segment when the limit leaves no more; 0 when the limit leaves too little.
std::size_t ArenaCore::segment_size(std::size_t bytes) const {
  const std::size_t least = whole_pages(bytes);
  const std::size_t wanted = takes_from_pool() ? std::max(least, options_.segment) : least;
  const std::size_t left = options_.limit - std::min(options_.limit, mapped_);
  const std::size_t size = std::min(whole_pages(wanted), left / page_size() * page_size());
  return size < least || least < bytes ? 0 : size;
}

Result<CodeSegment*> ArenaCore::add_segment(std::size_t bytes) {
  if (segment_size(bytes) == 0) drop_unused_segments();
  if (segment_size(bytes) == 0) return full(bytes, options_);
  Result<std::unique_ptr<CodeSegment>> segment = map_segment(bytes);
  if (!segment) return std::move(segment).error();
  mapped_ += (*segment)->size();
  segments_.push_back(*std::move(segment));
  return segments_.back().get();
}

// Whether memory can be mapped twice is found out by the first segment.
Result<std::unique_ptr<CodeSegment>> ArenaCore::map_segment(std::size_t bytes) {
  if (!takes_from_pool()) return CodeSegment::map_once(*options_.calls, segment_size(bytes));
  auto twice = CodeSegment::map_twice(*options_.calls, segment_size(bytes));
  if (options_.mapping == Mapping::Twice) return twice;
  options_.mapping = twice ? Mapping::Twice : Mapping::OncePerBlock;
  if (twice) return twice;
  auto once = CodeSegment::map_once(*options_.calls, segment_size(bytes));
  if (once) return once;
  Diagnostics reasons = std::move(twice).error();
  reasons.insert(reasons.end(), once.error().begin(), once.error().end());
  options_.mapping = Mapping::Any;  // nothing has been found out
  return reasons;
}

ArenaStatistics ArenaCore::statistics() const {
  const std::lock_guard lock(mutex_);
  return {.mapped = mapped_, .blocks = blocks_, .segments = segments_.size()};
}

void ArenaCore::before_fork() { mutex_.lock(); }

void ArenaCore::after_fork_in_parent() {
  ++now_.forks;
  mutex_.unlock();
}

void ArenaCore::after_fork_in_child() {
  for (std::unique_ptr<CodeSegment>& segment : segments_) {
    segment->forget_writable_view();
    inherited_.push_back(std::move(segment));
  }
  segments_.clear();
  mapped_ = 0;
  blocks_ = 0;
  now_ = {.process = now_.process + 1, .forks = 0};
  mutex_.unlock();
}

}  // namespace pto::jit
