#include "jit/backends/objects/object_key.h"

namespace pto::jit {

// The spec's bytes, then a line for each of the others: none of them holds the end of one.
std::string object_key(const ObjectIngredients& ingredients) {
  const KernelSpec& spec = ingredients.spec;
  std::string out(reinterpret_cast<const char*>(&spec), sizeof spec);
  const std::string lines[] = {
      std::string(name_of(ingredients.kind)),
      ingredients.follows_indices ? "lanes" : "",
      std::to_string(ingredients.frame_version),
      std::to_string(ingredients.generator_version),
      ingredients.project_version,
      ingredients.llvm_version,
      ingredients.machine,
  };
  for (const std::string& line : lines) out += "\n" + line;
  return out;
}

}  // namespace pto::jit
