// .npy images: what is read, what is refused and why, and that no header makes the reader stray.
#include "jit/files/npy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/npy.h"

namespace pto::jit::cli {
namespace {

using tests::read_npy;
using tests::write_npy;
using Bytes = std::vector<std::byte>;
using Shape = std::vector<std::int64_t>;

constexpr std::uint32_t kSeed = 20240607;

struct Need {
  DType dtype = DType::F32;
  Shape shape = {2, 3};
  bool may_be_longer = false;
};

Bytes to_bytes(std::string_view text) {
  Bytes bytes(text.size());
  std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

Bytes counted(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
  return bytes;
}

// An image of a version with an honest header length.
Bytes image(const std::string& dict, std::size_t payload, int version = 1) {
  std::string front = "\x93NUMPY";
  front.append({static_cast<char>(version), '\0'});
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    front += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  }
  Bytes bytes = to_bytes(front + dict);
  std::ranges::copy(counted(payload), std::back_inserter(bytes));
  return bytes;
}

std::string dict(const std::string& descr, const std::string& shape,
                 const std::string& fortran_order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape +
         ", }\n";
}

// From an allocation of the image's exact size, where reading on is seen by the address sanitizer.
Result<Bytes> read(const Bytes& file, const Need& need = {}) {
  const auto exact = std::make_unique<std::byte[]>(file.size());
  std::ranges::copy(file, exact.get());
  return read_npy({exact.get(), file.size()}, need.dtype, need.shape, need.may_be_longer);
}

std::string refusal(const Bytes& file, const Need& need = {}) {
  const Result<Bytes> outcome = read(file, need);
  if (outcome) return "accepted";
  EXPECT_EQ(outcome.error().size(), 1U);
  EXPECT_EQ(outcome.error().front().id, "file.npy");
  return outcome.error().front().message;
}

void expect_refused(const Bytes& file, const std::string& why, const Need& need = {}) {
  EXPECT_NE(refusal(file, need).find(why), std::string::npos) << refusal(file, need);
}

void expect_read(const Bytes& file, const Need& need = {}) {
  const Result<Bytes> outcome = read(file, need);
  ASSERT_TRUE(outcome) << render(outcome.error());
  EXPECT_TRUE(std::ranges::equal(*outcome, std::span(file).last(outcome->size())));
}

TEST(Npy, ReadsBackWhatItWritesInEveryType) {
  for (const DTypeInfo& info : kDTypes) {
    for (const Shape& shape :
         {Shape{8, 5}, Shape{1, 1}, Shape{7}, Shape{2, 1, 3, 4, 5}, Shape{0}}) {
      const Bytes payload =
          counted(static_cast<std::size_t>(byte_count(shape, info.dtype).value_or(0)));
      const Bytes file = write_npy(payload, info.dtype, shape);
      const Result<Bytes> outcome = read(file, {info.dtype, shape});
      ASSERT_TRUE(outcome) << info.name << ": " << render(outcome.error());
      EXPECT_EQ(*outcome, payload) << info.name;
    }
  }
}

TEST(Npy, WritesWhatNumPyWrites) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  std::string expected("\x93NUMPY\x01\0\x76\0", 10);
  expected += header + std::string(117 - header.size(), ' ') + "\n";
  const Bytes payload = counted(24);
  const Bytes file = write_npy(payload, DType::F32, Shape{2, 3});
  ASSERT_EQ(file.size(), 128U + 24U);
  EXPECT_EQ(Bytes(file.begin(), file.begin() + 128), to_bytes(expected));
  EXPECT_EQ(Bytes(file.begin() + 128, file.end()), payload);
}

TEST(Npy, AlignsThePayloadForEveryShape) {
  std::int64_t extent = 1;
  for (int digits = 1; digits < 18; ++digits, extent *= 10) {
    EXPECT_EQ(write_npy({}, DType::BF16, Shape{0, extent}).size() % 64, 0U);
  }
}

TEST(Npy, ReadsEveryVersion) {
  for (const int version : {1, 2, 3}) expect_read(image(dict("<f4", "(2, 3)"), 24, version));
}

struct Spelling {
  DType dtype;
  std::string descr;
};

TEST(Npy, TakesTheTypesThatFit) {
  for (const Spelling& it : {
           Spelling{DType::I8, "|i1"},     Spelling{DType::I8, "<i1"},
           Spelling{DType::I8, "=i1"},     Spelling{DType::I8, ">i1"},
           Spelling{DType::U8, "|u1"},     Spelling{DType::U8, "<u1"},
           Spelling{DType::I16, "<i2"},    Spelling{DType::I16, "=i2"},
           Spelling{DType::U16, "<u2"},    Spelling{DType::I32, "<i4"},
           Spelling{DType::I32, "=i4"},    Spelling{DType::U32, "<u4"},
           Spelling{DType::F16, "<f2"},    Spelling{DType::F32, "<f4"},
           Spelling{DType::F32, "=f4"},    Spelling{DType::BF16, "<u2"},
           Spelling{DType::BF16, "=u2"},   Spelling{DType::HIF8, "|u1"},
           Spelling{DType::F8E4M3, "|u1"}, Spelling{DType::F8E5M2, "<u1"},
       }) {
    SCOPED_TRACE(it.descr);
    const auto payload = static_cast<std::size_t>(6 * size_of(it.dtype));
    expect_read(image(dict(it.descr, "(2, 3)"), payload), {.dtype = it.dtype});
  }
}

TEST(Npy, RefusesTheTypesThatDoNotFit) {
  for (const Spelling& it : {
           Spelling{DType::I8, "|u1"},
           Spelling{DType::U8, "|b1"},
           Spelling{DType::U16, "<i2"},
           Spelling{DType::I32, "<i8"},
           Spelling{DType::F32, "<f8"},
           Spelling{DType::F16, "<u2"},
           Spelling{DType::BF16, "<f2"},
           Spelling{DType::BF16, "<V2"},
           Spelling{DType::F32, "f4"},
           Spelling{DType::HIF8, "|i1"},
           Spelling{DType::F32, ""},
           Spelling{DType::F32, "<"},
           Spelling{DType::F32, "<f4 "},
           Spelling{DType::F32, "|O"},
       }) {
    const auto payload = static_cast<std::size_t>(6 * size_of(it.dtype));
    const std::string why = "has the type '" + it.descr + "', the operand (" +
                            std::string(name_of(it.dtype)) + ") needs '";
    expect_refused(image(dict(it.descr, "(2, 3)"), payload), why, {.dtype = it.dtype});
  }
}

TEST(Npy, RefusesABigEndianArray) {
  expect_refused(image(dict(">f4", "(2, 3)"), 24), "big-endian, the operand (f32) needs '<f4'");
  expect_refused(image(dict("|f4", "(2, 3)"), 24), "no byte order");
}

TEST(Npy, TakesFortranOrderOnlyWhereItMakesNoDifference) {
  expect_read(image(dict("<f4", "(6,)", "True"), 24));
  expect_read(image(dict("<f4", "(1, 6)", "True"), 24), {.shape = {1, 6}});
  expect_read(image(dict("<f4", "(6, 1)", "True"), 24), {.shape = {6, 1}});
  expect_refused(image(dict("<f4", "(2, 3)", "True"), 24), "Fortran order");
}

TEST(Npy, TakesAFlatArray) {
  expect_read(image(dict("<f4", "(6,)"), 24));
  expect_read(image(dict("<f4", "(0,)"), 0), {.shape = {0, 4}});
}

TEST(Npy, RefusesAnotherShapeOfTheSameSize) {
  for (const std::string shape : {"(3, 2)", "(6, 1)", "(1, 6)", "(1, 2, 3)", "(2, 3, 1)"}) {
    expect_refused(image(dict("<f4", shape), 24),
                   "has the shape " + shape + ", the operand needs (2, 3) or (6,)");
  }
}

TEST(Npy, ATableMayHaveLeadingOnesOrNot) {
  for (const Shape& shape : {Shape{2, 3}, Shape{1, 2, 3}, Shape{1, 1, 1, 2, 3}}) {
    const Need table = {.shape = shape, .may_be_longer = true};
    expect_read(image(dict("<f4", "(2, 3)"), 24), table);
    expect_read(image(dict("<f4", "(1, 1, 2, 3)"), 24), table);
    expect_refused(image(dict("<f4", "(2, 1, 3)"), 24), "the operand needs", table);
  }
  expect_read(image(dict("<f4", "()"), 4), {.shape = {1}, .may_be_longer = true});
}

TEST(Npy, OnlyATableMayBeLongerAndOnlyFlat) {
  const Need table = {.may_be_longer = true};
  expect_read(image(dict("<f4", "(6,)"), 24), table);
  expect_read(image(dict("<f4", "(100,)"), 400), table);
  expect_refused(image(dict("<f4", "(5,)"), 20), "a flat array may be longer", table);
  expect_refused(image(dict("<f4", "(4, 3)"), 48), "a flat array may be longer", table);
  expect_refused(image(dict("<f4", "(7,)"), 28), "the operand needs (2, 3) or (6,)");
}

TEST(Npy, RefusesAFileThatIsSomethingElse) {
  expect_refused({}, "does not begin like a .npy file");
  expect_refused(to_bytes("\x93NUMP"), "does not begin like a .npy file");
  expect_refused(to_bytes("PK\x03\x04, a .npz archive"), "does not begin like a .npy file");
  expect_refused(to_bytes(std::string("\x93NUMPY\x04\0\0\0\0\0", 12)), "version 4.0");
  expect_refused(to_bytes(std::string("\x93NUMPY\x01\x01\0\0", 10)), "version 1.1");
}

TEST(Npy, RefusesEveryTruncation) {
  for (const int version : {1, 2}) {
    const Bytes whole = image(dict("<f4", "(2, 3)"), 24, version);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_NE(refusal({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}),
                "accepted");
    }
  }
}

