// 64-bit indices, which no kernel takes, as the ones its spec asks for.
#pragma once

#include <string_view>

#include "ir/spec.h"
#include "jit/calls/index_scan.h"
#include "jit/doors/python/array.h"

namespace pto::jit::python {

// What 32 bits can say: a negative index is the large one that its bits are, as everywhere.
IndexRange range_of_words(NumberKind kind);

// Names the first index that leaves `range`, which there is one of. `what` follows its value.
[[noreturn]] void fail_at_first(const IndexRun& run, NumberKind kind, IndexRange range,
                                std::string_view name, std::string_view what);

// A copy that lies as the tile does. An index that does not fit is refused.
Array narrowed(const Array& wide, const Tile& tile, std::string_view name);

}  // namespace pto::jit::python
