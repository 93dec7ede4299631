#include "jit/backends/xbyak/strategy.h"

namespace pto::jit {

std::string print(const Strategy& strategy) {
  std::string out = "code for " + std::string(name_of(level_of(strategy))) + ", " +
                    std::to_string(strategy.group) + (strategy.group == 1 ? " index" : " indices") +
                    " at a time, by " + std::string(name_of(strategy.form));
  const auto add = [&](std::int64_t value, std::string_view before, std::string_view after) {
    if (value > 0) out += std::string(before) + std::to_string(value) + std::string(after);
  };
  if (strategy.singles && strategy.group > 1) out += ", each resolved by itself";
  if (strategy.vector) out += ", out of a vector";
  add(strategy.prefetch, ", prefetch ", " ahead");
  add(strategy.own_ahead, ", own slots asked for ", " ahead");
  if (strategy.lines > 1) add(strategy.lines, " ", " lines each");
  add(strategy.aside, ", out of range aside up to ", " bytes");
  if (strategy.over) out += ", groups of none in range jumped over";
  if (strategy.scan) out += ", as they are up to the first out of range";
  add(strategy.strip, ", then resolved ", " at once");
  add(strategy.halves, ", read by halves of lines up to ", " bytes");
  if (strategy.whole) out += ", runs from a whole line on";
  add(strategy.stream_from, ", around the caches from ", " bytes written to");
  add(strategy.string_from, ", rep movsb from ", " bytes");
  add(strategy.backward, ", newest first from ", " indices for 100 slots");
  return out;
}

}  // namespace pto::jit
