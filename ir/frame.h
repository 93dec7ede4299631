// The call frame: what every kernel is called with, whoever made its code, and the list of its
// fields from which its declaration in C is made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "ir/operands.h"
#include "ir/spec.h"

namespace pto::jit {

// Counts up with every change of the two structs below: code of another version must not be called.
inline constexpr int kFrameVersion = 2;

// What an audited kernel found.
struct AuditReport {
  std::int64_t out_of_bounds = 0;
  std::int64_t first_out_of_bounds = -1;
  std::int64_t collisions = 0;
  std::int64_t first_collision = -1;

  bool operator==(const AuditReport&) const = default;
};

struct Frame {
  void* tile = nullptr;
  const void* index = nullptr;
  void* table = nullptr;
  void* const* ranks = nullptr;
  AuditReport* report = nullptr;
  void* scratch = nullptr;
  std::array<std::int64_t, kDims> extents{};  // by Dim; what the plan does not read may be anything
  std::array<std::int64_t, kPartNumbers> part{};  // by Dim, from Part0 on
};
// Generated code reads both as one.
static_assert(offsetof(Frame, part) == offsetof(Frame, extents) + kDims * sizeof(std::int64_t));

// A field as C declares it: one or several numbers or pointers of eight bytes.
struct FrameField {
  std::string_view name;
  std::string_view type;  // "void *"
  std::size_t offset;
  std::string_view meaning = "";
  std::size_t count = 1;
};

inline constexpr std::array kReportFields = {
    FrameField{"out_of_bounds", "int64_t ", offsetof(AuditReport, out_of_bounds)},
    FrameField{"first_out_of_bounds", "int64_t ", offsetof(AuditReport, first_out_of_bounds),
               "row-major position, -1 when there is none"},
    FrameField{"collisions", "int64_t ", offsetof(AuditReport, collisions)},
    FrameField{"first_collision", "int64_t ", offsetof(AuditReport, first_collision)},
};

inline constexpr std::array kFrameFields = {
    FrameField{"tile", "void *", offsetof(Frame, tile),
               "the walked side: the data tile, or the root's source"},
    FrameField{"index", "const void *", offsetof(Frame, index), "indices or byte offsets"},
    FrameField{"table", "void *", offsetof(Frame, table),
               "the addressed side: the table or the store tile"},
    FrameField{"ranks", "void *const *", offsetof(Frame, ranks),
               "communication: each rank's destination"},
    FrameField{"report", "struct ptojit_audit_report *", offsetof(Frame, report)},
    FrameField{"scratch", "void *", offsetof(Frame, scratch), "8-byte aligned"},
    FrameField{"extents", "int64_t ", offsetof(Frame, extents), "", kDims},
    FrameField{"part", "int64_t ", offsetof(Frame, part), "only kernels of parts read them",
               kPartNumbers},
};

// Whether a list names every byte of a struct, in order and without gaps.
constexpr bool covers(std::span<const FrameField> fields, std::size_t bytes) {
  std::size_t end = 0;
  for (const FrameField& field : fields) {
    if (field.offset != end) return false;
    end += field.count * 8;
  }
  return end == bytes;
}
static_assert(covers(kReportFields, sizeof(AuditReport)));
static_assert(covers(kFrameFields, sizeof(Frame)));

// Every extent and stride of a spec whose runtime dimensions are bound; packed strides worked out.
std::array<std::int64_t, kDims> extents_of(const KernelSpec& bound);

// A frame of those extents, without memory.
Frame frame_of(const KernelSpec& bound);

// Sets the frame's pointer for an operand other than a rank's destination.
void set_buffer(Frame& frame, Op op, Role role, void* storage);

}  // namespace pto::jit
