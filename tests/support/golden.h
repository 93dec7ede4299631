// Goldens: whole texts kept beside the tests. PTOJIT_REWRITE_GOLDENS=1 writes them anew.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace pto::jit::tests {

// Compares `text` with a file of the project, named by its path from the root.
::testing::AssertionResult matches_file(std::string_view path, std::string_view text);

// The same for tests/golden/NAME.
::testing::AssertionResult matches_golden(std::string_view name, std::string_view text);

// The first line in which two texts differ, in words; empty when they are equal.
std::string first_difference(std::string_view kept, std::string_view now);

}  // namespace pto::jit::tests
