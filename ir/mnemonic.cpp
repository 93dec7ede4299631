#include "ir/mnemonic.h"

#include <algorithm>
#include <array>

#include "ir/flaws.h"

namespace pto::jit {
namespace {

template <class Enum>
constexpr Suffix row(std::string_view word, SuffixKind kind, Enum value) {
  return {word, kind, static_cast<std::uint8_t>(value)};
}

// Values that are not written have no row.
constexpr std::array kSuffixes = {
    row("row", SuffixKind::Coalesce, Coalesce::Row),
    row("elem", SuffixKind::Coalesce, Coalesce::Elem),
    row("skip", SuffixKind::Oob, Oob::Skip),
    row("clamp", SuffixKind::Oob, Oob::Clamp),
    row("wrap", SuffixKind::Oob, Oob::Wrap),
    row("zero", SuffixKind::Oob, Oob::Zero),
    row("atomic_add", SuffixKind::Atomic, Atomic::Add),
    row("atomic_max", SuffixKind::Atomic, Atomic::Max),
    row("atomic_min", SuffixKind::Atomic, Atomic::Min),
    row("last", SuffixKind::Conflict, Conflict::Last),
    row("default", SuffixKind::Conflict, Conflict::Default),
    row("p1111", SuffixKind::Mask, MaskPattern::P1111),
    row("p0101", SuffixKind::Mask, MaskPattern::P0101),
    row("p1010", SuffixKind::Mask, MaskPattern::P1010),
    row("p0001", SuffixKind::Mask, MaskPattern::P0001),
    row("p0010", SuffixKind::Mask, MaskPattern::P0010),
    row("p0100", SuffixKind::Mask, MaskPattern::P0100),
    row("p1000", SuffixKind::Mask, MaskPattern::P1000),
    row("block", SuffixKind::Unit, Unit::Block),
    row("pingpong", SuffixKind::Staging, Staging::PingPong),
    row("ccu", SuffixKind::Engine, Engine::Ccu),
    row("audit", SuffixKind::Audit, true),
};

// All that the text of a spec has to know of a target.
struct TargetWords {
  std::string_view name;
  bool has_conflict_policy = false;
  std::array<std::string_view, 2> aliases{};
};

constexpr std::array<TargetWords, kTargets> kTargetWords = {{
    {.name = "cpu"},
    {.name = "a2a3", .aliases = {"a2", "a3"}},
    {.name = "a5", .has_conflict_policy = true},
}};

constexpr TargetWords kNoTarget = {.name = "nothing"};

const TargetWords& words_of(Target target) { return row_of(kTargetWords, target, kNoTarget); }

std::string_view word_of(SuffixKind kind, std::uint8_t value) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.kind == kind && suffix.value == value) return suffix.word;
  }
  return {};
}

template <class Enum>
std::string_view word_of(SuffixKind kind, Enum value) {
  return word_of(kind, static_cast<std::uint8_t>(value));
}

}  // namespace

std::span<const Suffix> all_suffixes() { return kSuffixes; }

const Suffix* suffix_named(std::string_view word) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.word == word) return &suffix;
  }
  return nullptr;
}

std::string_view name_of(Target target) { return words_of(target).name; }
std::string_view name_of(Op op) { return operation_of(op).text; }
std::string_view name_of(Coalesce coalesce) { return word_of(SuffixKind::Coalesce, coalesce); }
std::string_view name_of(Oob oob) {
  return oob == Oob::Undefined ? "undefined" : word_of(SuffixKind::Oob, oob);
}
std::string_view name_of(Atomic atomic) {
  if (atomic == Atomic::None) return "none";
  const std::string_view word = word_of(SuffixKind::Atomic, atomic);
  return word.substr(word.find('_') + 1);
}
std::string_view name_of(Conflict conflict) {
  return conflict == Conflict::Unstated ? "unstated" : word_of(SuffixKind::Conflict, conflict);
}
std::string_view name_of(MaskPattern pattern) { return word_of(SuffixKind::Mask, pattern); }
std::string_view name_of(TileLayout layout) {
  static constexpr std::array<std::string_view, 3> kNames = {"row-major", "column-major", "nz"};
  static constexpr std::string_view kNone = "nothing";
  return row_of(kNames, layout, kNone);
}
std::string_view name_of(TableLayout layout) { return layout == TableLayout::Nd ? "nd" : "nz"; }

