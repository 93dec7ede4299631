// Notes: what is legal but costs, surprises, or differs from what the vendor's code does.
#pragma once

#include <string>
#include <string_view>

#include "targets/rules.h"

namespace pto::jit {

struct Note {
  std::string_view id;
  bool (*applies)(const Subject&);
  std::string (*text)(const Subject&);
  std::string_view from;
};

inline bool is_memory(const Subject& s) { return kMemoryOps.contains(s.spec.op); }
inline bool is_elem(const Subject& s) { return is_memory(s) && s.spec.coalesce == Coalesce::Elem; }
inline bool is_row(const Subject& s) { return is_memory(s) && s.spec.coalesce == Coalesce::Row; }
inline bool has_policy(const Subject& s) {
  return s.spec.oob != Oob::Undefined || s.spec.atomic != Atomic::None;
}

inline std::int64_t row_bytes(const Subject& s) {
  return s.spec.data.vc * size_of(s.spec.data.dtype);
}

}  // namespace pto::jit
