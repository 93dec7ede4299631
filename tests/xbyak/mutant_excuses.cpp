#include "tests/xbyak/mutant_excuses.h"

#include <bit>
#include <cstdio>
#include <string>

#include "ir/frame.h"
#include "ir/interpreter.h"

namespace pto::jit::tests {
namespace {

// --- what must be true of the kernel ------------------------------------------------------------

bool skips(const Suspect& s) { return s.sample.plan.oob == Oob::Skip; }
bool wraps(const Suspect& s) { return s.sample.plan.oob == Oob::Wrap; }
bool is_undefined(const Suspect& s) { return s.sample.plan.oob == Oob::Undefined; }
bool zeroes(const Suspect& s) { return s.sample.plan.oob == Oob::Zero; }
bool replaces(const Suspect& s) { return s.sample.plan.combine == Atomic::None; }
bool adds_f16(const Suspect& s) { return s.sample.plan.number == DType::F16; }
bool adds_bf16(const Suspect& s) { return s.sample.plan.number == DType::BF16; }
bool combines_vectors(const Suspect& s) { return !replaces(s) && s.sample.strategy.avx2; }
bool copies_runtime_runs(const Suspect& s) {
  return replaces(s) && !s.sample.plan.unit.run.is_static();
}

const Level& innermost(const KernelPlan& plan) { return plan.levels[plan.level_count - 1]; }

bool leaves_some_over(const Suspect& s) {
  const Amount& extent = innermost(s.sample.plan).extent;
  return extent.is_static() && extent.factor % s.sample.strategy.group != 0;
}

// The longest run is at most two vectors.
bool has_short_runs(const Suspect& s) {
  const std::int64_t vector = s.sample.strategy.avx512 ? 64 : s.sample.strategy.avx2 ? 32 : 16;
  const Tile& tile = s.sample.entry.spec.data;
  return copies_runtime_runs(s) && tile.cols * size_of(tile.dtype) <= 2 * vector;
}

// Each slot begins at an entry of its own in the audit's hash table.
bool slots_share_no_entry(const Suspect& s) {
  const KernelPlan& plan = s.sample.plan;
  Frame frame;
  frame.extents = extents_of(s.sample.entry.bound);
  const std::int64_t indices = value_in(frame, plan.audit.rows) * value_in(frame, plan.audit.cols);
  const auto entries = std::bit_floor(static_cast<std::uint64_t>(2 * indices + 1)) * 2;
  return plan.capacity.is_static() && static_cast<std::uint64_t>(plan.capacity.factor) <= entries;
}

bool is_whole_groups(const KernelPlan& plan, int group) {
  const Amount& extent = innermost(plan).extent;
  return group > 1 && extent.is_static() && extent.factor % group == 0;
}

// Single indices behind whole groups: there only for a capacity beyond 32 bits, and no index is
// beyond that.
bool has_huge_capacity(const Suspect& s) {
  if (!is_whole_groups(s.sample.plan, s.sample.strategy.group)) return false;
  for (std::size_t i = 0; i < s.at; ++i) {
    const bool closes_groups = s.code[i].info.mnemonic == ZYDIS_MNEMONIC_JNB &&
                               jump_target(s.code[i]).value_or(s.code[i].offset) < s.code[i].offset;
    if (closes_groups) return !is_undefined(s);
  }
  return false;
}

bool is_dead(const Suspect& s) { return s.flow.is_dead(s.at); }
bool is_repeated(const Suspect& s) { return s.flow.is_repeated(s.at); }

// --- what the code looks like -------------------------------------------------------------------

// Neighbouring instructions separated by "; ", '*' for anything, '>' before those that are excused.
// {element} and {group} stand for the plan's element size and the strategy's group.
struct Excuse {
  std::string_view reason;
  std::string_view code;
  bool (*holds)(const Suspect&) = nullptr;
};

constexpr std::string_view kKnown = "a number above zero is compared with zero";
constexpr std::string_view kHash = "only spreads the entries of the audit's hash table";
constexpr std::string_view kSlower = "the way for what is left over does the same, slower";
constexpr std::string_view kPieces = "smaller pieces copy the same bytes again";
constexpr std::string_view kOnePiece = "two pieces of the smallest size lie on each other";
constexpr std::string_view kLanes = "lanes in range are divided too, and stay as they are";
constexpr std::string_view kBf16 = "a bf16 sum that is NaN is quiet and has an empty lower half";
constexpr std::string_view kF16 = "infinity and NaN times a number are infinity and NaN";
constexpr std::string_view kEarlierLane = "another lane has left it there";
constexpr std::string_view kHuge = "beyond 32 bits every index is in range";

constexpr std::array kExcuses = {
    Excuse{"fills a gap", ">nop*"},
    Excuse{"nothing reads what it writes", ">*", is_dead},
    Excuse{"what it writes is there already", ">*", is_repeated},
    Excuse{kKnown, "mov r11d, *; >test r11, r11; >jle *"},
    Excuse{kKnown, "mov eax, *; mov [rsp*], rax; >test rax, rax; >jle *"},
    Excuse{"some are always left over", "jnb *; >test r11, r11; >jz *", leaves_some_over},
    Excuse{"a loop over groups looks for zero itself",
           ">test r11, r11; >jle *; cmp r11, {group}; jb *"},
    Excuse{"without slots every index is skipped", ">cmp qword ptr [rsp*], 0x00; >jz *", skips},
    Excuse{"a factor of what is only compared with zero", ">imul rax, rax, *; mov [rsp], rax",
           is_undefined},
    Excuse{"a divisor that stands for zero may be any", ">mov eax, 0x01; test *; cmovz *, rax"},

    Excuse{kHash, ">mov eax, 0x9E3779B1; >imul rax, *; and rax, *"},
    Excuse{kHash, ">lea rax, [rax+rax*1+0x01]; bsr rax, rax"},
    Excuse{"no two slots share an entry", "jz *; >inc rax; >jmp *", slots_share_no_entry},
    Excuse{"an index out of range is remembered but not counted",
           ">jnb *; mov *, [rsp*]; mov eax, 0x9E3779B1"},

    Excuse{kSlower, "sub r11, {group}; cmp r11, {group}; >jnb *; test r11, r11"},
    Excuse{kSlower, "add *; add *; sub *; >jmp *; cmp *", combines_vectors},
    Excuse{kSlower, ">cmp *, 0x20; jb *", combines_vectors},
    Excuse{kSlower, ">cmp *, 0x10; jb *", combines_vectors},
    Excuse{kSlower, ">mov eax, 0xFFFFFFFF; cmp rax, [rsp*]; jb *"},
    Excuse{kLanes, "mov eax, 0xFFFFFFFF; >cmp rax, [rsp*]; >jb *", wraps},
    Excuse{kLanes, ">vmovmskps eax, *; >test eax, *; >jz *; vextracti128 *", wraps},
    Excuse{kLanes, "vmovd xmm15, eax; >vpbroadcastd ymm15, xmm15", wraps},
    Excuse{kHuge, ">*", has_huge_capacity},

    Excuse{kPieces, "*mov* [*], *; >jmp *", copies_runtime_runs},
    Excuse{kOnePiece, "cmp rax, {element}; jb *; >mov* *, *; >mov [*; >mov* *, *; >mov [*",
           copies_runtime_runs},
    Excuse{"two vectors cover the longest run", "*mov* [*], *; add *; >jmp *", has_short_runs},
    Excuse{"columns moved too early are moved again in their turn",
           ">mov edx, *; >cmp rax, rdx; >cmovnbe rax, rdx; mov [rsp*], rax", replaces},
    Excuse{kEarlierLane, "lea *; lea *; >mov *ax, *", zeroes},
    Excuse{kEarlierLane, "jmp *; >*pxor *; *mov* [*], *; jmp *", zeroes},

    Excuse{kBf16, "*ucomiss xmm0, xmm0; >jp *", adds_bf16},
    Excuse{kBf16, "shr eax, 0x10; >or eax, 0x40", adds_bf16},
    Excuse{kBf16, ">vcmpps *", adds_bf16},
    Excuse{kBf16, ">vblendvps *", adds_bf16},
    Excuse{kBf16, ">vpslld *, *, 0x16", adds_bf16},
    Excuse{kF16, "or *, 0x7F800000; >jmp *", adds_f16},
    Excuse{"the upper half is not stored", "movd eax, *; >sub eax, 0x3F000000", adds_f16},
};

bool matches(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    return matches(text, pattern.substr(1)) || (!text.empty() && matches(text.substr(1), pattern));
  }
  return !text.empty() && text.front() == pattern.front() &&
         matches(text.substr(1), pattern.substr(1));
}

std::string hex(std::int64_t value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%02llX", static_cast<unsigned long long>(value));
  return text.data();
}

std::string filled_in(std::string_view code, const Sample& sample) {
  std::string out(code);
  const auto fill = [&](std::string_view name, std::int64_t value) {
    for (std::size_t at = out.find(name); at != out.npos; at = out.find(name, at))
      out.replace(at, name.size(), hex(value));
  };
  fill("{element}", sample.plan.element_size);
  fill("{group}", sample.strategy.group);
  return out;
}

std::vector<std::string> lines_of(std::string_view code) {
  constexpr std::string_view kBetween = "; ";
  std::vector<std::string> out;
  for (;;) {
    const std::size_t end = code.find(kBetween);
    out.emplace_back(code.substr(0, end));
    if (end == code.npos) return out;
    code.remove_prefix(end + kBetween.size());
  }
}

// Whether the lines stand in the code so that the excused `line` is the suspect.
bool stands_there(const Suspect& s, const std::vector<std::string>& lines, std::size_t line) {
  if (s.at < line || s.at - line + lines.size() > s.code.size()) return false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view pattern = lines[i];
    const bool is_marked = pattern.starts_with('>');
    if (!matches(print(s.code[s.at - line + i]), pattern.substr(is_marked ? 1 : 0))) return false;
  }
  return true;
}

bool fits(const Suspect& s, const Excuse& excuse) {
  if (excuse.holds != nullptr && !excuse.holds(s)) return false;
  const std::vector<std::string> lines = lines_of(filled_in(excuse.code, s.sample));
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (lines[line].starts_with('>') && stands_there(s, lines, line)) return true;
  }
  return false;
}

}  // namespace

std::string_view excuse_for(const Suspect& suspect) {
  for (const Excuse& excuse : kExcuses) {
    if (fits(suspect, excuse)) return excuse.reason;
  }
  return {};
}

}  // namespace pto::jit::tests
