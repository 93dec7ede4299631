// CodeArena: where generated code lives. A pool of memory mapped twice, so that publishing a kernel
// takes no system call and no page is ever writable and executable; memory of dropped kernels is
// used again. Where memory cannot be mapped twice, every block is a mapping of its own that is
// written first and executable afterwards. Thread-safe.
//
// The arena belongs to the process that made it. After a fork the child may run what it inherited,
// but neither writes to it nor frees it; its next block comes from memory of its own. The pages
// being shared, the parent in turn never overwrites a block the child may still run: memory of
// blocks that were alive at a fork goes back to the system together with its whole segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "ir/result.h"
#include "runtime/code/code_limits.h"
#include "runtime/system_calls.h"

namespace pto::jit {

class ArenaCore;
class CodeSegment;

enum class Mapping : std::uint8_t { Any, Twice, OncePerBlock };

struct ArenaOptions {
  std::size_t limit = kArenaBytes;             // bytes of mapped memory
  std::size_t segment = std::size_t{1} << 20;  // bytes mapped at a time
  Mapping mapping = Mapping::Any;              // Any: twice, unless the first attempt is refused
  const SystemCalls* calls = &host_system_calls();  // must outlive all blocks
};

struct ArenaStatistics {
  std::size_t mapped = 0;  // bytes
  std::size_t blocks = 0;  // published and reserved
  std::size_t segments = 0;

  bool operator==(const ArenaStatistics&) const = default;
};

// A piece of an arena, given back when it goes. The arena's memory outlives all of its pieces.
class CodePiece {
 public:
  CodePiece(CodePiece&& other) noexcept;
  CodePiece& operator=(CodePiece&& other) noexcept;
  CodePiece(const CodePiece&) = delete;
  CodePiece& operator=(const CodePiece&) = delete;
  ~CodePiece();

 private:
  friend class ArenaCore;
  friend class WritableCode;
  friend class CodeBlock;

  // Numbers of the process and, within it, of forks so far.
  struct Birth {
    std::uint32_t process = 0;
    std::uint32_t forks = 0;

    bool operator==(const Birth&) const = default;
  };

  CodePiece() = default;

  std::shared_ptr<ArenaCore> core_;
  CodeSegment* segment_ = nullptr;
  std::size_t offset_ = 0;
  std::size_t bytes_ = 0;
  Birth birth_;
  bool is_published_ = false;
};

// Memory to write code into, before it is published. Does not survive a fork on the child's side.
class WritableCode {
 public:
  std::span<std::byte> bytes() const;

 private:
  friend class CodeArena;
  explicit WritableCode(CodePiece piece) : piece_(std::move(piece)) {}

  CodePiece piece_;
};

// Code that can be called as long as the block lives.
class CodeBlock {
 public:
  const std::byte* entry() const;  // 64-byte aligned
  std::size_t size() const;
  std::span<const std::byte> bytes() const { return {entry(), size()}; }

 private:
  friend class CodeArena;
  explicit CodeBlock(CodePiece piece) : piece_(std::move(piece)) {}

  CodePiece piece_;
};

// Failures are diagnostics "memory.memfd", "memory.mmap", "memory.mprotect" for refused system
// calls, "memory.full" at the limit, "memory.fork" for a reservation carried over a fork.
class CodeArena {
 public:
  explicit CodeArena(const ArenaOptions& options = {});
  ~CodeArena();
  CodeArena(const CodeArena&) = delete;
  CodeArena& operator=(const CodeArena&) = delete;
  CodeArena(CodeArena&&) = delete;
  CodeArena& operator=(CodeArena&&) = delete;

  Result<CodeBlock> publish(std::span<const std::byte> code);

  // For an assembler that writes in place: at most `most` bytes, of which `used` are kept. The code
  // must not depend on where it is written.
  Result<WritableCode> reserve(std::size_t most);
  Result<CodeBlock> commit(WritableCode&& code, std::size_t used);

  ArenaStatistics statistics() const;

 private:
  std::shared_ptr<ArenaCore> core_;
};

}  // namespace pto::jit
