// What the functions of the C interface share: its handles, and how a Result becomes a status.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "ir/result.h"
#include "ir/spec.h"
#include "jit/doors/c/c.h"
#include "runtime/kernel.h"

// NOLINTBEGIN(readability-identifier-naming)

struct ptojit_spec {
  pto::jit::KernelSpec spec;
};

struct ptojit_kernel {
  pto::jit::Kernel kernel;
};

struct ptojit_diagnostics {
  std::size_t count;
  std::string text;
  std::string json;
};

// NOLINTEND(readability-identifier-naming)

namespace pto::jit::c {

// A pointer that must not be null, by its name.
struct Needed {
  const char* name;
  const void* value;
};

Result<Done> check_given(std::initializer_list<Needed> needed);

// Hands them over where somebody wants them and there are any. `text` is what they point into.
void tell(ptojit_diagnostics** why, const Diagnostics& found, std::string_view text = {});

// A copy to be freed by ptojit_text_free.
Result<Done> hand_over(char** out, const std::string& text);
Result<Done> hand_over(char** out, const Result<std::string>& text);

// Does `work`, a callable that returns Result<Done>, and says how that went.
template <class Work>
ptojit_status answer(ptojit_diagnostics** why, std::initializer_list<Needed> needed, Work&& work,
                     std::string_view text = {}) noexcept {
  if (why) *why = nullptr;
  try {
    const Result<Done> given = check_given(needed);
    const Result<Done> done = given ? work() : given;
    if (done) return PTOJIT_OK;
    tell(why, done.error(), text);
    return are_broken_rules(done.error()) ? PTOJIT_ILLEGAL : PTOJIT_UNUSABLE;
  } catch (...) {
    return PTOJIT_FAILED;
  }
}

}  // namespace pto::jit::c
