// Everything an emitted kernel includes by this name, on the host: see pto/emulation.
#pragma once

#include "pto/emulation/builtins.hpp"
#include "pto/emulation/events.hpp"
#include "pto/emulation/global_tensor.hpp"
#include "pto/emulation/keywords.hpp"
#include "pto/emulation/machine.hpp"
#include "pto/emulation/mgather.hpp"
#include "pto/emulation/mscatter.hpp"
#include "pto/emulation/policies.hpp"
#include "pto/emulation/tile.hpp"
#include "pto/emulation/tile_to_tile.hpp"
#include "pto/emulation/transfers.hpp"

#if defined(MEMORY_BASE)
#include "pto/emulation/copies.hpp"
#elif defined(REGISTER_BASE)
#include "pto/emulation/simt.hpp"
#endif
