// The dict in a .npy header: which spellings are understood, and what is said about the others.
#include "jit/files/npy_header.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pto::jit::cli {
namespace {

const NpyHeader kPlain = {.descr = "<f4", .fortran_order = false, .shape = {2, 3}};

const std::string kType = "'descr': '<f4'";
const std::string kOrder = "'fortran_order': False";
const std::string kShape = "'shape': (2, 3)";

std::string dict(const std::string& a, const std::string& b, const std::string& c) {
  return "{" + a + ", " + b + ", " + c + "}";
}

std::string with_shape(const std::string& tuple) {
  return dict(kType, kOrder, "'shape': " + tuple);
}

void expect_refused(const std::string& text, const std::string& why) {
  const Result<NpyHeader> outcome = parse_npy_header(text);
  ASSERT_FALSE(outcome) << text;
  ASSERT_EQ(outcome.error().size(), 1U);
  EXPECT_EQ(outcome.error().front().id, "file.npy");
  const std::string& message = outcome.error().front().message;
  EXPECT_NE(message.find(why), std::string::npos) << text << ": " << message;
}

TEST(NpyHeader, ReadsBackWhatItPrints) {
  const std::vector<std::vector<std::int64_t>> shapes = {{}, {0}, {8}, {8, 32}, {1, 2, 3, 4, 5}};
  for (const auto& shape : shapes) {
    for (const bool fortran_order : {false, true}) {
      const NpyHeader header = {"|u1", fortran_order, shape};
      const Result<NpyHeader> outcome = parse_npy_header(print_npy_header(header));
      ASSERT_TRUE(outcome) << render(outcome.error());
      EXPECT_EQ(*outcome, header);
    }
  }
}

TEST(NpyHeader, PrintsTuplesAsPythonDoes) {
  EXPECT_EQ(print_tuple({}), "()");
  EXPECT_EQ(print_tuple(std::vector<std::int64_t>{8}), "(8,)");
  EXPECT_EQ(print_tuple(std::vector<std::int64_t>{8, 32}), "(8, 32)");
}

TEST(NpyHeader, ReadsAnySpacingOrderAndQuotes) {
  for (const std::string text : {
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }        \n",
           "{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
           "  { \"descr\" : \"<f4\" , \"shape\" : ( 2 , 3 , ) , \"fortran_order\" : False , } \n",
           "{\t'fortran_order':\r\nFalse,'descr': '<f4','shape': (2,3)}",
       }) {
    const Result<NpyHeader> outcome = parse_npy_header(text);
    ASSERT_TRUE(outcome) << render(outcome.error());
    EXPECT_EQ(*outcome, kPlain);
  }
}

TEST(NpyHeader, NamesAMissingKey) {
  expect_refused("{}", "no key 'descr'");
  expect_refused("{" + kType + "}", "no key 'fortran_order'");
  expect_refused("{" + kType + ", " + kOrder + ",}", "no key 'shape'");
}

TEST(NpyHeader, NamesADuplicateKey) {
  expect_refused(dict(kType, kType, kShape), "'descr' twice");
  expect_refused(dict(kShape, kOrder, kShape), "'shape' twice");
  expect_refused(dict(kOrder, kOrder, kShape), "'fortran_order' twice");
}

TEST(NpyHeader, NamesAnUnknownKey) {
  expect_refused(dict(kType, "'colour': 'red'", kShape), "the key 'colour'");
}

TEST(NpyHeader, RefusesShapesThatAreNotTuplesOfExtents) {
  expect_refused(with_shape("(-2, 3)"), "negative extent -2");
  expect_refused(with_shape("(2 3)"), "expected ','");
  expect_refused(with_shape("(2, 3 4)"), "expected ',' or ')'");
  expect_refused(with_shape("(6)"), "expected ','");
  expect_refused(with_shape("(,)"), "expected an extent");
  expect_refused(with_shape("(2,,3)"), "expected an extent");
  expect_refused(with_shape("(2.0, 3)"), "expected ','");
  expect_refused(with_shape("(None, 3)"), "expected an extent");
  expect_refused(with_shape("[2, 3]"), "expected a tuple");
  expect_refused(with_shape("(2, 3"), "expected ',' or ')'");
  expect_refused(with_shape("(9223372036854775808,)"), "expected an extent below 2^63");
}

TEST(NpyHeader, RefusesMoreDimsThanNumPyHas) {
  std::string ones;
  for (int i = 0; i < 64; ++i) ones += "1, ";
  EXPECT_TRUE(parse_npy_header(with_shape("(" + ones + ")")));
  expect_refused(with_shape("(" + ones + "1)"), "more than 64 dims");
}

TEST(NpyHeader, RefusesARecordType) {
  expect_refused(dict("'descr': [('a', '<f4')]", kOrder, kShape),
                 "has '[('a', '<f4')], 'for' at character 10, expected a string");
}

TEST(NpyHeader, SaysWhereTheTextStopsBeingADict) {
  expect_refused("", "ends at character 0, expected '{'");
  expect_refused("[]", "has '[]' at character 0, expected '{'");
  expect_refused("{,}", "expected a string");
  expect_refused("{'descr': '<f4", "ends inside a string");
  expect_refused("{" + kType, "ends at character 15, expected ',' or '}'");
  expect_refused(dict(kType, "'fortran_order': 0", kShape), "expected True or False");
  expect_refused(dict(kType, "'fortran_order': Falsehood", kShape), "expected ',' or '}'");
  expect_refused(dict(kType, "fortran_order: False", kShape), "expected a string");
  expect_refused(dict(kType, "'fortran_order' False", kShape), "expected ':'");
  expect_refused(dict(kType, kOrder, kShape) + "x", "expected the end of the header");
  expect_refused(dict(kType, kOrder, kShape) + std::string(1, '\0'), "has '\\x00' at character");
}

}  // namespace
}  // namespace pto::jit::cli
