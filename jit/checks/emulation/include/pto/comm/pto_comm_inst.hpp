// The communication set of the library, on the host.
#pragma once

#include "pto/emulation/group.hpp"
#include "pto/pto-inst.hpp"
