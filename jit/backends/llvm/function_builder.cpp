#include "jit/backends/llvm/function_builder.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <numeric>
#include <vector>

#include "runtime/invariant.h"

namespace pto::jit::llvm_backend {
namespace {

const llvm::Align kAnyAlignment(1);

bool is_constant(Value value, std::uint64_t number) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(value);
  return known && known->equalsInt(number);
}

llvm::Function* make_function(llvm::Module& module, const std::string& symbol,
                              const MachineTarget& target) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* frame = llvm::PointerType::getUnqual(context);
  auto* signature = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {frame}, false);
  auto* made = llvm::Function::Create(signature, llvm::Function::ExternalLinkage, symbol, module);
  made->setDoesNotThrow();
  made->addFnAttr("prefer-vector-width", "512");
  if (!target.cpu.empty()) made->addFnAttr("target-cpu", target.cpu);
  if (!target.features.empty()) made->addFnAttr("target-features", target.features);
  if (target.sve_bytes > 0) {
    const auto scale = static_cast<unsigned>(target.sve_bytes / kSveGranule);
    made->addFnAttr(llvm::Attribute::getWithVScaleRangeArgs(context, scale, scale));
  }
  made->getArg(0)->setName("frame");
  return made;
}

}  // namespace

struct FunctionBuilder::State {
  explicit State(const std::string& name) : module(name, context), builder(context) {}

  llvm::LLVMContext context;
  llvm::Module module;
  llvm::IRBuilder<> builder;
  std::int64_t stack = 0;  // bytes
};

std::int64_t Room::within(std::int64_t at, std::int64_t count) const {
  if (at < 0 || count < 0 || at + count > bytes)
    broken_invariant("a kernel would leave its memory on the stack");
  return at;
}

FunctionBuilder::FunctionBuilder(const std::string& symbol, const MachineTarget& target,
                                 const std::string& data_layout)
    : state_(std::make_unique<State>(symbol)) {
  state_->module.setTargetTriple(target.triple);
  state_->module.setDataLayout(data_layout);
  llvm::Function* function = make_function(state_->module, symbol, target);
  enter(llvm::BasicBlock::Create(state_->context, "", function));
}

FunctionBuilder::~FunctionBuilder() = default;

void FunctionBuilder::finish() { state_->builder.CreateRetVoid(); }
llvm::Module& FunctionBuilder::module() { return state_->module; }

Value FunctionBuilder::named(Value value, const std::string& name) {
  if (!llvm::isa<llvm::Constant>(value)) value->setName(name);
  return value;
}
Value FunctionBuilder::parameter() { return here()->getParent()->getArg(0); }
Value FunctionBuilder::number(std::int64_t value) {
  return state_->builder.getInt64(static_cast<std::uint64_t>(value));
}
Value FunctionBuilder::flag(bool value) { return state_->builder.getInt1(value); }

Value FunctionBuilder::constant(std::uint64_t bits, Value like) {
  llvm::Type* scalar = like->getType()->getScalarType();
  const unsigned width = scalar->getScalarSizeInBits();
  const llvm::APInt pattern(width, bits);
  if (scalar->isIntegerTy()) return llvm::ConstantInt::get(like->getType(), pattern);
  return llvm::ConstantFP::get(like->getType(), llvm::APFloat(scalar->getFltSemantics(), pattern));
}

Value FunctionBuilder::add(Value a, Value b) { return state_->builder.CreateAdd(a, b); }
Value FunctionBuilder::sub(Value a, Value b) { return state_->builder.CreateSub(a, b); }
Value FunctionBuilder::mul(Value a, Value b) {
  if (is_constant(a, 1)) return b;
  return is_constant(b, 1) ? a : state_->builder.CreateMul(a, b);
}
Value FunctionBuilder::quotient(Value a, Value b) { return state_->builder.CreateUDiv(a, b); }
Value FunctionBuilder::remainder(Value a, Value b) { return state_->builder.CreateURem(a, b); }

Value FunctionBuilder::high_product(Value a, Value b) {
  const unsigned width = a->getType()->getScalarSizeInBits();
  llvm::Type* twice = a->getType()->getExtendedType();
  const Value wide_a = state_->builder.CreateZExt(a, twice);
  const Value wide_b = state_->builder.CreateZExt(b, twice);
  const Value product = state_->builder.CreateMul(wide_a, wide_b);
  return state_->builder.CreateTrunc(state_->builder.CreateLShr(product, width), a->getType());
}

