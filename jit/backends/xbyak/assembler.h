// The assembler every part of the emitter writes through: a code buffer, the feature level it may
// use, the registers by name, stack slots and a small pool.
#pragma once

#include <xbyak/xbyak.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "ir/amount.h"
#include "jit/backends/xbyak/moves.h"
#include "jit/backends/xbyak/notes.h"
#include "jit/backends/xbyak/vectors.h"

namespace pto::jit::xbyak {

// What generated code may use besides plain x86-64. AVX2 here always comes with F16C and BMI2.
struct Isa {
  bool avx2 = false;
  bool avx512 = false;
  bool fp16 = false;   // arithmetic on f16 itself
  bool whole = false;  // pieces of 64 bytes cost no more than those of 32

  int vector_bytes() const { return avx512 ? 64 : avx2 ? 32 : 16; }
};

// Where the walk stands and what it counts by. rax and rdx belong to whoever needs them next.
struct Registers {
  Xbyak::Reg64 frame{Xbyak::Operand::RDI};  // in the prologue only; then part of the pool
  Xbyak::Reg64 index{Xbyak::Operand::R8};
  Xbyak::Reg64 tile{Xbyak::Operand::R9};
  Xbyak::Reg64 table{Xbyak::Operand::R10};
  Xbyak::Reg64 count{Xbyak::Operand::R11};  // of the innermost loop
};

class Assembler;

// A register on loan from the pool, given back with its last copy.
class Loan {
 public:
  Loan() = default;
  Loan(Assembler& from, int index);
  Loan(const Loan& other);
  Loan(Loan&& other) noexcept : from_(other.from_), index_(std::exchange(other.index_, -1)) {}
  Loan& operator=(Loan other) noexcept {
    std::swap(from_, other.from_);
    std::swap(index_, other.index_);
    return *this;
  }
  ~Loan();

  bool is_none() const { return index_ < 0; }
  Xbyak::Reg64 reg() const { return Xbyak::Reg64(index_); }
  Xbyak::Reg32 low() const { return Xbyak::Reg32(index_); }

 private:
  Assembler* from_ = nullptr;
  int index_ = -1;
};

// A place on the stack, of eight bytes unless said. Whoever writes down an access to a longer one
// says how far it can go.
struct StackSlot {
  int offset = 0;
  int bytes = 0;

  // Bytes from the stack pointer to `at`; aborts unless the place holds `count` bytes from there
  // on.
  std::size_t within(std::int64_t at, std::int64_t count) const;
};

class Assembler : public Moves {
 public:
  static constexpr std::size_t kMaxCode = 64 * 1024;
  static constexpr int kMaxStack = 4096;

  Assembler(void* buffer, Isa level, Notes* notes = nullptr)
      : Moves(kMaxCode, buffer), isa(level), notes_(notes) {}

  const Isa isa;
  static constexpr Registers at{};
  static constexpr VectorRegisters vec{};
  static constexpr MaskRegisters mask{};

  // Code between prologue and epilogue may use slots and loans; both are patched in afterwards.
  void prologue();
  void epilogue();

  Loan take();
  StackSlot new_slot();
  StackSlot new_area(int bytes);  // `bytes` a multiple of eight
  Xbyak::Address operator[](StackSlot slot) { return qword[rsp + slot.offset]; }
  Address at_slot(StackSlot slot) const { return Address(rsp) + slot.offset; }

  // After the prologue: `amount` of the frame goes into a register, a comparison, a sum.
  void load(const Xbyak::Reg64& to, const Amount& amount);
  void add_amount(const Xbyak::Reg64& to, const Amount& amount);
  void compare(const Xbyak::Reg64& value, const Amount& amount);  // clobbers rax when it must
  void load_constant(const Xbyak::Reg64& to, std::int64_t value);

  // In the prologue, while the frame is at hand: runtime amounts move to the stack.
  void keep(const Amount& amount);
  StackSlot slot_of(const Amount& amount) const;

  // Notes what the code that `write` writes is there for.
  template <class Write>
  void serving(Purpose purpose, Write&& write) {
    serving_if(true, purpose, write);
  }
  template <class Write>
  void serving_if(bool serves, Purpose purpose, Write&& write) {
    const std::size_t begin = getSize();
    write();
    if (serves && notes_) notes_->served.push_back({purpose, begin, getSize()});
  }

  // Where a string instruction's registers, 0 to 2, are kept meanwhile.
  Xbyak::Address string_save(std::size_t i);

  // Tells the assembler that wide registers were touched, so that it cleans up behind.
  void uses_wide() { uses_wide_ = true; }

 private:
  friend class Loan;
  friend class Verb;
  static constexpr std::array<int, 9> kPool = {
      Xbyak::Operand::RCX, Xbyak::Operand::RSI, Xbyak::Operand::RDI,
      Xbyak::Operand::RBX, Xbyak::Operand::RBP, Xbyak::Operand::R12,
      Xbyak::Operand::R13, Xbyak::Operand::R14, Xbyak::Operand::R15};
  static constexpr std::size_t kFirstSaved = 3;  // from here on the caller's value must survive
  static constexpr std::size_t kSaveBytes = 2;   // of one push
  static constexpr std::size_t kStackBytes = 7;  // of the stack adjustment

  void multiply_rax(std::int64_t factor);  // clobbers rdx when it must
  void patch(std::size_t at, const std::array<std::uint8_t, 9>& bytes, std::size_t count);
  void patch_nops(std::size_t begin, std::size_t end);

  Notes* const notes_;  // if anybody asks
  std::array<std::uint8_t, 16> loans_{};
  std::array<bool, 16> was_used_{};
  int stack_ = 0;
  std::optional<StackSlot> string_saves_;
  std::size_t saves_at_ = 0;
  std::size_t stack_at_ = 0;
  bool uses_wide_ = false;
  std::array<std::pair<Amount, StackSlot>, 48> kept_{};
  std::size_t kept_count_ = 0;
};

// Notes, as long as it lives, that the function it is made in writes the code.
class Verb {
 public:
  explicit Verb(const Assembler& a, const char* name = __builtin_FUNCTION())
      : asked_(a.notes_ ? &a : nullptr), name_(name), begin_(asked_ ? a.getSize() : 0) {}
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;
  ~Verb() {
    if (asked_) [[unlikely]]
      note();
  }

 private:
  void note() const;

  const Assembler* const asked_;  // nothing: nobody asks
  const char* const name_;
  const std::size_t begin_;
};

}  // namespace pto::jit::xbyak
