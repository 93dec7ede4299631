// The C header beside an emitted object. The frame's declaration may come from several of them.
#include <array>

#include "jit/llvm/llvm_backend.h"

namespace pto::jit::llvm_backend {
namespace {

constexpr std::string_view kFrame = R"(#ifndef PTOJIT_FRAME
#define PTOJIT_FRAME

struct ptojit_audit_report {
  int64_t out_of_bounds;
  int64_t first_out_of_bounds; /* row-major position, -1 when there is none */
  int64_t collisions;
  int64_t first_collision;
};

struct ptojit_frame {
  void *tile;         /* the walked side: the data tile, or the root's source */
  const void *index;  /* indices or byte offsets */
  void *table;        /* the addressed side: the table or the store tile */
  void *const *ranks; /* communication: each rank's destination */
  struct ptojit_audit_report *report;
  void *scratch; /* 8-byte aligned */
  int64_t extents[@DIMS@];
};

#endif
)";

std::string frame_text() {
  constexpr std::string_view kDimsHere = "@DIMS@";
  std::string out(kFrame);
  return out.replace(out.find(kDimsHere), kDimsHere.size(), std::to_string(kDims));
}

std::string commented(const std::string& text) {
  std::string out = " * ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += " * ";
  }
  out.resize(out.rfind("\n"));
  return out + "\n";
}

// Which extents the caller must fill in.
std::string extents_text(const KernelPlan& plan) {
  const std::vector<Dim> dims = dims_read(plan);
  if (dims.empty()) return " * Reads no extents.\n";
  std::string out = " * Reads these extents:\n";
  for (const Dim dim : dims) {
    out +=
        " *   extents[" + std::to_string(static_cast<int>(dim)) + "]  " + role_dim_name(dim) + "\n";
  }
  return out;
}

}  // namespace

std::string emit_header(const KernelPlan& plan, const std::string& symbol,
                        const std::string& title) {
  const std::string guard = "PTOJIT_KERNEL_" + symbol;
  return "/* " + title + " */\n#ifndef " + guard + "\n#define " + guard +
         "\n\n#include <stdint.h>\n\n" + frame_text() +
         "\n#ifdef __cplusplus\nextern \"C\"\n#endif\n/*\n" + commented(print(plan)) +
         extents_text(plan) + " */\nvoid " + symbol +
         "(const struct ptojit_frame *frame);\n\n#endif\n";
}

}  // namespace pto::jit::llvm_backend
