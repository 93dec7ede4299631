// Rows whose width is known only at run time and goes beyond every threshold of the backends, under
// each policy that leaves a unit out.
#pragma once

#include <array>
#include <string_view>

namespace pto::jit::tests {

struct WideRows {
  std::string_view name;
  std::string_view text;  // rows of at most 1024 bytes
};

inline constexpr std::array kWideRows = {
    WideRows{"Skipped",
             "a5:mscatter.row.skip src=u8[21x1024|21x?] idx=i32[1x24|1x21] table=u8[5x?]"},
    WideRows{"Zeroed", "a5:mgather.row.zero dst=u8[21x1024|21x?] idx=i32[1x24|1x21] table=u8[5x?]"},
    WideRows{"AuditedUnchecked",
             "a5:mscatter.row.audit src=u8[21x1024|21x?] idx=i32[1x24|1x21] table=u8[5x?]"},
    WideRows{"AuditedZeroed",
             "a5:mgather.row.zero.audit dst=f16[21x512|21x?] idx=i32[1x24|1x21] table=f16[5x?]"},
    WideRows{"Floats",
             "a5:mgather.row.zero dst=f32[21x256|21x?] idx=i32[1x24|1x21] table=f32[5x?]"}};

}  // namespace pto::jit::tests
