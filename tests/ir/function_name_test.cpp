// Names for functions: what C, C++ and their libraries have taken.
#include "ir/function_name.h"

#include <gtest/gtest.h>

namespace pto::jit::tests {
namespace {

TEST(FunctionName, IsAnIdentifierNobodyHas) {
  for (const char* good : {"a", "embed_8", "Kernel", "_", "_x", "copy_rows", "while_1", "mains"})
    EXPECT_EQ(reserved_name(good), "") << good;
  for (const char* bad : {"", "8rows", "a b", "a-b", "x\n", "caf\xc3\xa9"})
    EXPECT_EQ(reserved_name(bad), "it is not an identifier of C") << bad;
  for (const char* bad : {"while", "restrict", "co_await", "xor", "static_assert", "alignas"})
    EXPECT_EQ(reserved_name(bad), "it is a keyword of C or C++") << bad;
  EXPECT_EQ(reserved_name("main"), "a program begins there");
  for (const char* bad : {"_Bool", "__x", "a__b", "_Generic"})
    EXPECT_EQ(reserved_name(bad), "such names belong to compilers and their libraries") << bad;
}

TEST(FunctionName, WordsAreWholeAndNotInComments) {
  EXPECT_TRUE(has_word("int row = 0;", "row"));
  EXPECT_TRUE(has_word("// rows\nrow", "row"));
  EXPECT_TRUE(has_word("row", "row"));
  EXPECT_FALSE(has_word("rows, arow; // the row", "row"));
  EXPECT_FALSE(has_word("", "row"));
}

}  // namespace
}  // namespace pto::jit::tests
