#include "jit/backends/xbyak/jumps.h"

#include <cstring>

namespace pto::jit::xbyak {
namespace {

constexpr std::uint8_t kAlways = 0xeb;
constexpr std::uint32_t kShortBytes = 2;  // of a short jump
constexpr std::uint32_t kShortAhead = 127;
constexpr std::uint32_t kShortBack = 128;

}  // namespace

void Jumps::ready() const {
  if (awaiting_ != 0) throw Xbyak::Error(Xbyak::ERR_LABEL_IS_NOT_FOUND);
}

void Jumps::L(Label& label) {
  if (label.is_known()) throw Xbyak::Error(Xbyak::ERR_LABEL_IS_REDEFINED);
  label.place_ = here();
  for (std::uint32_t end = label.far_; end != 0; --awaiting_) {
    const std::uint32_t distance = label.place_ - end;
    std::uint8_t* const bytes = top_ + end - sizeof distance;
    std::memcpy(&end, bytes, sizeof end);
    std::memcpy(bytes, &distance, sizeof distance);
  }
  for (std::uint32_t end = label.short_; end != 0; --awaiting_) {
    const std::uint32_t distance = label.place_ - end;
    if (distance > kShortAhead) throw Xbyak::Error(Xbyak::ERR_LABEL_IS_TOO_FAR);
    std::uint8_t& short_one = top_[end - 1];
    end = short_one != 0 ? end - short_one : 0;
    short_one = static_cast<std::uint8_t>(distance);
  }
}

void Jumps::refer(Label& label) {
  const std::uint32_t value = label.is_known() ? label.place_ - here() : label.far_;
  std::memcpy(top_ + here() - sizeof value, &value, sizeof value);
  if (label.is_known()) return;
  label.far_ = here();
  ++awaiting_;
}

// As `refer`, for the one byte just written. Two that await one place are not further apart than
// either reaches.
void Jumps::refer_short(Label& label) {
  std::uint8_t& short_one = top_[here() - 1];
  short_one = static_cast<std::uint8_t>(label.place_ - here());
  if (label.is_known()) return;
  const std::uint32_t before = label.short_ != 0 ? here() - label.short_ : 0;
  if (before > kShortAhead) throw Xbyak::Error(Xbyak::ERR_LABEL_IS_TOO_FAR);
  short_one = static_cast<std::uint8_t>(before);
  label.short_ = here();
  ++awaiting_;
}

void Jumps::jump(std::uint8_t short_code, Label& to, LabelType reach) {
  const bool reaches = !to.is_known() || here() + kShortBytes - to.place_ <= kShortBack;
  if (reach != T_NEAR && reaches) {
    db(short_code);
    db(0);
    return refer_short(to);
  }
  if (short_code != kAlways) db(0x0f);
  db(short_code == kAlways ? 0xe9 : short_code + 0x10);
  dd(0);
  refer(to);
}

}  // namespace pto::jit::xbyak
