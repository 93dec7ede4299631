// Whatever bytes a spec, a view, a binding or an option holds: every entry of the library answers,
// with a diagnostic where there is no such thing.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "ir/canonical.h"
#include "ir/flaws.h"
#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "jit/backends/backend.h"
#include "jit/ptojit.h"
#include "tests/support/deck.h"
#include "tests/support/raw_spec.h"
#include "tests/support/sample_size.h"

namespace pto::jit::tests {
namespace {

constexpr std::array kLegal = {
    "cpu:mscatter.elem.clamp src=f32[8x16|?x16] idx=i32[8x16|?x16] table=f32[?]",
    "a2a3:mscatter.row.skip.atomic_add src=bf16[8x32] idx=i32[1x8] table=bf16[2x3x4x8x32]",
    "a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16]:nz",
    "a5:mscatter.row.wrap.default src=f32[8x32|?x32] idx=i32[8x1|?x1]:cm table=f32[?x32]",
    "a5:mgather.elem.zero.audit dst=hif8[32x32|?x?]:cm idx=u32[32x32|?x?] table=hif8[?x?@?x?]",
    "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]",
    "a5:tscatter.p0100 src=f16[16x64|?x?] dst=f16[16x256|?x?]",
    "a2a3:tgatherb.block src=f32[8x64] offset=u32[8x8] dst=f32[8x64]",
    "a5:comm.tscatter.pingpong src=f32[64x32] dst=f32[16x32] stage=f32[8x32|?x?] ranks=4 root=0",
};

std::string ids(const Diagnostics& found) {
  std::string out;
  for (const Diagnostic& diagnostic : found) out += diagnostic.id + " ";
  return out;
}

template <class Value>
std::string refusal(const Result<Value>& result) {
  return result ? "" : ids(result.error());
}

// What verify says against a spec. Entries that take a spec and do not run it say the same.
std::string judged(const KernelSpec& spec) {
  const std::string said = refusal(verify(spec));
  EXPECT_EQ(is_legal(spec), said.empty()) << said;
  EXPECT_EQ(refusal(compile(spec, {.backend = Backend::Interpreter})), said);
  const KernelSpec clean = canonical(spec);
  const KernelSpec again = canonical(clean);
  EXPECT_EQ(std::memcmp(&clean, &again, sizeof clean), 0) << said;
  EXPECT_FALSE(print(spec).empty());
  EXPECT_FALSE(host_symbol(spec).empty());
  runtime_names(spec);
  if (said.empty()) return said;
  EXPECT_EQ(refusal(invoke(spec, Frame{})), said);
  EXPECT_EQ(refusal(call(spec, {})), said);
  EXPECT_EQ(refusal(emit_source(spec)), said);
  if (!has_backend(Backend::Llvm)) return said;
  EXPECT_EQ(refusal(emit_object(spec)), said);
  EXPECT_EQ(refusal(emit_llvm_ir(spec)), said);
  return said;
}

TEST(AnyBytes, EveryValueThatDoesNotExistIsNamed) {
  for (const char* text : kLegal) {
    const KernelSpec legal = *parse(text);
    ASSERT_EQ(judged(legal), "") << text;
    KernelSpec spec = legal;
    for_each_choice(spec, [&](std::string_view name, auto& member, auto last) {
      const auto before = member;
      for (int value = static_cast<int>(last) + 1; value < 256; ++value) {
        const auto byte = static_cast<std::uint8_t>(value);
        std::memcpy(&member, &byte, 1);
        const std::string wanted = std::string(name) + " is " + std::to_string(value) + ";";
        const Result<LegalSpec> verdict = verify(spec);
        ASSERT_FALSE(verdict) << wanted;
        EXPECT_EQ(verdict.error()[0].id, "spec.value");
        EXPECT_TRUE(verdict.error()[0].message.starts_with(wanted)) << verdict.error()[0].message;
        EXPECT_EQ(judged(spec), "spec.value ") << wanted;
      }
      member = before;
    });
    EXPECT_EQ(spec, legal);
  }
}

TEST(AnyBytes, EverySuffixIsAValueThatExists) {
  for (const Suffix& suffix : all_suffixes()) {
    KernelSpec spec;
    set_suffix(spec, suffix);
    for (const Diagnostic& flaw : flaws_of(spec)) EXPECT_NE(flaw.id, "spec.value") << suffix.word;
  }
}

// A canonical twin in the cache must not lend its kernel to a spec that says more.
TEST(AnyBytes, PartsTheOperationDoesNotHaveAreNamed) {
  const KernelSpec legal = *parse("a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]");
  ASSERT_TRUE(compile(legal, {.backend = Backend::Interpreter}));
  KernelSpec index = legal;
  index.index = legal.data;
  KernelSpec table = legal;
  table.table.shape = {1, 1, 1, 1, 1};
  KernelSpec suffix = legal;
  suffix.unit = Unit::Block;
  KernelSpec group = legal;
  group.ranks = 4;
  for (const auto& [spec, what] :
       {std::pair(index, "index is"), std::pair(table, "table is"),
        std::pair(suffix, "the suffix block is"), std::pair(group, "a group of ranks is")}) {
    EXPECT_EQ(judged(spec), "spec.foreign ") << what;
    const Diagnostic said = verify(spec).error()[0];
    EXPECT_TRUE(said.message.starts_with(what)) << said.message;
    EXPECT_EQ(said.suggestion, print(legal));
  }
  KernelSpec padding = legal;
  padding.zero = 1;
  padding.index.zero = padding.table.zero = 2;
  EXPECT_EQ(judged(padding), "");
}

TEST(AnyBytes, RandomBytesAreJudged) {
  constexpr std::uint64_t kSeed = 20261117;
  Random random(kSeed);
  std::array<std::uint8_t, 200> bytes{};
  const std::size_t count = taken({.brief = 20000, .full = 200000}, "specs of random bytes");
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    const KernelSpec spec = raw_spec(bytes);
    ASSERT_NE(judged(spec), "") << "seed " << kSeed << ", spec " << i;
  }
}

template <class Number>
Number strange(Random& random) {
  using Limits = std::numeric_limits<Number>;
  const std::array<Number, 12> kNumbers = {Limits::min(),
                                           -2,
                                           -1,
                                           0,
                                           1,
                                           3,
                                           16,
                                           32,
                                           1 << 16,
                                           Limits::max() - 1,
                                           Limits::max(),
                                           static_cast<Number>(random.next())};
  return kNumbers[random.below(kNumbers.size())];
}

// Values that exist and numbers that do not fit: what reaches the rules.
TEST(AnyBytes, StrangeNumbersAreJudged) {
  constexpr std::uint64_t kSeed = 20261118;
  const std::size_t count = taken({.brief = 10000, .full = 100000}, "specs of strange numbers");
  Random random(kSeed);
  std::size_t legal = 0;
  for (std::size_t i = 0; i < count; ++i) {
    KernelSpec spec = *parse(kLegal[random.below(kLegal.size())]);
    const std::size_t often = 2 + random.below(40);
    for_each_number(spec, [&](auto& number) {
      if (random.below(often) == 0)
        number = strange<std::remove_reference_t<decltype(number)>>(random);
    });
    spec = own_parts(spec);
    legal += judged(spec).empty();
    ASSERT_FALSE(HasFailure()) << "seed " << kSeed << ", spec " << i << ": " << print(spec);
  }
  std::cout << "seed " << kSeed << ": " << legal << " of " << count << " are legal\n";
  EXPECT_GE(legal, count / 50);
}

TEST(AnyBytes, OptionsThatDoNotExistAreNamed) {
  const KernelSpec spec = *parse(kLegal[5]);
  for (int value = 4; value < 256; ++value) {
    const auto backend = static_cast<Backend>(value);
    const auto level = static_cast<FeatureLevel>(value);
    EXPECT_EQ(refusal(compile(spec, {.backend = backend})), "option.backend ");
    EXPECT_EQ(refusal(emit_source(spec, {.form = static_cast<SourceForm>(value)})), "option.form ");
    EXPECT_EQ(refusal(emit_source(spec, {.placement = static_cast<Placement>(value)})),
              "option.placement ");
    EXPECT_EQ(refusal(emit_source(spec, {.level = static_cast<LineLevel>(value)})),
              "option.level ");
    if (level <= FeatureLevel::Neon) continue;
    EXPECT_EQ(refusal(compile(spec, {.level = level})), "option.level ");
    if (has_backend(Backend::Llvm)) {
      EXPECT_EQ(refusal(emit_object(spec, {.level = level})), "option.level ");
    }
  }
  for (int value = static_cast<int>(UnitForm::Own) + 1; value < 256; ++value) {
    const StrategyWish wish = {.form = static_cast<UnitForm>(value)};
    EXPECT_EQ(refusal(compile(spec, {.strategy = wish})), "option.strategy ");
    EXPECT_FALSE(print(wish).empty());
  }
}

TEST(AnyBytes, DimensionsThatDoNotExistAreNamed) {
  const LegalSpec legal = *verify(*parse(kLegal[0]));
  for (std::size_t dim = kDims; dim < 256; ++dim) {
    const Binding binding = {static_cast<Dim>(dim), 1};
    EXPECT_EQ(refusal(bind(legal, {&binding, 1})), "bind.name ");
  }
}

// Legal, and more operands than fit in memory.
TEST(AnyBytes, AGroupOfAnySizeIsCalled) {
  const KernelSpec spec = *parse(
      "a5:comm.tscatter src=u8[2147483647x1] dst=u8[1x1] stage=u8[1x32|?x?] ranks=2147483647 "
      "root=0");
  ASSERT_EQ(refusal(verify(spec)), "");
  EXPECT_EQ(refusal(call(spec, {})), "call.buffer ");
}

}  // namespace
}  // namespace pto::jit::tests