TEST(Npy, RefusesAHeaderLongerThanTheFile) {
  Bytes file = image(dict("<f4", "(2, 3)"), 24, 2);
  std::fill_n(file.begin() + 8, 4, std::byte{0xff});
  expect_refused(file, "the header claims 4294967295 bytes, the file has");
}

TEST(Npy, RefusesAPayloadThatIsNotWhatTheShapeSays) {
  const std::string claim = "(2, 3) takes 24 bytes, the file has ";
  expect_refused(image(dict("<f4", "(2, 3)"), 23), claim + "23");
  expect_refused(image(dict("<f4", "(2, 3)"), 25), claim + "25");
  expect_refused(image(dict("<f4", "(2, 3)"), 0), claim + "0");
}

TEST(Npy, RefusesAShapeBeyondAllMemory) {
  for (const std::string shape : {
           "(4294967296, 4294967296)",
           "(2305843009213693952,)",
           "(9223372036854775807, 9223372036854775807, 4)",
           "(2, 3, 3074457345618258603)",
       }) {
    expect_refused(image(dict("<f4", shape), 24), shape + " is beyond 2^63 bytes");
  }
}

TEST(Npy, MessagesArePrintable) {
  const std::string message = refusal(image(dict("\x1b[31m<f4\xff", "(2, 3)"), 24));
  EXPECT_TRUE(std::ranges::all_of(message, [](char c) { return c >= 0x20 && c < 0x7f; }));
}

