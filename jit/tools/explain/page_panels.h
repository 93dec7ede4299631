// The panels of a page that have a file of their own.
#pragma once

#include <string>

#include "jit/tools/explain/explanation.h"
#include "jit/tools/explain/page_writer.h"

namespace pto::jit::cli {

// The plan, the verbs that carry it out and the machine code they wrote, each linked to the others
// (page_code.cpp).
std::string code_panel(const Explanation& made, const PageWriter& page);

}  // namespace pto::jit::cli
