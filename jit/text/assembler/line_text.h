// One line of PTO assembly for a kernel, as the instruction's own document spells it.
#pragma once

#include <cstdint>
#include <string>

#include "ir/result.h"
#include "targets/placement.h"
#include "targets/verify.h"

namespace pto::jit {

// The synchronous form, level 1 (values), level 2 (destinations passed).
enum class LineLevel : std::uint8_t { Sync, Ssa, Dps };

// The line, after one line for each tile where the text places them, and a comment where the
// spelling has no place for a policy of the spec. A level that the document does not have is a
// diagnostic that names those it has.
Result<std::string> assembly_line(const LegalSpec& legal, LineLevel level,
                                  Placement placement = Placement::Auto);

}  // namespace pto::jit
