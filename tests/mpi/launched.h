// Programs of several ranks, started by mpirun as root would have to on a small machine, and ended
// after four minutes. Ranks that wait let others run, so that a busy machine only makes them
// slower.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/style/tree.h"

namespace pto::jit::tests {

// How the ranks reach each other: as MPI likes, or over loopback alone.
enum class Way : unsigned char { Any, Loopback };

// `command` is a program of this build, or one by its path, and its arguments.
style::Outcome launch(int ranks, const std::string& command, Way way = Way::Any);

// Whether every rank's claims hold, and there are at least so many in all.
::testing::AssertionResult holds(int ranks, const std::string& command, int claims,
                                 Way way = Way::Any);

}  // namespace pto::jit::tests
