#include "jit/doors/python/arguments.h"

#include <Python.h>

#include <string>

#include "ir/mnemonic.h"
#include "jit/calls/parallel/parallel_run.h"
#include "jit/doors/python/failure.h"
#include "jit/doors/python/values.h"

namespace pto::jit::python {
namespace {

[[noreturn]] void misuse(const Function& function, const std::string& what) {
  fail("call.argument", std::string(function.name) + "() " + what);
}

std::size_t argument_named(const Function& function, PyObject* name) {
  const std::string_view text = text_of(name).value_or("?");
  for (std::size_t i = 0; i < kArguments; ++i) {
    if (!text.empty() && function.arguments[i] == text) return i;
  }
  misuse(function, "has no argument '" + printable(text) + "'");
}

// A policy of one kind. The silent word is the one that specs leave out; atomics are spelled with a
// prefix there.
struct Policy {
  SuffixKind kind;
  Argument argument;
  std::string_view silent;
  std::string_view prefix;
};
constexpr std::array kPolicies = {
    Policy{SuffixKind::Oob, kOob, "raise", ""},
    Policy{SuffixKind::Atomic, kAtomic, "none", "atomic_"},
    Policy{SuffixKind::Conflict, kConflict, "last", ""},
};

[[noreturn]] void fail_at_word(const Policy& policy, Op op, std::string_view word) {
  std::string known(policy.silent);
  for (const Suffix& suffix : all_suffixes()) {
    if (suffix.kind != policy.kind || !is_listed(op, suffix)) continue;
    const std::string_view other = suffix.word.substr(policy.prefix.size());
    if (other != policy.silent) known += " " + std::string(other);
  }
  fail("call.policy", "'" + printable(word) + "' is no policy; there are " + known);
}

void set_policy(KernelSpec& spec, const Policy& policy, PyObject* word) {
  if (!word || word == Py_None) return;
  const std::optional<std::string_view> text = text_of(word);
  if (!text) fail_at_word(policy, spec.op, Py_TYPE(word)->tp_name);
  if (*text == policy.silent) return;
  const Suffix* suffix = suffix_named(std::string(policy.prefix) + std::string(*text));
  if (!suffix || suffix->kind != policy.kind) fail_at_word(policy, spec.op, *text);
  set_suffix(spec, *suffix);
}

}  // namespace

Arguments read_arguments(const Function& function, PyObject* const* given, std::ptrdiff_t count,
                         PyObject* names) {
  Arguments out{};
  std::ptrdiff_t next = 0;
  for (std::size_t i = 0; i < kOob && next < count; ++i) {
    if (!function.arguments[i].empty()) out[i] = given[next++];
  }
  if (next < count) misuse(function, "takes its policies by name");
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i) {
    const std::size_t at = argument_named(function, PyTuple_GET_ITEM(names, i));
    if (out[at]) misuse(function, "is given " + std::string(function.arguments[at]) + " twice");
    out[at] = given[count + i];
  }
  for (std::size_t i = 0; i < kOob; ++i) {
    if (!function.arguments[i].empty() && !out[i])
      misuse(function, "is not given " + std::string(function.arguments[i]));
  }
  return out;
}

int threads_of(PyObject* given) {
  const std::optional<std::int64_t> asked = integer_of(given);
  if (!asked || *asked < 0 || *asked > kMostThreads)
    fail("option.threads", "threads is " + repr_of(given) + "; it is a number from 0 to " +
                               std::to_string(kMostThreads) + ", 0 for as many as there are");
  const Parallel parallel{.threads = static_cast<int>(*asked)};
  value_of(check(parallel));
  return parallel.threads;
}

void set_policies(MoveWish& wish, const Arguments& given) {
  if (!given[kOob] && !given[kAtomic] && !given[kConflict]) return;
  KernelSpec spec;
  spec.op = wish.op;
  for (const Policy& policy : kPolicies) set_policy(spec, policy, given[policy.argument]);
  wish.oob = spec.oob;
  wish.atomic = spec.atomic;
  wish.conflict = spec.conflict;
}

}  // namespace pto::jit::python
