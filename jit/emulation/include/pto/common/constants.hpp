// Constants and enumerations of the library, on the host.
#pragma once

#include "pto/emulation/keywords.hpp"
#include "pto/emulation/policies.hpp"