Value FunctionBuilder::shift_left(Value a, unsigned by) { return state_->builder.CreateShl(a, by); }
Value FunctionBuilder::shift_right(Value a, unsigned by) {
  return state_->builder.CreateLShr(a, by);
}
Value FunctionBuilder::both(Value a, Value b) { return state_->builder.CreateAnd(a, b); }
Value FunctionBuilder::either(Value a, Value b) { return state_->builder.CreateOr(a, b); }
Value FunctionBuilder::least(Value a, Value b) {
  return state_->builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
}
Value FunctionBuilder::leading_zeros(Value a) {
  return state_->builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, a, state_->builder.getTrue());
}
Value FunctionBuilder::trailing_zeros(Value a) {
  return state_->builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, a, state_->builder.getTrue());
}
Value FunctionBuilder::power_of_two(Value exponent) {
  return state_->builder.CreateShl(constant(1, exponent), exponent);
}

Value FunctionBuilder::add_float(Value a, Value b) { return state_->builder.CreateFAdd(a, b); }
Value FunctionBuilder::mul_float(Value a, Value b) { return state_->builder.CreateFMul(a, b); }

Value FunctionBuilder::is_below(Value a, Value b) { return state_->builder.CreateICmpULT(a, b); }
Value FunctionBuilder::is_equal(Value a, Value b) { return state_->builder.CreateICmpEQ(a, b); }
Value FunctionBuilder::is_less_signed(Value a, Value b) {
  return state_->builder.CreateICmpSLT(a, b);
}
Value FunctionBuilder::is_less_float(Value a, Value b) {
  return state_->builder.CreateFCmpOLT(a, b);
}
Value FunctionBuilder::is_nan(Value a) { return state_->builder.CreateFCmpUNO(a, a); }
Value FunctionBuilder::is_aligned(Value pointer, std::uint64_t bytes) {
  return is_zero(both(address(pointer), bytes - 1));
}
Value FunctionBuilder::is_not(Value flag) { return state_->builder.CreateNot(flag); }
Value FunctionBuilder::bits_of(Value flags) {
  auto* bits = state_->builder.getIntNTy(static_cast<unsigned>(lanes_of(flags)));
  return state_->builder.CreateZExt(state_->builder.CreateBitCast(flags, bits),
                                    state_->builder.getInt64Ty());
}
Value FunctionBuilder::any(Value flags) { return state_->builder.CreateOrReduce(flags); }
Value FunctionBuilder::greatest(Value vector) { return state_->builder.CreateIntMaxReduce(vector); }
Value FunctionBuilder::choose(Value flag, Value yes, Value no) {
  return state_->builder.CreateSelect(flag, yes, no);
}
Value FunctionBuilder::choose_unguessed(Value flag, Value yes, Value no) {
  const Value chosen = state_->builder.CreateSelect(flag, yes, no);
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(chosen)) {
    made->setMetadata(llvm::LLVMContext::MD_unpredictable,
                      llvm::MDBuilder(state_->context).createUnpredictable());
  }
  return chosen;
}

Value FunctionBuilder::extended(Value a, Scalar to) {
  return state_->builder.CreateZExt(a, lanes_like(a, to));
}
Value FunctionBuilder::cut(Value a, Scalar to) {
  return state_->builder.CreateTrunc(a, lanes_like(a, to));
}
Value FunctionBuilder::same_bits(Value a, Scalar to) {
  return state_->builder.CreateBitCast(a, lanes_like(a, to));
}
Value FunctionBuilder::as_single(Value half) {
  return state_->builder.CreateFPExt(half, lanes_like(half, Scalar::F32));
}
Value FunctionBuilder::as_half(Value single) {
  return state_->builder.CreateFPTrunc(single, lanes_like(single, Scalar::F16));
}

