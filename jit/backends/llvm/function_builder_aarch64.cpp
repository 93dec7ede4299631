// What only aarch64 has: bytes looked up in registers, and SVE's gathers and predicates. Its
// vectors are as long as the machine's; of one, as many lanes are used as a vector of known length
// has.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAArch64.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "jit/backends/llvm/function_builder.h"

namespace pto::jit::llvm_backend {
namespace {

constexpr unsigned kLanes = kSveGranule / 4;  // of 32 bits, in what vectors of SVE are made of

llvm::Type* scalable(llvm::Type* scalar) { return llvm::ScalableVectorType::get(scalar, kLanes); }

// What SVE calls so many lanes: itself up to eight, then by powers of two.
unsigned pattern(int lanes) {
  const auto count = static_cast<unsigned>(lanes);
  return count <= 8 ? count : 5 + static_cast<unsigned>(std::countr_zero(count));
}

// Lanes of a vector of known length, from one on, as one of SVE; and the first lanes of one.
Value to_scalable(llvm::IRBuilder<>& builder, Value vector, int from, int lanes) {
  llvm::Type* scalar = vector->getType()->getScalarType();
  auto* part = llvm::FixedVectorType::get(scalar, static_cast<unsigned>(lanes));
  const Value taken =
      builder.CreateExtractVector(part, vector, builder.getInt64(static_cast<std::uint64_t>(from)));
  return builder.CreateInsertVector(scalable(scalar), llvm::PoisonValue::get(scalable(scalar)),
                                    taken, builder.getInt64(0));
}
Value from_scalable(llvm::IRBuilder<>& builder, Value vector, int lanes) {
  auto* part =
      llvm::FixedVectorType::get(vector->getType()->getScalarType(), static_cast<unsigned>(lanes));
  return builder.CreateExtractVector(part, vector, builder.getInt64(0));
}

// No more than `lanes`, for the machine's vectors may be longer.
Value first_lanes(llvm::IRBuilder<>& builder, Value count, int lanes) {
  const Value most = builder.getInt64(static_cast<std::uint64_t>(lanes));
  const Value there = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, most);
  return builder.CreateIntrinsic(llvm::Intrinsic::aarch64_sve_whilelo,
                                 {scalable(builder.getInt1Ty()), count->getType()},
                                 {builder.getInt64(0), there});
}

}  // namespace

Value FunctionBuilder::looked_up(std::span<const Value> vectors, Value numbers) {
  constexpr int kBytes = 16;
  constexpr std::array kLookUps = {
      llvm::Intrinsic::aarch64_neon_tbl1, llvm::Intrinsic::aarch64_neon_tbl2,
      llvm::Intrinsic::aarch64_neon_tbl3, llvm::Intrinsic::aarch64_neon_tbl4};
  llvm::IRBuilder<> builder(here());
  const int lanes = lanes_of(numbers);
  if (lanes < kBytes) return with_lanes(looked_up(vectors, with_lanes(numbers, kBytes)), lanes);
  llvm::Type* part = type({Scalar::I8, kBytes});
  Value out = llvm::PoisonValue::get(numbers->getType());
  for (int at = 0; at < lanes; at += kBytes) {
    const Value first = number(at);
    std::vector<Value> operands(vectors.begin(), vectors.end());
    operands.push_back(builder.CreateExtractVector(part, numbers, first));
    const Value found = builder.CreateIntrinsic(kLookUps[vectors.size() - 1], {part}, operands);
    out = builder.CreateInsertVector(numbers->getType(), out, found, first);
  }
  return out;
}

Value FunctionBuilder::gathered_below(const Gathering& from, Value compared, std::uint64_t limit) {
  llvm::IRBuilder<> builder(here());
  const int all = lanes_of(from.numbers);
  const int lanes = std::min(all, from.vector_lanes);
  llvm::Type* words = scalable(builder.getInt32Ty());
  const Value whole =
      builder.CreateIntrinsic(llvm::Intrinsic::aarch64_sve_ptrue, {scalable(builder.getInt1Ty())},
                              {builder.getInt32(pattern(lanes))});
  const Value limits = builder.CreateVectorSplat(
      llvm::ElementCount::getScalable(kLanes), builder.getInt32(static_cast<std::uint32_t>(limit)));
  const auto load = from.scale > 1 ? llvm::Intrinsic::aarch64_sve_ld1_gather_uxtw_index
                                   : llvm::Intrinsic::aarch64_sve_ld1_gather_uxtw;
  Value out = llvm::PoisonValue::get(from.numbers->getType());
  for (int at = 0; at < all; at += lanes) {
    Value live = whole;
    if (compared) {
      const Value here = to_scalable(builder, compared, at, lanes);
      live = builder.CreateIntrinsic(llvm::Intrinsic::aarch64_sve_cmphi, {words},
                                     {whole, limits, here});
    }
    const Value numbers = to_scalable(builder, from.numbers, at, lanes);
    const Value loaded =
        builder.CreateIntrinsic(load, {scalable(type({from.element}))}, {live, from.base, numbers});
    const Value part = from_scalable(builder, builder.CreateZExt(loaded, words), lanes);
    out = builder.CreateInsertVector(from.numbers->getType(), out, part, number(at));
  }
  return out;
}

Value FunctionBuilder::load_words(Value from, int lanes, Value count) {
  llvm::IRBuilder<> builder(here());
  const Value loaded =
      builder.CreateIntrinsic(llvm::Intrinsic::aarch64_sve_ld1, {scalable(builder.getInt32Ty())},
                              {first_lanes(builder, count, lanes), from});
  return from_scalable(builder, loaded, lanes);
}

// As words of which the lower parts are stored: lanes that are shorter lie otherwise.
void FunctionBuilder::store_some(Value vector, Value to, Value count) {
  llvm::IRBuilder<> builder(here());
  llvm::Type* elements = scalable(vector->getType()->getScalarType());
  const int lanes = lanes_of(vector);
  const Value words = to_scalable(builder, extended(vector, Scalar::I32), 0, lanes);
  builder.CreateIntrinsic(
      llvm::Intrinsic::aarch64_sve_st1, {elements},
      {builder.CreateTrunc(words, elements), first_lanes(builder, count, lanes), to});
}

}  // namespace pto::jit::llvm_backend
