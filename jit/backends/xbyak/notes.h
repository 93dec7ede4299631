// What is noted of code while it is written, for those who ask.
#pragma once

#include "jit/backends/watching/written_code.h"
#include "jit/backends/xbyak/purpose.h"

namespace pto::jit::xbyak {

struct Notes {
  Stretches served;
  Writings written;
};

}  // namespace pto::jit::xbyak
