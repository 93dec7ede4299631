#include "jit/doors/python/without_lock.h"

#include <Python.h>

namespace pto::jit::python {
namespace {

constexpr std::int64_t kWorthIt = 32 << 10;

}  // namespace

WithoutLock::WithoutLock() : state_(PyEval_SaveThread()) {}

WithoutLock::WithoutLock(std::int64_t bytes)
    : state_(bytes < kWorthIt ? nullptr : PyEval_SaveThread()) {}

WithoutLock::~WithoutLock() {
  if (state_) PyEval_RestoreThread(static_cast<PyThreadState*>(state_));
}

}  // namespace pto::jit::python