std::optional<Target> target_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (std::size_t i = 0; i < kTargets; ++i) {
    const TargetWords& words = kTargetWords[i];
    if (words.name == name || std::ranges::count(words.aliases, name) > 0)
      return static_cast<Target>(i);
  }
  return std::nullopt;
}

std::string target_names() {
  std::string out;
  for (const TargetWords& words : kTargetWords)
    out.append(out.empty() ? "" : ", ").append(words.name);
  return out;
}

bool has_conflict_policy(Target target) { return words_of(target).has_conflict_policy; }

bool is_listed(Op op, const Suffix& suffix) {
  switch (suffix.kind) {
    case SuffixKind::Oob: return operation_of(op).policies.contains(static_cast<Oob>(suffix.value));
    case SuffixKind::Atomic:
    case SuffixKind::Conflict: return operation_of(op).combines;
    case SuffixKind::Coalesce:
    case SuffixKind::Mask:
    case SuffixKind::Unit:
    case SuffixKind::Staging:
    case SuffixKind::Engine:
    case SuffixKind::Audit: return form_with(op, suffix.kind) != nullptr;
  }
  return false;
}

std::uint8_t suffix_value(const KernelSpec& spec, SuffixKind kind) {
  switch (kind) {
    case SuffixKind::Coalesce: return static_cast<std::uint8_t>(spec.coalesce);
    case SuffixKind::Oob: return static_cast<std::uint8_t>(spec.oob);
    case SuffixKind::Atomic: return static_cast<std::uint8_t>(spec.atomic);
    case SuffixKind::Conflict: return static_cast<std::uint8_t>(spec.conflict);
    case SuffixKind::Mask: return static_cast<std::uint8_t>(spec.mask);
    case SuffixKind::Unit: return static_cast<std::uint8_t>(spec.unit);
    case SuffixKind::Staging: return static_cast<std::uint8_t>(spec.staging);
    case SuffixKind::Engine: return static_cast<std::uint8_t>(spec.engine);
    case SuffixKind::Audit: return byte_of(spec.audit);
  }
  return 0;
}

void set_suffix(KernelSpec& spec, const Suffix& suffix) {
  switch (suffix.kind) {
    case SuffixKind::Coalesce: spec.coalesce = static_cast<Coalesce>(suffix.value); break;
    case SuffixKind::Oob: spec.oob = static_cast<Oob>(suffix.value); break;
    case SuffixKind::Atomic: spec.atomic = static_cast<Atomic>(suffix.value); break;
    case SuffixKind::Conflict: spec.conflict = static_cast<Conflict>(suffix.value); break;
    case SuffixKind::Mask: spec.mask = static_cast<MaskPattern>(suffix.value); break;
    case SuffixKind::Unit: spec.unit = static_cast<Unit>(suffix.value); break;
    case SuffixKind::Staging: spec.staging = static_cast<Staging>(suffix.value); break;
    case SuffixKind::Engine: spec.engine = static_cast<Engine>(suffix.value); break;
    case SuffixKind::Audit: spec.audit = suffix.value != 0; break;
  }
}

std::string mnemonic(const KernelSpec& spec) {
  std::string out(name_of(spec.op));
  for (int kind = 0; kind <= static_cast<int>(SuffixKind::Audit); ++kind) {
    const SuffixKind suffix = static_cast<SuffixKind>(kind);
    if (!has_suffix(spec.op, suffix)) continue;
    const std::string_view word = word_of(suffix, suffix_value(spec, suffix));
    if (!word.empty()) out.append(".").append(word);
  }
  return out;
}

}  // namespace pto::jit
