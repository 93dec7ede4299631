// The canonical text of a spec: the one spelling that names a kernel everywhere.
#pragma once

#include <string>
#include <string_view>

#include "ir/result.h"
#include "ir/spec.h"

namespace pto::jit {

// The text of canonical(spec).
std::string print(const KernelSpec& spec);

std::string print(const Tile& tile);
std::string print(const Table& table);

// The canonical spec a text names, or one diagnostic that points at the offending token. Reads any
// spec the grammar can write, legal or not.
Result<KernelSpec> parse(std::string_view text);

}  // namespace pto::jit
