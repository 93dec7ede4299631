// The C header beside an emitted object. The frame's declaration may come from several of them.
#include <algorithm>

#include "ir/storage.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "jit/version.h"

namespace pto::jit::llvm_backend {
namespace {

std::string declaration(const FrameField& field) {
  const std::string array = field.count > 1 ? "[" + std::to_string(field.count) + "]" : "";
  return std::string(field.type) + std::string(field.name) + array + ";";
}

// The longest declaration among neighbours that are explained as this one is.
std::size_t width_around(std::span<const FrameField> fields, std::size_t at) {
  std::size_t first = at;
  while (first > 0 && !fields[first - 1].meaning.empty()) --first;
  std::size_t width = 0;
  for (; first < fields.size() && !fields[first].meaning.empty(); ++first)
    width = std::max(width, declaration(fields[first]).size());
  return width;
}

std::string struct_text(const std::string& name, std::span<const FrameField> fields) {
  std::string out = "struct " + name + " {\n";
  for (std::size_t at = 0; at < fields.size(); ++at) {
    std::string line = declaration(fields[at]);
    if (!fields[at].meaning.empty()) {
      line.resize(width_around(fields, at), ' ');
      line.append(" /* ").append(fields[at].meaning).append(" */");
    }
    out += "  " + line + "\n";
  }
  return out + "};\n\n";
}

std::string frame_text() {
  return "#ifndef PTOJIT_FRAME\n#define PTOJIT_FRAME\n\n" +
         struct_text("ptojit_audit_report", kReportFields) +
         struct_text("ptojit_frame", kFrameFields) + "#endif\n";
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
std::string extents_text(const KernelPlan& plan, std::optional<Op> op) {
  const std::vector<Dim> dims = dims_read(plan);
  if (dims.empty()) return " * Reads no extents.\n";
  std::string out = " * Reads these extents:\n";
  for (const Dim dim : dims) {
    out += " *   extents[" + std::to_string(static_cast<int>(dim)) + "]  " +
           print(Amount::of(dim), op) + "\n";
  }
  return out;
}

// "8 * extents[1]"
std::string in_c(const Amount& amount) {
  std::string out = std::to_string(amount.factor);
  for (std::size_t i = 0; i < amount.count; ++i)
    out += " * extents[" + std::to_string(static_cast<int>(amount.dims[i])) + "]";
  return out;
}

// What an audited kernel wants besides: see scratch_bytes.
std::string audit_text(const KernelPlan& plan) {
  if (!plan.audit.is_on) return "";
  const std::string report = " * Fills in report.\n";
  if (!plan.audit.counts_collisions) return report;
  const Amount twice = plan.audit.rows * plan.audit.cols * 2;
  const std::string bytes =
      twice.is_static()
          ? std::to_string(scratch_bytes(plan, Frame{})) + " bytes"
          : "8 + 16 * p bytes, p the greatest power of 2 up to " + in_c(twice) + " + 1";
  return report + " * Wants scratch: " + bytes + ".\n";
}

}  // namespace

std::string emit_header(const KernelPlan& plan, const std::string& symbol, const std::string& title,
                        std::optional<Op> op) {
  const std::string guard = "PTOJIT_KERNEL_" + symbol;
  return "/* ptojit " PTOJIT_VERSION ": " + title + " */\n#ifndef " + guard + "\n#define " + guard +
         "\n\n#include <stdint.h>\n\n" + frame_text() +
         "\n#ifdef __cplusplus\nextern \"C\"\n#endif\n/*\n" + commented(print(plan, op)) +
         extents_text(plan, op) + audit_text(plan) + " */\nvoid " + symbol +
         "(const struct ptojit_frame *frame);\n\n#endif\n";
}

}  // namespace pto::jit::llvm_backend
