// Tables by enumerator: a set of enumerators, which is a column of a capability table, and a row
// for whatever value an enum may have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace pto::jit {

template <class Enum>
class EnumSet {
 public:
  constexpr EnumSet() = default;
  constexpr EnumSet(std::initializer_list<Enum> members) {  // NOLINT(google-explicit-constructor)
    for (const Enum member : members) bits_ |= bit(member);
  }

  constexpr bool contains(Enum member) const { return (bits_ & bit(member)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr EnumSet operator|(EnumSet other) const { return EnumSet(bits_ | other.bits_); }
  constexpr bool operator==(const EnumSet&) const = default;

  // Calls `visit` with each member, lowest first.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for (unsigned i = 0; i < 32; ++i) {
      if ((bits_ >> i) & 1u) visit(static_cast<Enum>(i));
    }
  }

  constexpr Enum first() const { return static_cast<Enum>(__builtin_ctz(bits_)); }

 private:
  constexpr explicit EnumSet(std::uint32_t bits) : bits_(bits) {}
  static constexpr std::uint32_t bit(Enum member) { return 1u << static_cast<unsigned>(member); }

  std::uint32_t bits_ = 0;
};

// The row of a value, `none` for one that its enum does not have. Both outlive the answer.
template <class Rows, class Enum>
constexpr const typename Rows::value_type& row_of(const Rows& rows, Enum value,
                                                  const typename Rows::value_type& none) {
  const auto at = static_cast<std::size_t>(value);
  return at < rows.size() ? rows[at] : none;
}

}  // namespace pto::jit
