// Prints how pipes wait for one another, and what leaves the cache.
#pragma once

#include "jit/text/source/text_writer.h"
#include "targets/source_plan.h"

namespace pto::jit::source {

// Waits stand in the text where the text places tiles; a flush always does.
void write_syncs(TextWriter& out, const SourcePlan& plan, const Syncs& syncs);

}  // namespace pto::jit::source
