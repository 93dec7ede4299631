#include "jit/backends/xbyak/assembler.h"

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "ir/frame.h"

namespace pto::jit::xbyak {
namespace {

// A plan that needs more than there is: a broken invariant, for plans are bounded.
[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "pto-jit: the assembler ran out of %s\n", what);
  std::abort();
}

bool fits_imm32(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

std::size_t extent_offset(Dim dim) {
  return offsetof(Frame, extents) + static_cast<std::size_t>(dim) * sizeof(std::int64_t);
}

}  // namespace

Loan::Loan(Assembler& from, int index) : from_(&from), index_(index) {
  ++from.loans_[static_cast<std::size_t>(index)];
}
Loan::Loan(const Loan& other) : from_(other.from_), index_(other.index_) {
  if (!is_none()) ++from_->loans_[static_cast<std::size_t>(index_)];
}
Loan::~Loan() {
  if (!is_none()) --from_->loans_[static_cast<std::size_t>(index_)];
}

std::size_t StackSlot::within(std::int64_t at, std::int64_t count) const {
  if (at < 0 || count < 0 || at + count > bytes) give_up("its memory on the stack");
  return static_cast<std::size_t>(offset + at);
}

// Some compilers name a template with its arguments.
void Verb::note() const {
  const std::string_view name(name_);
  const std::size_t end = asked_->getSize();
  if (begin_ < end)
    asked_->notes_->written.push_back({name.substr(0, name.find('<')), begin_, end});
}

void Assembler::prologue() {
  saves_at_ = getSize();
  nop(kSaveBytes * (kPool.size() - kFirstSaved));
  stack_at_ = getSize();
  nop(kStackBytes);
}

void Assembler::epilogue() {
  const Verb verb(*this);
  if (uses_wide_) vzeroupper();
  stack_ = (stack_ + 15) & ~15;
  if (stack_ > kMaxStack) give_up("stack");
  if (stack_ > 0) add(rsp, stack_);
  for (std::size_t i = kPool.size(); i-- > kFirstSaved;) {
    if (was_used_[static_cast<std::size_t>(kPool[i])]) pop(Xbyak::Reg64(kPool[i]));
  }
  ret();
  std::size_t here = saves_at_;
  for (std::size_t i = kFirstSaved; i < kPool.size(); ++i) {
    if (!was_used_[static_cast<std::size_t>(kPool[i])]) continue;
    patch(here,
          {static_cast<std::uint8_t>(0x40 + (kPool[i] >> 3)),
           static_cast<std::uint8_t>(0x50 + (kPool[i] & 7))},
          kSaveBytes);  // push, with a prefix for the upper registers and an empty one for the rest
    here += kSaveBytes;
  }
  if (stack_ == 0) return patch_nops(here, stack_at_ + kStackBytes);
  patch_nops(here, stack_at_);
  const auto bytes = static_cast<std::uint32_t>(stack_);
  patch(stack_at_,
        {0x48, 0x81, 0xec, static_cast<std::uint8_t>(bytes), static_cast<std::uint8_t>(bytes >> 8),
         0, 0},
        kStackBytes);  // sub rsp, imm32
}

void Assembler::patch(std::size_t where, const std::array<std::uint8_t, 9>& bytes,
                      std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) rewrite(where + i, bytes[i], 1);
}

void Assembler::patch_nops(std::size_t begin, std::size_t end) {
  constexpr std::array<std::array<std::uint8_t, 9>, 10> kNops = {{
      {},
      {0x90},
      {0x66, 0x90},
      {0x0f, 0x1f, 0x00},
      {0x0f, 0x1f, 0x40, 0x00},
      {0x0f, 0x1f, 0x44, 0x00, 0x00},
      {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},
      {0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00},
      {0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
      {0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
  }};
  while (begin < end) {
    const std::size_t length = std::min<std::size_t>(end - begin, 9);
    patch(begin, kNops[length], length);
    begin += length;
  }
}

Loan Assembler::take() {
  for (const int index : kPool) {
    const auto i = static_cast<std::size_t>(index);
    if (loans_[i] > 0) continue;
    was_used_[i] = true;
    return Loan(*this, index);
  }
  give_up("registers");
}

StackSlot Assembler::new_slot() { return new_area(8); }

StackSlot Assembler::new_area(int bytes) {
  const StackSlot slot{stack_, bytes};
  stack_ += bytes;
  return slot;
}

Xbyak::Address Assembler::string_save(std::size_t i) {
  if (!string_saves_) string_saves_ = new_area(24);
  return qword[rsp + string_saves_->within(static_cast<std::int64_t>(i) * 8, 8)];
}

void Assembler::multiply_rax(std::int64_t factor) {
  if (factor == 1) return;
  if (fits_imm32(factor)) return imul(rax, rax, static_cast<int>(factor));
  mov(rdx, factor);
  imul(rax, rdx);
}

void Assembler::keep(const Amount& amount) {
  if (amount.is_static()) return;
  for (std::size_t i = 0; i < kept_count_; ++i) {
    if (kept_[i].first == amount) return;
  }
  if (kept_count_ == kept_.size()) give_up("places for amounts");
  mov(rax, qword[at.frame + extent_offset(amount.dims[0])]);
  for (std::size_t i = 1; i < amount.count; ++i)
    imul(rax, qword[at.frame + extent_offset(amount.dims[i])]);
  serving(Purpose::Factor, [&] { multiply_rax(amount.factor); });
  const StackSlot slot = new_slot();
  mov((*this)[slot], rax);
  kept_[kept_count_++] = {amount, slot};
}

StackSlot Assembler::slot_of(const Amount& amount) const {
  for (std::size_t i = 0; i < kept_count_; ++i) {
    if (kept_[i].first == amount) return kept_[i].second;
  }
  give_up("kept amounts");
}

void Assembler::load_constant(const Xbyak::Reg64& to, std::int64_t value) {
  if (value == 0) return xor_(to.cvt32(), to.cvt32());
  if (value > 0 && value <= 0xffffffffll) return mov(to.cvt32(), static_cast<std::uint32_t>(value));
  mov(to, value);
}

void Assembler::load(const Xbyak::Reg64& to, const Amount& amount) {
  if (amount.is_static()) return load_constant(to, amount.factor);
  load_whole(to, at_slot(slot_of(amount)));
}

void Assembler::add_amount(const Xbyak::Reg64& to, const Amount& amount) {
  if (amount.is(0)) return;
  if (!amount.is_static()) return add_whole(to, at_slot(slot_of(amount)));
  if (fits_imm32(amount.factor)) return add(to, static_cast<int>(amount.factor));
  mov(rax, amount.factor);
  add(to, rax);
}

void Assembler::compare(const Xbyak::Reg64& value, const Amount& amount) {
  if (!amount.is_static()) return compare_whole(value, at_slot(slot_of(amount)));
  if (fits_imm32(amount.factor)) return cmp(value, static_cast<int>(amount.factor));
  mov(rax, amount.factor);
  cmp(value, rax);
}

}  // namespace pto::jit::xbyak
