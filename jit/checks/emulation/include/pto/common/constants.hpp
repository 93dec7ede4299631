// Constants and enumerations of the library, on the host.
#pragma once

#ifndef PTO_EMULATION
#error "include <pto/pto-inst.hpp> before <pto/common/constants.hpp>, which needs its keywords"
#endif

#include "pto/emulation/policies.hpp"
