#include "jit/doors/python/kernel.h"

#include <Python.h>

#include <algorithm>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/backends/watching/disassembly.h"
#include "jit/calls/index_check.h"
#include "jit/calls/parallel/parallel_run.h"
#include "jit/doors/python/failure.h"
#include "jit/doors/python/without_lock.h"
#include "targets/planner.h"

namespace pto::jit::python {
namespace {

// Shapes that calls come back to: batches have few sizes.
constexpr std::size_t kMostKnown = 16;

LegalSpec legal_of(std::string_view text) {
  const KernelSpec spec = value_of(parse(text), text);
  return value_of(verify(spec), text);
}

Backend backend_of(std::string_view name) {
  if (const std::optional<Backend> found = backend_named(name)) return *found;
  fail("option.backend",
       "'" + printable(name) + "' is no backend; there are auto, xbyak, llvm and interpreter");
}

std::optional<AuditReport> if_audited(const LegalSpec& legal, const AuditReport& report) {
  return legal.spec().audit ? std::optional(report) : std::nullopt;
}

// Of one call: what it found so far is not for others to see.
std::vector<std::uint64_t> scratch_for(const KernelPlan& plan, const Frame& frame) {
  return std::vector<std::uint64_t>(static_cast<std::size_t>(scratch_bytes(plan, frame)) /
                                    sizeof(std::uint64_t));
}

}  // namespace

PythonKernel::PythonKernel(std::string_view text, std::string_view backend, int threads)
    : legal_(legal_of(text)),
      wish_(backend_of(backend)),
      parallel_{.threads = threads},
      plan_(make_plan(legal_)),
      kernel_(value_of(compile(legal_, {.backend = wish_}))) {
  value_of(check(parallel_));
}

void PythonKernel::run(const Frame& frame) const {
  if (parallel_.threads == 1) return kernel_(frame);
  value_of(run_parallel(legal_, plan_, frame, {parallel_, {.backend = wish_}}));
}

PythonKernel::Ready PythonKernel::prepare(const GivenOperands& given, AuditReport& report) const {
  std::optional<Frame> again;
  const auto fits = [&](const auto& known) { return (again = known->frame_on(given)).has_value(); };
  const auto found = std::ranges::find_if(known_, fits);
  if (found != known_.end()) {
    std::rotate(known_.begin(), found, found + 1);
  } else {
    auto made = std::make_shared<const KnownCall>(legal_, given, report);
    if (known_.size() == kMostKnown) known_.pop_back();
    known_.insert(known_.begin(), std::move(made));
  }
  Ready out{known_.front(), again.value_or(known_.front()->frame())};
  out.frame.report = &report;
  return out;
}

std::optional<AuditReport> PythonKernel::call_unchecked(PyObject* named) const {
  AuditReport report;
  const GivenOperands given(legal_.spec(), named, Use::Call);
  const Ready ready = prepare(given, report);
  const WithoutLock unlocked;
  run(ready.frame);
  return if_audited(legal_, report);
}

std::optional<AuditReport> PythonKernel::call(PyObject* named) const {
  AuditReport report;
  const GivenOperands given(legal_.spec(), named, Use::Call);
  Ready ready = prepare(given, report);
  const WithoutLock unlocked;
  const OwnIndices indices = value_of(take_indices(ready.known->kernel(), ready.frame));
  run(ready.frame);
  return if_audited(legal_, report);
}

AuditReport PythonKernel::audit(PyObject* named) const {
  AuditReport report;
  if (!is_indexed(legal_.spec().op))
    fail("audit.index", "this operation has no indices to look through");
  const GivenOperands given(legal_.spec(), named, Use::Audit);
  const KernelPlan plan = make_audited_plan(legal_);
  Ready ready = prepare(given, report);
  const WithoutLock unlocked;
  std::vector<std::uint64_t> scratch = scratch_for(plan, ready.frame);
  ready.frame.scratch = scratch.data();
  return audit_indices(plan, ready.frame);
}

std::string PythonKernel::spec() const { return print(legal_.spec()); }
std::string PythonKernel::plan() const { return print(plan_, legal_.spec().op); }
std::string PythonKernel::strategy() const {
  return value_of(describe_strategy(plan_, {.backend = wish_}));
}
std::string PythonKernel::disassembly() const {
  return "; " + kernel_.name() + "\n" + disassemble(kernel_.code());
}
std::string_view PythonKernel::backend() const { return jit::name_of(kernel_.backend()); }
Diagnostics PythonKernel::notes() const { return notes_on(legal_); }

BoundKernel::BoundKernel(const PythonKernel& kernel, PyObject* named)
    : kernel_(kernel),
      given_(kernel_.legal_.spec(), named, Use::Bind),
      known_(kernel_.legal_, given_, unused_),
      frame_(known_.frame()),
      last_(if_audited(kernel_.legal_, {})) {}

std::optional<AuditReport> BoundKernel::call() {
  if (!last_) {
    const WithoutLock unlocked;
    kernel_.run(frame_);
    return std::nullopt;
  }
  AuditReport report;
  Frame frame = frame_;
  std::vector<std::uint64_t> scratch = scratch_for(kernel_.plan_, frame);
  frame.report = &report;
  frame.scratch = scratch.data();
  {
    const WithoutLock unlocked;
    kernel_.run(frame);
  }
  return last_ = report;
}

}  // namespace pto::jit::python
