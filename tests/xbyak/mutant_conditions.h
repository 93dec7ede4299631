// What must be true of a kernel for an instruction of it to be excused.
#pragma once

#include "tests/xbyak/mutant_excuses.h"

namespace pto::jit::tests {

bool skips(const Suspect& s);
bool wraps(const Suspect& s);
bool is_undefined(const Suspect& s);
bool checks_indices(const Suspect& s);
bool zeroes(const Suspect& s);
bool zeroes_nothing(const Suspect& s);
bool replaces(const Suspect& s);
bool replaces_blocks(const Suspect& s);
bool has_runtime_runs(const Suspect& s);
bool copies_runtime_runs(const Suspect& s);
bool fills_runtime_runs(const Suspect& s);
bool leaves_some_over(const Suspect& s);
bool has_short_runs(const Suspect& s);
bool slots_share_no_entry(const Suspect& s);
bool masks_what_is_left(const Suspect& s);
bool divides_lanes(const Suspect& s);
bool has_one_vector(const Suspect& s);
bool is_idempotent(const Suspect& s);
bool has_many_slots(const Suspect& s);
bool multiplies_extents(const Suspect& s);
bool splits_at_run_time(const Suspect& s);
bool makes_batches(const Suspect& s);
bool chooses_string(const Suspect& s);
bool streams(const Suspect& s);
bool streams_long_rows(const Suspect& s);
bool streams_out_of_reach(const Suspect& s);
bool goes_backward(const Suspect& s);
bool goes_forward_too(const Suspect& s);
bool shares_a_word(const Suspect& s);
bool spreads(const Suspect& s);
bool spreads_less_than_all(const Suspect& s);
bool gathers(const Suspect& s);
bool has_spare_table(const Suspect& s);
bool prefetches(const Suspect& s);
bool has_spare_indices(const Suspect& s);

// Of the instruction alone.
bool is_nop(const Suspect& s);
bool is_jump(const Suspect& s);
bool is_no_jump(const Suspect& s);
bool is_dead(const Suspect& s);
bool is_repeated(const Suspect& s);

}  // namespace pto::jit::tests
