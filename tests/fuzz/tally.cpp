#include "tests/fuzz/tally.h"

#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "targets/profile.h"

namespace pto::jit::tests {
namespace {

std::string operation_word(const Operation& operation, Target target) {
  return std::string(operation.form) + " for " + std::string(name_of(target));
}

// That the last writer wins goes without saying in canonical specs.
bool is_written(const Suffix& suffix) {
  return suffix.kind != SuffixKind::Conflict ||
         suffix.value != static_cast<std::uint8_t>(Conflict::Last);
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return std::to_string(part) + " (" + std::to_string(whole == 0 ? 0 : 100 * part / whole) + " %)";
}

}  // namespace

std::vector<std::string> words_of(const KernelSpec& spec) {
  std::vector<std::string> out = {operation_word(operation_of(spec.op), spec.target),
                                  std::string(name_of(element_dtype(spec)))};
  for (const Suffix& suffix : all_suffixes()) {
    const bool is_there = has_suffix(spec.op, suffix.kind) && is_written(suffix) &&
                          suffix_value(spec, suffix.kind) == suffix.value;
    if (is_there) out.emplace_back(suffix.word);
  }
  return out;
}

std::vector<std::string> all_words() {
  std::vector<std::string> out;
  for (const Profile* profile : all_profiles()) {
    for (const Operation& operation : kOperations) {
      if (!profile->of(operation.op).dtypes.empty())
        out.push_back(operation_word(operation, profile->target));
    }
  }
  for (const DTypeInfo& dtype : kDTypes) out.emplace_back(dtype.name);
  for (const Suffix& suffix : all_suffixes()) {
    if (is_written(suffix)) out.emplace_back(suffix.word);
  }
  return out;
}

void Tally::add_compiled(const KernelSpec& spec) {
  ++compiled;
  for (const std::string& word : words_of(spec)) ++words[word];
}

std::vector<std::string> Tally::missing() const {
  std::vector<std::string> out;
  for (std::string& word : all_words()) {
    if (!words.contains(word)) out.push_back(std::move(word));
  }
  return out;
}

std::string Tally::print() const {
  std::string out = std::to_string(inputs) + " inputs, specs " + share(specs, inputs) + ", legal " +
                    share(legal, inputs) + ", compiled " + share(compiled, inputs) + ", run " +
                    share(run, inputs) + "\ncompiled:";
  for (const auto& [word, count] : words) out += " " + word + " " + std::to_string(count) + ",";
  out.back() = '\n';
  return out + combinations.print();
}

}  // namespace pto::jit::tests