Value FunctionBuilder::lane(Value vector, int at) {
  return state_->builder.CreateExtractElement(vector, static_cast<std::uint64_t>(at));
}
Value FunctionBuilder::lane(Value vector, Value at) {
  return state_->builder.CreateExtractElement(vector, at);
}
Value FunctionBuilder::packed(std::span<const Value> lanes) {
  auto* made = llvm::FixedVectorType::get(lanes[0]->getType(), static_cast<unsigned>(lanes.size()));
  Value out = llvm::PoisonValue::get(made);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    out = state_->builder.CreateInsertElement(out, lanes[i], i);
  }
  return out;
}
Value FunctionBuilder::spread(Value single, Value like) {
  const int lanes = lanes_of(like);
  return lanes == 1 ? single
                    : state_->builder.CreateVectorSplat(static_cast<unsigned>(lanes), single);
}
Value FunctionBuilder::regrouped(Value vector, Scalar to) {
  const std::uint64_t bits = vector->getType()->getPrimitiveSizeInBits();
  const std::uint64_t lane = type({to})->getPrimitiveSizeInBits();
  return state_->builder.CreateBitCast(vector, type({to, static_cast<int>(bits / lane)}));
}
Value FunctionBuilder::opaque(Value number) {
  auto* signature = llvm::FunctionType::get(number->getType(), {number->getType()}, false);
  auto* nothing = llvm::InlineAsm::get(signature, "", "=r,0", false);
  return state_->builder.CreateCall(signature, nothing, {number});
}
Value FunctionBuilder::with_zeros_between(Value vector, int distance, int first) {
  const int lanes = lanes_of(vector);
  if (lanes == 1) vector = packed({&vector, 1});
  std::vector<int> from(static_cast<std::size_t>(lanes * distance), lanes);  // a zero
  for (int i = 0; i < lanes; ++i) from[static_cast<std::size_t>(i * distance + first)] = i;
  return state_->builder.CreateShuffleVector(vector,
                                             llvm::Constant::getNullValue(vector->getType()), from);
}
Value FunctionBuilder::interleaved(Value vector, int distance, int first) {
  const int lanes = lanes_of(vector);
  const auto all = static_cast<std::size_t>(lanes * distance);
  std::vector<int> side_by_side(all, lanes);  // a zero
  std::iota(side_by_side.begin() + first * lanes, side_by_side.begin() + (first + 1) * lanes, 0);
  const Value zeros = llvm::Constant::getNullValue(vector->getType());
  std::vector<int> in_turn;
  for (int i = 0; i < lanes * distance; ++i) in_turn.push_back(i % distance * lanes + i / distance);
  return state_->builder.CreateShuffleVector(
      state_->builder.CreateShuffleVector(vector, zeros, side_by_side), in_turn);
}
Value FunctionBuilder::rotated(Value vector, int by) {
  const int lanes = lanes_of(vector);
  std::vector<int> from(static_cast<std::size_t>(lanes));
  for (int i = 0; i < lanes; ++i) from[static_cast<std::size_t>(i)] = (i + by) % lanes;
  return state_->builder.CreateShuffleVector(vector, from);
}
Value FunctionBuilder::with_lanes(Value vector, int lanes) {
  const int before = lanes_of(vector);
  if (lanes == before) return vector;
  if (before == 1) vector = packed({&vector, 1});
  std::vector<int> from(static_cast<std::size_t>(lanes), llvm::PoisonMaskElem);
  std::iota(from.begin(), from.begin() + std::min(lanes, before), 0);
  return state_->builder.CreateShuffleVector(vector, from);
}
Value FunctionBuilder::with_zeros(Value vector, int lanes) {
  if (lanes_of(vector) == 1) vector = packed({&vector, 1});
  const int before = lanes_of(vector);
  std::vector<int> from(static_cast<std::size_t>(lanes), before);
  std::iota(from.begin(), from.begin() + before, 0);
  return state_->builder.CreateShuffleVector(vector,
                                             llvm::Constant::getNullValue(vector->getType()), from);
}
Value FunctionBuilder::shift_right(Value a, Value by) { return state_->builder.CreateLShr(a, by); }
Value FunctionBuilder::looked_up(Value first, Value second, Value numbers) {
  const bool is_word = first->getType()->getScalarSizeInBits() == 32;
  if (!second) {
    const auto one = is_word ? llvm::Intrinsic::x86_avx512_permvar_si_512
                             : llvm::Intrinsic::x86_avx512_permvar_hi_512;
    return state_->builder.CreateIntrinsic(one, {}, {first, numbers});
  }
  const auto both = is_word ? llvm::Intrinsic::x86_avx512_vpermi2var_d_512
                            : llvm::Intrinsic::x86_avx512_vpermi2var_hi_512;
  return state_->builder.CreateIntrinsic(both, {}, {first, numbers, second});
}
int FunctionBuilder::lanes_of(Value value) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return vector ? static_cast<int>(vector->getNumElements()) : 1;
}

