// Whether the tests run under a sanitizer, which holds back freed memory and takes its time.
#pragma once

namespace pto::jit::tests {

inline constexpr bool kIsSanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#else
    false;
#endif

// Why tests that fork beside threads are skipped then.
inline constexpr const char* kNoForks =
    "a sanitizer's allocator stays locked in a child forked while a thread uses it";

}  // namespace pto::jit::tests
