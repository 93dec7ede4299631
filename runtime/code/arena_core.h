// ArenaCore: the segments of a CodeArena and the rules by which pieces come and go. Shared by the
// arena and its pieces, whichever lasts longer.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "ir/result.h"
#include "runtime/code/code_arena.h"
#include "runtime/code/code_segment.h"
#include "runtime/fork_watch.h"

namespace pto::jit {

class ArenaCore final : public ForkParticipant, public std::enable_shared_from_this<ArenaCore> {
 public:
  explicit ArenaCore(const ArenaOptions& options);
  ~ArenaCore();
  ArenaCore(const ArenaCore&) = delete;
  ArenaCore& operator=(const ArenaCore&) = delete;
  ArenaCore(ArenaCore&&) = delete;
  ArenaCore& operator=(ArenaCore&&) = delete;

  Result<CodePiece> take(std::size_t bytes);
  Result<CodePiece> publish(CodePiece piece, std::size_t used);
  void give_back(const CodePiece& piece);
  ArenaStatistics statistics() const;

  void before_fork() override;
  void after_fork_in_parent() override;
  void after_fork_in_child() override;

 private:
  using Segments = std::vector<std::unique_ptr<CodeSegment>>;

  CodePiece piece_of(CodeSegment& segment, std::size_t offset, std::size_t bytes);
  bool takes_from_pool() const { return options_.mapping != Mapping::OncePerBlock; }
  Result<CodeSegment*> add_segment(std::size_t bytes);
  Result<std::unique_ptr<CodeSegment>> map_segment(std::size_t bytes);
  std::size_t segment_size(std::size_t bytes) const;
  void drop_unused_segments();
  void drop_if_unused(const CodeSegment* segment);

  mutable std::mutex mutex_;
  ArenaOptions options_;
  Segments segments_;
  Segments inherited_;  // of the processes this one descends from
  std::size_t mapped_ = 0;
  std::size_t blocks_ = 0;
  CodePiece::Birth now_;
};

}  // namespace pto::jit
