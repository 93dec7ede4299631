#include "tests/xbyak/mutant_excuses.h"

#include <cstdio>
#include <string>

#include "tests/xbyak/mutant_conditions.h"

namespace pto::jit::tests {
namespace {

// Neighbouring instructions separated by "; ", '*' for anything, '>' before those that are excused.
// {element} and {group} stand for the plan's element size and the strategy's group.
struct Excuse {
  std::string_view reason;
  std::string_view code;
  bool (*holds)(const Suspect&) = nullptr;
};

constexpr std::string_view kKnown = "a number is compared with one known to be less";
constexpr std::string_view kHash = "only spreads the entries of the audit's hash table";
constexpr std::string_view kSlower = "the way for what is left over does the same, slower";
constexpr std::string_view kMixed = "the way for mixed lanes does the same, slower";
constexpr std::string_view kOtherWay = "another way of copying takes runs of that length too";
constexpr std::string_view kAgain = "what is moved again is the same";
constexpr std::string_view kString = "the string instruction or pieces, they copy the same";
constexpr std::string_view kNoLanes = "a mask without lanes moves nothing";
constexpr std::string_view kNotRead = "every lane that is stored is gathered";
constexpr std::string_view kOrder = "either order leaves the same";
constexpr std::string_view kEarly = "an end as soon as all slots are seen only saves time";
constexpr std::string_view kWord = "the bits of all slots are in one word";
constexpr std::string_view kAhead = "only says which rows are asked for ahead of time";
constexpr std::string_view kPieces = "smaller pieces copy the same bytes again";
constexpr std::string_view kOnePiece = "two pieces of the smallest size lie on each other";
constexpr std::string_view kLanes = "lanes in range are divided too, and stay as they are";
constexpr std::string_view kF16 = "infinity and NaN times a number are infinity and NaN";
constexpr std::string_view kEarlierLane = "another lane has left it there";
constexpr std::string_view kHuge = "beyond 32 bits every index is in range";

constexpr std::array kExcuses = {
    Excuse{"fills a gap", ">nop*"},
    Excuse{"nothing reads what it writes", ">*", is_dead},
    Excuse{"what it writes is there already", ">*", is_repeated},
    Excuse{kKnown, "mov r11d, *; >test r11, r11; >jle *"},
    Excuse{kKnown, "mov *, 0x*; >cmp *, {element}; >jb *"},
    Excuse{kKnown, "mov eax, *; mov [rsp*], rax; >test rax, rax; >jle *"},
    Excuse{"some are always left over", "jnb *; >test r11, r11; >jz *", leaves_some_over},
    Excuse{"a loop over groups looks for zero itself", ">test r11, r11; >jle *; cmp r11, *; jb *"},
    Excuse{"a loop over groups looks for zero itself", ">test r11, r11; >jle *", takes_groups},
    Excuse{"without slots every index is skipped", ">cmp qword ptr [rsp*], 0x00; >jz *", skips},
    Excuse{"a factor of what is only compared with zero", ">imul rax, rax, *; mov [rsp], rax",
           is_undefined},
    Excuse{"a divisor that stands for zero may be any", ">mov eax, 0x01; test *; cmovz *, rax"},

    Excuse{kHash, ">mov eax, 0x9E3779B1; >imul rax, *; and rax, *"},
    Excuse{kHash, ">lea rax, [rax+rax*1+0x01]; bsr rax, rax"},
    Excuse{"no two slots share an entry", "jz *; >inc rax; >jmp *", slots_share_no_entry},
    Excuse{"an index out of range is remembered but not counted",
           ">jnb *; mov *, [rsp*]; mov eax, 0x9E3779B1"},

    Excuse{kSlower, "sub r11, *; cmp r11, *; >jnb *", takes_groups},
    Excuse{kSlower, ">mov rdx, [rsp*]; >mov eax, 0xFFFFFFFF; >cmp rdx, rax; jnbe *"},
    Excuse{kSlower, "jnbe *; >cmp rdx, *; jbe *", gathers},
    Excuse{kSlower, "cmp rdx, *; >jbe *", has_many_slots},
    Excuse{kSlower, ">cmp r11, *; jb *", takes_groups},
    Excuse{kMixed, ">kmovw eax, k2; cmp eax, *; jnz *", makes_batches},
    Excuse{kMixed, ">vpconflictd *; vptest *; jnz *", makes_batches},
    Excuse{kMixed, ">vmovdqu32 *; vpconflictd *", makes_batches},
    Excuse{"stored around the caches or not, it is the same",
           ">shl rdx, *; >mov eax, *; >cmp rdx, rax; >jb *", streams},
    Excuse{"stored around the caches or not, it is the same", ">test r10, 0x3F; jnz *", streams},
    Excuse{kSlower, "sub *, 0x04; cmp *, 0x04; >jnl *; *"},
    Excuse{kSlower, ">cmp *, 0x04; jl *"},
    Excuse{kString, ">mov rax, [rsp*]; >mov edx, *; >cmp rax, rdx; >jb *", chooses_string},
    Excuse{kString, "mov rdi, [rsp*]; >jmp *", chooses_string},
    Excuse{"an index of zero is in range like the one that was moved",
           "rep movsb; >mov rcx, [rsp*]", zeroes},
    Excuse{"it came from there", "mov rax, rdi; mov *; mov *; >mov rdi, rax"},
    Excuse{"the bits that count are ones already", ">mov eax, 0xFFFFFFFF; bzhi *",
           leaves_some_over},
    Excuse{kNoLanes, ">test r11, r11; >jz *; mov eax, 0xFFFFFFFF; bzhi *", masks_what_is_left},
    Excuse{kAgain, ">jmp *; mov *, [r8*", masks_what_is_left},
    Excuse{kMixed, "vmovmskps *; >test *, *; jnz *"},
    Excuse{kMixed, ">test *, *; >jz *; mov *, [r8*", zeroes},
    Excuse{kAgain, "*mov* [*], *; >jmp *; mov* *, *[r8*", is_idempotent},
    Excuse{kAgain, "jnl *; >jmp *; mov* *, *[r8*", is_idempotent},
    Excuse{kOtherWay, ">cmp qword ptr [rsp*], *; jnz *", copies_runtime_runs},
    Excuse{kOtherWay, "jnb *; >jmp *; cmp qword ptr [rsp*], *; jnz *", copies_runtime_runs},
    Excuse{kSlower, "mov *, [rsp*]; >cmp *; jbe *", copies_runtime_runs},

    Excuse{kAhead, ">mov qword ptr [rsp*], *; cmp r11, *", prefetches},
    Excuse{kAhead, ">mov qword ptr [rsp*], *; mov *dx, *; * rdx, *; * eax, *", prefetches},
    Excuse{kAhead, ">mov *dx, *; >* rdx, *; >* eax, *; >cmp rdx, rax; >jnbe *; >mov qword ptr *",
           prefetches},
    Excuse{"an index behind the last is only read, and there is memory for it",
           "cmp r11, [rsp*]; >jb *; mov edx, *", has_spare_indices},

    Excuse{kNotRead, ">vpxor *; vpxord *; kxnorw *; vpgatherdd *"},
    Excuse{kNotRead, ">vpxor *; vpxor *; vpcmpeqd *; vpgatherdd *"},
    Excuse{kNotRead, ">vpxor *; vpxord *; kmovw k3, k1; vpgatherdd *"},
    Excuse{kNotRead, ">vpxor *; vpxord *; kmovw k3, k2; vpgatherdd *", skips},
    Excuse{kNotRead, ">vpxor *; vpxor *; vmovdqa ymm2, ymm12; vpgatherdd *", skips},
    Excuse{"what is read behind the last slot is memory too",
           ">mov eax, *; >sub rax, *; >vpbroadcastd zmm18, eax", has_spare_table},
    Excuse{"the spread elements bring the zeros along", ">vpxor *", spreads},
    Excuse{"the spread elements bring the zeros along", ">*mov* [rcx*], *mm*", spreads},

    Excuse{kOrder, ">mov rdx, [rsp*]; >cmp rdx, 0x4000; >jnbe *; >imul rdx, rdx, *",
           goes_forward_too},
    Excuse{kOrder, ">jmp *; mov r8, [rsp*]; mov r9, [rsp*]", goes_forward_too},
    Excuse{kOrder, ">jmp *; cmp qword ptr [rsp*], 0x00; jz *", goes_forward_too},
    Excuse{kOrder, ">mov *; imul rdx, rdx, *; mov *; imul rax, rax, 0x64", goes_forward_too},
    Excuse{kOrder, ">imul rdx, rdx, *; >mov *; >imul rax, rax, 0x64; >cmp rax, rdx; >jb *",
           goes_forward_too},
    Excuse{"without slots the newest comes first", "jmp *; >cmp qword ptr [rsp*], 0x00; >jz *",
           goes_forward_too},
    Excuse{kEarly, ">mov *ax, *; >mov [rsp*], rax; shr rax, 0x06", goes_backward},
    Excuse{"words behind the last are cleared too", ">shr rax, 0x06; mov qword ptr [*; dec rax",
           goes_backward},
    Excuse{"where there are slots and no indices, it is not crowded",
           "test r11, r11; >jle *; lea rax, [r11-0x01]", goes_forward_too},
    Excuse{kEarly, ">dec [rsp*]; >jz *", goes_backward},
    Excuse{kWord, ">shr rax, 0x06; mov qword ptr [*; dec rax; >jns *", shares_a_word},
    Excuse{kWord, ">mov rax, *; shr rax, 0x06; mov rdx, *; bts *", shares_a_word},
    Excuse{kWord, ">mov rdx, [rsp+rax*; bts *", shares_a_word},
    Excuse{kWord, "lea *; lea *; >xor eax, eax", shares_a_word},
    Excuse{"only an index out of range gets there, of which no policy tells",
           ">inc [rsp*]; >jmp *; mov rax, *; shr rax, 0x06", is_unchecked_backward},
    Excuse{kLanes, "cmp rdx, rax; >jnbe *", wraps},
    Excuse{"a table of so many slots fits no memory", "cmp rdx, rax; >jnbe *", gathers},
    Excuse{kLanes, ">vpcmpeqd *; >vptest *; >jz *; vextracti128 *", wraps},
    Excuse{kLanes, "vmovd xmm15, eax; >vpbroadcastd ymm15, xmm15", wraps},
    Excuse{kLanes, ">kortestw *; >jz *; vmovdqa *", wraps},
    Excuse{"of this divisor no quotient comes out too small", ">vcmppd *; >vsubpd *",
           has_easy_divisor},
    Excuse{kHuge,
           ">mov rcx, [rsp*]; mov eax, 0x01; test rcx, rcx; cmovz *; >mov [rsp*], rcx; "
           ">mov rax, *; >xor edx, edx; >div rcx; >mov [rsp*], rax",
           divides_lanes},
    Excuse{kHuge, ">*", has_huge_capacity},

    Excuse{kPieces, "*mov* [*], *; >jmp *", copies_runtime_runs},
    Excuse{kOnePiece, "cmp rax, {element}; jb *; >mov* *, *; >mov [*; >mov* *, *; >mov [*",
           copies_runtime_runs},
    Excuse{kOnePiece, "cmp rax, {element}; jb *; >xor *; >mov [*; xor *; >mov [*", zeroes},
    Excuse{"two vectors cover the longest run", "*mov* [*], *; add *; >jmp *", has_short_runs},
    Excuse{"columns moved too early are moved again in their turn",
           ">mov edx, *; >cmp rax, rdx; >cmovnbe rax, rdx; mov [rsp*], rax", replaces},
    Excuse{kEarlierLane, "jmp *; >vpxor *; >vpxor *; >vpxor *; >vpxor *; vmovdqu* [*+rax*", zeroes},

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
