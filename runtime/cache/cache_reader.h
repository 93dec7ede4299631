// CacheReader: what one thread notes in one cache. Only that thread writes it; README.md says what
// others conclude from it.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "runtime/cache/cache_entry.h"
#include "runtime/cache/kernel_table.h"
#include "runtime/cache/spec_memo.h"

namespace pto::jit {

class CacheState;

class alignas(64) CacheReader {
 public:
  // `removals` is the cache's count of them.
  CacheReader(const CacheState& cache, const std::atomic<std::uint64_t>& removals);

  bool is_of(const CacheState* cache) const { return cache_ == cache; }
  std::thread::id owner() const { return owner_; }
  std::uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }
  // Acquires the announcement that replaced another: all that was read of that one is behind it.
  const CacheEntry* announced() const { return announced_.load(std::memory_order_seq_cst); }

  // The entry of a spec that is where it was when it was found last; null when it must be searched
  // for. A hit is counted, and stays announced.
  const CacheEntry* recall(const KernelSpec& spec, std::uint64_t maker) {
    return recall_(*this, spec, maker);
  }

  // The same for any spec, of which this then reminds `recall`.
  const CacheEntry* find(const KernelTable& table, const KernelSpec& spec, std::uint64_t maker);

  // Keeps an entry from being deleted, provided that no removal is counted between seeing it in the
  // cache and the end of this; until something else is announced.
  void announce(const CacheEntry* entry);

  // For the remover: asks the owner to order its announcements itself, and says whether all that it
  // will make are so; those before are seen. It answers with its next announcement.
  bool fences_itself() {
    must_fence_.store(true, std::memory_order_relaxed);
    return is_fencing_.load(std::memory_order_acquire);
  }

 private:
  friend struct Recall;
  using RecallFunction = const CacheEntry* (*)(CacheReader& reader, const KernelSpec& spec,
                                               std::uint64_t maker);
  static RecallFunction best_recall();

  // Acquires what a removal did to the table before it was counted. With a fence on the process no
  // more is needed; without one it is the second half of `announce`. Either is one instruction, a
  // plain load on x86-64 and ldar on aarch64.
  std::uint64_t removals() const { return removals_->load(std::memory_order_seq_cst); }
  void count_hit(const CacheEntry& entry);

  const CacheState* cache_;
  const RecallFunction recall_;
  const std::atomic<std::uint64_t>* removals_;  // pairs with CacheState::remove_first()
  std::uint64_t memo_removals_ = 0;  // as many were counted when everything in the memo was cached
  // Written by announce(), read by CacheState::take_unread().
  std::atomic<const CacheEntry*> announced_{nullptr};
  std::atomic<std::uint64_t> hits_{0};  // alone: a number that only the owner writes
  std::atomic<bool> must_fence_;        // alone: seen late, the answer comes late
  std::atomic<bool> is_fencing_;        // released behind the first announcement made so
  SpecMemo memo_;
  const std::thread::id owner_ = std::this_thread::get_id();
};

// That of the cache the calling thread used last. Its place in a thread's memory is known when the
// library has been loaded, so that a hit never asks for it.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local CacheReader* last_reader;

inline void CacheReader::announce(const CacheEntry* entry) {
  // Store, then load the count of removals; the remover counts, then loads this: seq_cst on all
  // four, or one of the two may miss the other.
  if (must_fence_.load(std::memory_order_relaxed)) [[unlikely]] {
    announced_.store(entry, std::memory_order_seq_cst);
    is_fencing_.store(true, std::memory_order_release);
    return;
  }
  announced_.store(entry, std::memory_order_release);   // pairs with announced()
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the other half is fence_process()
}

inline void CacheReader::count_hit(const CacheEntry& entry) {
  entry.mark_used();
  hits_.store(hits_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace pto::jit
