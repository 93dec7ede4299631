// What decides what an object of the disk cache holds, as data. Whoever reads something more while
// an object is made adds it here.
#pragma once

#include <cstdint>
#include <string>

#include "ir/spec.h"
#include "jit/backends/kernel_kind.h"

namespace pto::jit {

struct KernelOrder;

struct ObjectIngredients {
  KernelSpec spec;  // canonical
  KernelKind kind = KernelKind::Whole;
  bool follows_indices = false;  // of out-of-range lanes too, as a strategy may ask
  std::int64_t frame_version = 0;
  std::int64_t generator_version = 0;
  std::string project_version;
  std::string llvm_version;
  std::string machine;  // its triple, processor and features

  bool operator==(const ObjectIngredients&) const = default;
};

// Defined where there is the LLVM backend, which makes the objects.
ObjectIngredients ingredients_of(const KernelOrder& order);

// Different for different ingredients.
std::string object_key(const ObjectIngredients& ingredients);

}  // namespace pto::jit
