// A compiled kernel as Python has it, and one that is bound to its arrays.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/calls/parallel/parallel.h"
#include "jit/compile/compile.h"
#include "jit/doors/python/known_call.h"

namespace pto::jit::python {

class PythonKernel {
 public:
  PythonKernel(std::string_view text, std::string_view backend, int threads);

  // Each takes its arrays by name. What an audited kernel found; nothing of others.
  std::optional<AuditReport> call(PyObject* named) const;
  std::optional<AuditReport> call_unchecked(PyObject* named) const;

  // The indices looked through, nothing moved.
  AuditReport audit(PyObject* named) const;

  std::string spec() const;
  std::string plan() const;
  std::string strategy() const;
  std::string disassembly() const;
  std::string_view backend() const;
  Diagnostics notes() const;

 private:
  friend class BoundKernel;

  // What a call needs, alive while the interpreter's lock is given back.
  struct Ready {
    std::shared_ptr<const KnownCall> known;
    Frame frame;
  };
  Ready prepare(const GivenOperands& given, AuditReport& report) const;
  void run(const Frame& frame) const;

  LegalSpec legal_;
  Backend wish_;
  Parallel parallel_;
  KernelPlan plan_;
  Kernel kernel_;
  // The last few, newest first; guarded by the interpreter's lock.
  mutable std::vector<std::shared_ptr<const KnownCall>> known_;
};

// Called as often as one likes, by several threads at once too, on the memory of arrays that were
// checked once and are kept. What their indices are is never looked at.
class BoundKernel {
 public:
  BoundKernel(const PythonKernel& kernel, PyObject* named);

  // What this call of an audited kernel found.
  std::optional<AuditReport> call();
  // What the last call to end did.
  const std::optional<AuditReport>& report() const { return last_; }

 private:
  PythonKernel kernel_;
  GivenOperands given_;
  AuditReport unused_;  // a checked call needs one; each call has its own
  KnownCall known_;
  Frame frame_;
  std::optional<AuditReport> last_;  // guarded by the interpreter's lock
};

}  // namespace pto::jit::python
