// Whether the tests run under a sanitizer, which holds back freed memory and takes its time.
#pragma once

namespace pto::jit::tests {

inline constexpr bool kIsSanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#else
    false;
#endif

}  // namespace pto::jit::tests
