#include "tests/xbyak/mutant_excuses.h"

#include <algorithm>
#include <array>
#include <optional>

#include "tests/xbyak/mutant_conditions.h"

namespace pto::jit::tests {
namespace {

using xbyak::Purpose;
using Condition = bool (*)(const Suspect&);

// An instruction is excused that serves the purpose, where its kernel and itself keep a condition,
// and within code that serves another purpose if one is named.
struct Excuse {
  std::string_view reason;
  std::optional<Purpose> purpose;
  Condition when = nullptr;
  Condition only = nullptr;
  std::optional<Purpose> within = {};
};
constexpr std::nullopt_t kAnything = std::nullopt;
constexpr Condition kAlways = nullptr;

constexpr std::string_view kKnown = "a number is compared with one known to be less";
constexpr std::string_view kHash = "only spreads the entries of the audit's hash table";
constexpr std::string_view kSlower = "the way for what is left over does the same, slower";
constexpr std::string_view kMixed = "the way for mixed lanes does the same, slower";
constexpr std::string_view kOtherWay = "another way takes runs of that length too";
constexpr std::string_view kAgain = "what is moved again is the same";
constexpr std::string_view kAhead = "only says which rows are asked for ahead of time";
constexpr std::string_view kOrder = "either order leaves the same";
constexpr std::string_view kEarly = "an end as soon as all slots are seen only saves time";
constexpr std::string_view kWord = "the bits of all slots are in one word";
constexpr std::string_view kTooEarly = "columns moved too early are moved again in their turn";
constexpr std::string_view kTooLarge = "a table of so many bytes fits no memory";
constexpr std::string_view kHuge = "beyond 32 bits every index is in range";

constexpr std::array kExcuses = {
    Excuse{"fills a gap", kAnything, kAlways, is_nop},
    Excuse{"nothing reads what it writes", kAnything, kAlways, is_dead},
    Excuse{"what it writes is there already", kAnything, kAlways, is_repeated},

    // Loops and amounts.
    Excuse{kKnown, Purpose::KnownCount},
    Excuse{"a loop over groups looks for zero itself", Purpose::ZeroCount},
    Excuse{kSlower, Purpose::FasterPath},
    Excuse{kHuge, Purpose::Singles, checks_indices},
    Excuse{kTooLarge, Purpose::Singles, splits_at_run_time},
    Excuse{kHuge, Purpose::Multiplier, divides_lanes},
    Excuse{"the division before has left nothing over", Purpose::Dividend},
    Excuse{kTooEarly, Purpose::BlockWidth, replaces},
    Excuse{kTooEarly, Purpose::SomeLeft, replaces_blocks},
    Excuse{kAgain, Purpose::RepeatsCopy, masks_what_is_left},
    Excuse{kAgain, Purpose::RepeatsCopy, is_idempotent},
    Excuse{"without slots every index is skipped", Purpose::Gate, skips},
    Excuse{"without slots the newest comes first", Purpose::Gate, goes_forward_too, kAlways,
           Purpose::OldestLast},
    Excuse{"a factor of what is only compared with zero", Purpose::Factor, is_undefined, kAlways,
           Purpose::GateValue},
    Excuse{"a divisor that stands for zero may be any", Purpose::ZeroDivisor},

    // Groups.
    Excuse{"some are always left over", Purpose::SomeLeft, leaves_some_over},
    Excuse{"a mask without lanes moves nothing", Purpose::SomeLeft, masks_what_is_left},
    Excuse{"the bits that count are ones already", Purpose::RestBits, leaves_some_over},
    Excuse{kSlower, Purpose::HugeTable, kAlways, is_no_jump},
    Excuse{kHuge, Purpose::HugeTable, wraps, is_jump},
    Excuse{"a table of so many slots fits no memory", Purpose::HugeTable, gathers, is_jump},
    Excuse{kTooLarge, Purpose::FarPlaces},
    Excuse{kSlower, Purpose::SmallTable, gathers, is_no_jump},
    Excuse{kSlower, Purpose::SmallTable, has_many_slots, is_jump},
    Excuse{"no case has few slots by several extents", Purpose::SmallTable, multiplies_extents,
           is_jump},
    Excuse{"resolved, an index in range is what it was", Purpose::AllInside},
    Excuse{kSlower, Purpose::StripTest},
    Excuse{"what one strip leaves out comes in the next", Purpose::StripLength},
    Excuse{"the last strip has left nothing", Purpose::StripRest},
    Excuse{"a strip is one vector, and nothing follows it", Purpose::StripStep, has_one_vector},
    Excuse{kMixed, Purpose::AllLive},
    Excuse{"what goes aside need not be jumped over", Purpose::NoneInside, skips},
    Excuse{kMixed, Purpose::NoneLeft, zeroes},
    Excuse{kMixed, Purpose::WholeBatch, makes_batches},
    Excuse{"what is combined aside is not looked at", Purpose::AsideZeros, skips},
    Excuse{"the memory of another lane will do", Purpose::AsideOwn},
    Excuse{"memory aside may lie across two lines", Purpose::AsideLine},
    Excuse{"every lane that is stored is gathered", Purpose::GatherFrom, zeroes_nothing},
    Excuse{"what is read behind the last slot is memory too", Purpose::GatherReach,
           has_spare_table},

    // Runs.
    Excuse{kOtherWay, Purpose::WayTest, has_runtime_runs},
    Excuse{kOtherWay, Purpose::WayDone, copies_runtime_runs},
    Excuse{"stored around the caches or not, it is the same", Purpose::StreamTest, streams},
    Excuse{kOutOfReach, Purpose::StreamWay, streams_out_of_reach},
    Excuse{"rows so short are never so many", Purpose::StreamRow, streams_long_rows},
    Excuse{"all rows lie alike in their lines, whole ones are written later", Purpose::StreamEnds,
           streams},
    Excuse{"the string instruction or pieces, they copy the same", Purpose::StringTest,
           chooses_string},
    Excuse{"an index of zero is in range like the one that was moved", Purpose::StringCount,
           zeroes},
    Excuse{"it came from there", Purpose::SameAddress},
    Excuse{"smaller pieces copy the same bytes again", Purpose::SmallerRuns, fills_runtime_runs},
    Excuse{"two pieces of the smallest size lie on each other", Purpose::OnePiece,
           fills_runtime_runs},
    Excuse{"two vectors cover the longest run", Purpose::LongerRuns, has_short_runs},
    Excuse{"another lane has left it there", Purpose::Zeros, zeroes, kAlways, Purpose::LastPieces},
    Excuse{"what is cleared too soon is written later", Purpose::ClearsEarly, spreads},
    Excuse{"more is left of each row or tile than a vector, or what follows is written later",
           Purpose::ClearsFar, spreads_less_than_all},
    Excuse{"a piece before has made them", Purpose::Zeros, spreads},

    // Rows ahead of time.
    Excuse{kAhead, Purpose::PrefetchFrom},
    Excuse{kAhead, Purpose::PrefetchTest, kAlways, is_no_jump},
    Excuse{"an index behind the last is only read, and there is memory for it",
           Purpose::PrefetchTest, has_spare_indices, is_jump},

    // Newest first.
    Excuse{kOrder, Purpose::Order, goes_forward_too},
    Excuse{kEarly, Purpose::EarlyEnd},
    Excuse{"words behind the last are cleared too", Purpose::SeenWords},
    Excuse{"where there are slots and no indices, it is not crowded", Purpose::NoIndices,
           goes_forward_too},
    Excuse{kWord, Purpose::SeenWord, shares_a_word},
    Excuse{kWord, Purpose::FirstByte, shares_a_word, kAlways, Purpose::Backward},
    Excuse{"only an index out of range gets there, of which no policy tells", Purpose::Unchecked},

    // Audits.
    Excuse{kHash, Purpose::Hash},
    Excuse{"no two slots share an entry", Purpose::NextEntry, slots_share_no_entry},

    // Halves as floats.
    Excuse{"infinity and NaN times a number are infinity and NaN", Purpose::Infinite},
    Excuse{"the upper half is not stored", Purpose::UpperHalf},
};

bool serves(const Suspect& s, const std::optional<Purpose>& purpose) {
  if (!purpose) return true;
  const std::size_t at = s.code[s.at].offset;
  return std::any_of(s.served.begin(), s.served.end(), [&](const xbyak::Stretch& stretch) {
    return stretch.purpose == *purpose && stretch.begin <= at && at < stretch.end;
  });
}

bool keeps(const Suspect& s, Condition condition) { return !condition || condition(s); }

}  // namespace

std::string_view excuse_for(const Suspect& s) {
  for (const Excuse& excuse : kExcuses) {
    if (keeps(s, excuse.when) && keeps(s, excuse.only) && serves(s, excuse.purpose) &&
        serves(s, excuse.within))
      return excuse.reason;
  }
  return {};
}

}  // namespace pto::jit::tests
