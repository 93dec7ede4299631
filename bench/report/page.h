// Pages whose figures are made from a file of results. A page has places for them,
//
//   <!-- figures: NAME -->
//   what is made
//   <!-- end -->
//
// and text around them that people write.
#pragma once

#include <string>

#include "bench/report/results.h"

namespace pto::jit::bench {

// The page with every place filled anew; `source` is where the results come from, as the page
// names it. A place that nobody knows is an error.
Result<std::string> filled_page(const std::string& page, const Results& results,
                                const std::string& source);

}  // namespace pto::jit::bench