Value FunctionBuilder::address(Value pointer) {
  return state_->builder.CreatePtrToInt(pointer, state_->builder.getInt64Ty());
}
Value FunctionBuilder::moved(Value pointer, Value bytes) {
  if (is_constant(bytes, 0)) return pointer;
  return state_->builder.CreatePtrAdd(pointer, bytes);
}
Value FunctionBuilder::moved(Value pointer, std::int64_t bytes) {
  return moved(pointer, number(bytes));
}
Value FunctionBuilder::load(Type from_type, Value from) {
  return state_->builder.CreateAlignedLoad(type(from_type), from, kAnyAlignment);
}
void FunctionBuilder::store(Value value, Value to) {
  state_->builder.CreateAlignedStore(value, to, kAnyAlignment);
}
void FunctionBuilder::store_around_caches(Value value, Value to) {
  const llvm::Align whole(value->getType()->getPrimitiveSizeInBits() / 8);
  llvm::StoreInst* made = state_->builder.CreateAlignedStore(value, to, whole);
  llvm::Metadata* one = llvm::ConstantAsMetadata::get(state_->builder.getInt32(1));
  made->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(state_->context, one));
}
void FunctionBuilder::fence_stores() {
  state_->builder.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
}
void FunctionBuilder::ask_for(Value pointer, bool to_write, bool is_early) {
  const auto number32 = [&](unsigned value) { return state_->builder.getInt32(value); };
  constexpr unsigned kData = 1;
  state_->builder.CreateIntrinsic(
      llvm::Intrinsic::prefetch, {pointer->getType()},
      {pointer, number32(to_write ? 1 : 0), number32(is_early ? 2 : 3), number32(kData)});
}
Value FunctionBuilder::zero(Type of) { return llvm::Constant::getNullValue(type(of)); }
Room FunctionBuilder::room(std::int64_t bytes) {
  state_->stack += bytes;
  if (state_->stack > kMostStack) broken_invariant("a kernel needs more stack than there is");
  llvm::BasicBlock& entry = here()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_start(&entry, entry.begin());
  auto* made = at_start.CreateAlloca(
      llvm::ArrayType::get(at_start.getInt8Ty(), static_cast<std::uint64_t>(bytes)));
  made->setAlignment(llvm::Align(16));
  return {made, bytes};
}
void FunctionBuilder::copy_bytes(Value to, Value from, Value bytes) {
  state_->builder.CreateMemCpy(to, kAnyAlignment, from, kAnyAlignment, bytes);
}
void FunctionBuilder::clear_bytes(Value to, Value bytes) {
  state_->builder.CreateMemSet(to, state_->builder.getInt8(0), bytes, kAnyAlignment);
}

llvm::Type* FunctionBuilder::type(Type of) {
  llvm::Type* scalar = nullptr;
  switch (of.scalar) {
    case Scalar::I8: scalar = state_->builder.getInt8Ty(); break;
    case Scalar::I16: scalar = state_->builder.getInt16Ty(); break;
    case Scalar::I32: scalar = state_->builder.getInt32Ty(); break;
    case Scalar::I64: scalar = state_->builder.getInt64Ty(); break;
    case Scalar::F16: scalar = state_->builder.getHalfTy(); break;
    case Scalar::F32: scalar = state_->builder.getFloatTy(); break;
    case Scalar::Pointer: scalar = state_->builder.getPtrTy(); break;
  }
  if (of.lanes == 1) return scalar;
  return llvm::FixedVectorType::get(scalar, static_cast<unsigned>(of.lanes));
}

llvm::Type* FunctionBuilder::lanes_like(Value like, Scalar scalar) {
  return type({scalar, lanes_of(like)});
}

Block FunctionBuilder::new_block() {
  return llvm::BasicBlock::Create(state_->context, "", here()->getParent());
}
Block FunctionBuilder::here() { return state_->builder.GetInsertBlock(); }
void FunctionBuilder::enter(Block block) { state_->builder.SetInsertPoint(block); }
void FunctionBuilder::jump(Block to) { state_->builder.CreateBr(to); }
void FunctionBuilder::branch(Value flag, Block yes, Block no) {
  state_->builder.CreateCondBr(flag, yes, no);
}
Value FunctionBuilder::new_phi(Value like) { return state_->builder.CreatePHI(like->getType(), 2); }
void FunctionBuilder::feed(Value phi, Value value, Block from) {
  llvm::cast<llvm::PHINode>(phi)->addIncoming(value, from);
}

}  // namespace pto::jit::llvm_backend
