// CodeSegment: one stretch of executable memory. Mapped twice it has a writable and an executable
// view of the same pages; mapped once it is writable until it is sealed. No page is ever both.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "ir/result.h"
#include "runtime/code/granules.h"
#include "runtime/system_calls.h"

namespace pto::jit {

class CodeSegment {
 public:
  // `bytes` is a multiple of the page size.
  static Result<std::unique_ptr<CodeSegment>> map_twice(const SystemCalls& calls,
                                                        std::size_t bytes);
  static Result<std::unique_ptr<CodeSegment>> map_once(const SystemCalls& calls, std::size_t bytes);

  ~CodeSegment();
  CodeSegment(const CodeSegment&) = delete;
  CodeSegment& operator=(const CodeSegment&) = delete;
  CodeSegment(CodeSegment&&) = delete;
  CodeSegment& operator=(CodeSegment&&) = delete;

  std::size_t size() const { return size_; }
  bool is_double() const { return writable_ != executable_; }
  std::byte* writable(std::size_t offset) const { return writable_ + offset; }
  const std::byte* executable(std::size_t offset) const { return executable_ + offset; }

  // The offset of a piece for `bytes`, now in use.
  std::optional<std::size_t> take(std::size_t bytes);

  // The end of a piece, beyond `kept` of its bytes, is free again.
  void give_back_rest(std::size_t offset, std::size_t bytes, std::size_t kept);

  enum class Reuse : bool { Allowed, Never };

  // The piece is no longer in use. Its memory is overwritten, unless someone else may be running
  // what it holds.
  void give_back(std::size_t offset, std::size_t bytes, Reuse reuse);

  bool is_unused() const { return pieces_ == 0; }
  bool can_be_reused() const { return is_double() && !has_lost_memory_; }

  // Cuts a segment that is mapped once to the pages of its first `used` bytes and makes it
  // executable, for good.
  Result<Done> seal(std::size_t used);

  // What is written there is what runs there from now on, on every core: data leave the cache they
  // were written to by one view, and stale instructions the one they are fetched into by the other.
  void renew_instructions(std::size_t offset, std::size_t bytes) const;

  // In a child process: what the parent maps stays the parent's to write.
  void forget_writable_view();

 private:
  CodeSegment(const SystemCalls& calls, std::size_t bytes);

  const SystemCalls& calls_;
  std::size_t size_;
  std::byte* writable_ = nullptr;
  std::byte* executable_ = nullptr;
  Granules granules_;
  std::size_t pieces_ = 0;
  bool has_lost_memory_ = false;
};

}  // namespace pto::jit
