// Kernels made by LLVM: one machine for each feature level, kept alive; objects come from the disk
// where someone gave a directory for them.
#include "jit/backends/backend.h"

#include <optional>

#include "ir/canonical.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "jit/backends/objects/object_cache.h"
#include "jit/backends/objects/object_key.h"
#include "jit/backends/watching/announce.h"
#include "jit/version.h"

namespace pto::jit {
namespace {

using llvm_backend::LlvmJit;
using llvm_backend::LoadedCode;
using Object = std::vector<std::byte>;

constexpr const char* kSymbol = "kernel";

class LlvmBody final : public KernelBody {
 public:
  LlvmBody(LoadedCode code, KernelName name, CodeRegistration known_as)
      : KernelBody(
            {.entry = reinterpret_cast<KernelEntry>(const_cast<std::byte*>(code.bytes().data())),
             .backend = Backend::Llvm,
             .code = code.bytes(),
             .footprint = code.footprint(),
             .name = std::move(name)}),
        code_(std::move(code)),
        known_as_(std::move(known_as)) {}

 private:
  LoadedCode code_;
  CodeRegistration known_as_;  // goes before the code does
};

// Lanes follow an index that nothing checks wherever it leads; of a table in registers some element
// is taken.
bool follows_indices(const KernelOrder& order) { return order.wish.form == UnitForm::Lanes; }

Result<LoadedCode> load_new(const LlvmJit& jit, const KernelOrder& order, const std::string& key) {
  const Result<Object> object = jit.compile(order.plan, kSymbol, follows_indices(order));
  if (!object) return object.error();
  Result<LoadedCode> code = jit.load_object(*object, kSymbol);
  if (code && !key.empty()) object_cache().keep(key, *object);
  return code;
}

// What the disk holds is made anew when it cannot be loaded.
Result<LoadedCode> load(const LlvmJit& jit, const KernelOrder& order) {
  if (!object_cache().is_on()) return load_new(jit, order, {});
  const std::string key = object_key(ingredients_of(order));
  if (const std::optional<Object> kept = object_cache().find(key)) {
    Result<LoadedCode> code = jit.load_object(*kept, kSymbol);
    if (code) return code;
  }
  return load_new(jit, order, key);
}

}  // namespace

ObjectIngredients ingredients_of(const KernelOrder& order) {
  return {.spec = canonical(order.spec),
          .kind = order.kind,
          .follows_indices = follows_indices(order),
          .frame_version = kFrameVersion,
          .generator_version = llvm_backend::kGeneratorVersion,
          .project_version = PTOJIT_VERSION,
          .llvm_version = llvm_backend::llvm_version(),
          .machine = print(llvm_backend::host_target(order.host))};
}

Result<Kernel> make_llvm_kernel(const KernelOrder& order) {
  const FeatureLevel level = best_level(order.host);
  const Result<LlvmJit> jit = LlvmJit::for_host(order.host);
  if (!jit) return jit.error();
  Result<LoadedCode> code = load(*jit, order);
  if (!code) return code.error();
  Result<CodeRegistration> known_as = CodeRegistration();
  if (announces_kernels()) {
    const Result<std::string> ir =
        llvm_backend::emit_ir(order.plan, kSymbol, llvm_backend::host_target(order.host));
    if (!ir) return ir.error();
    known_as = announce({order.spec, order.plan, describe_llvm(order),
                         "llvm." + std::string(name_of(level)) + suffix_of(order.kind),
                         code->bytes(), *ir});
  }
  if (!known_as) return known_as.error();
  return Kernel(std::make_unique<LlvmBody>(std::move(*code), order.spec, std::move(*known_as)));
}

std::string describe_llvm(const KernelOrder& order) {
  const FeatureLevel level = best_level(order.host);
  return std::string(name_of(level)) + ", groups of " +
         std::to_string(
             llvm_backend::group_size(order.plan, llvm_backend::host_target(order.host)));
}

}  // namespace pto::jit
