// WithoutLock: the interpreter's lock given back for as long as this lives, so that other threads
// of Python go on. Nothing of Python may be touched meanwhile.
#pragma once

#include <cstdint>

namespace pto::jit::python {

class WithoutLock {
 public:
  WithoutLock();
  // Handing the lock over takes longer than to move a few kilobytes: it is kept for less.
  explicit WithoutLock(std::int64_t bytes);
  ~WithoutLock();
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;
  WithoutLock(WithoutLock&&) = delete;
  WithoutLock& operator=(WithoutLock&&) = delete;

 private:
  void* state_ = nullptr;
};

}  // namespace pto::jit::python
