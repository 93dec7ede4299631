#include "tests/support/spoiled_text.h"

#include <string_view>

namespace pto::jit::tests {
namespace {

std::size_t place(const std::string& text, Random& random) { return random.below(text.size() + 1); }

// The digit at or after `at` becomes another one, so that the text stays readable.
void change_digit(std::string& text, std::size_t at, Random& random) {
  const std::size_t digit = text.find_first_of("0123456789", at);
  if (digit == std::string::npos) return;
  if (random.below(3) == 0) text.insert(digit, 1 + random.below(12), text[digit]);
  text[digit] = static_cast<char>('0' + random.below(10));
}

void spoil_once(std::string& text, Random& random) {
  const std::size_t at = place(text, random);
  const std::size_t length = 1 + random.below(6);
  switch (random.below(14)) {
    case 0: text.insert(at, 1, any_byte(random)); break;
    case 1: text.erase(at, length); break;
    case 2:
      if (at < text.size()) text[at] = any_byte(random);
      break;
    case 3: text.insert(at, text.substr(at, length)); break;
    case 4: text.resize(at); break;
    case 5: text.insert(at, std::string(1 + random.below(40), any_byte(random))); break;
    case 6: text.insert(at, text.substr(place(text, random), length)); break;
    default: change_digit(text, at, random); break;
  }
}

}  // namespace

char any_byte(Random& random) {
  static constexpr std::string_view kLikely = "0123456789x?|@[]:.= srcidxtabledstf32i8ucmnz_\t";
  if (random.below(4) != 0) return kLikely[random.below(kLikely.size())];
  return static_cast<char>(random.below(256));
}

std::string spoiled(std::string text, Random& random) {
  const std::size_t times = 1 + random.below(4);
  for (std::size_t i = 0; i < times; ++i) spoil_once(text, random);
  return text;
}

}  // namespace pto::jit::tests