// Bytes of the grammar turn up more often than others, so that mutants get past the first check.
std::byte random_byte(std::mt19937& random) {
  constexpr std::string_view kLikely = "{}()':,0123456789-<>|=TrueFalseshapedescrfortran_order \n";
  if (random() % 4 == 0) return static_cast<std::byte>(random());
  return static_cast<std::byte>(kLikely[random() % kLikely.size()]);
}

void mutate(Bytes& file, std::mt19937& random) {
  const auto at = static_cast<std::ptrdiff_t>(random() % file.size());
  switch (random() % 4) {
    case 0: file.insert(file.begin() + at, random_byte(random)); return;
    case 1: file.erase(file.begin() + at); return;
    case 2: file.resize(static_cast<std::size_t>(at) + 1); return;
    default: file[static_cast<std::size_t>(at)] = random_byte(random); return;
  }
}

TEST(Npy, NoMutantMakesTheReaderStray) {
  std::mt19937 random(kSeed);
  const std::array seeds = {image(dict("<f4", "(2, 3)"), 24), image(dict("<f4", "(6,)"), 24, 2),
                            image(dict("<f4", "(1, 6)", "True"), 24, 3), image("{}", 0)};
  int accepted = 0;
  for (int round = 0; round < 100000; ++round) {
    Bytes file = seeds[random() % seeds.size()];
    for (auto left = 1 + random() % 3; left > 0 && !file.empty(); --left) mutate(file, random);
    const Need need = {.may_be_longer = random() % 2 == 0};
    const Result<Bytes> outcome = read(file, need);
    if (!outcome) {
      ASSERT_EQ(outcome.error().front().id, "file.npy") << "seed " << kSeed << " round " << round;
      continue;
    }
    ++accepted;
    ASSERT_TRUE(need.may_be_longer ? outcome->size() >= 24 : outcome->size() == 24)
        << "seed " << kSeed << " round " << round;
  }
  EXPECT_GT(accepted, 100);  // else the mutants are too coarse to mean anything
}

}  // namespace
}  // namespace pto::jit::cli
