// The key of objects on disk: every ingredient counts, each is the one in use, and an entry that
// was made with another is not taken.
#include "jit/backends/objects/object_key.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>

#include "ir/frame.h"
#include "ir/spec_text.h"
#include "jit/backends/backend.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "jit/backends/objects/object_cache.h"
#include "jit/compile/compile.h"
#include "jit/version.h"
#include "targets/planner.h"
#include "tests/support/host_levels.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

constexpr int kMembers = 8;

// All members have a name here, so that one that is added must have its change.
void change_member(ObjectIngredients& ingredients, int number) {
  auto& [spec, kind, follows_indices, frame, generator, project, llvm, machine] = ingredients;
  switch (number) {
    case 0: spec.index.rows += 1; break;
    case 1: kind = KernelKind::Part; break;
    case 2: follows_indices = !follows_indices; break;
    case 3: ++frame; break;
    case 4: ++generator; break;
    case 5: project += "1"; break;
    case 6: llvm += "1"; break;
    case kMembers - 1: machine += "1"; break;
    default: FAIL() << number;
  }
}

std::vector<ObjectIngredients> changed_once(const ObjectIngredients& from) {
  std::vector<ObjectIngredients> out;
  for (int number = 0; number < kMembers; ++number) change_member(out.emplace_back(from), number);
  return out;
}

ObjectIngredients ingredients_for(const std::string& text, const HostFeatures& host,
                                  const StrategyWish& wish = {},
                                  KernelKind kind = KernelKind::Whole) {
  const LegalSpec legal = *verify(*parse(text));
  const KernelPlan plan = plan_of(kind, make_plan(legal));
  return ingredients_of({legal.spec(), plan, host, wish, kind});
}

const std::string kSpec = "a5:mgather.row.zero dst=f32[8x8] idx=i32[1x8] table=f32[32x8]";
const std::string kOther = "a5:mgather.row.zero dst=f32[8x8] idx=i32[1x8] table=f32[16x8]";

TEST(ObjectKey, ChangesWithEveryIngredient) {
  const ObjectIngredients ours = ingredients_for(kSpec, host_features());
  std::set<std::string> keys = {object_key(ours)};
  for (const ObjectIngredients& other : changed_once(ours)) keys.insert(object_key(other));
  EXPECT_EQ(keys.size(), 1U + kMembers);
}

TEST(ObjectKey, HoldsWhatIsInUse) {
  const ObjectIngredients ours = ingredients_for(kSpec, host_features());
  EXPECT_EQ(print(ours.spec), kSpec);
  EXPECT_EQ(ours.frame_version, kFrameVersion);
  EXPECT_EQ(ours.generator_version, llvm_backend::kGeneratorVersion);
  EXPECT_EQ(ours.project_version, PTOJIT_VERSION);
  EXPECT_EQ(ours.llvm_version, llvm_backend::llvm_version());
  EXPECT_GE(std::stoi(ours.llvm_version), 19) << "of the library that was loaded";
  EXPECT_EQ(ours.machine, print(llvm_backend::host_target(host_features())));
}

TEST(ObjectKey, DiffersForKindsStrategiesAndHosts) {
  std::set<std::string> keys;
  const auto add = [&](const ObjectIngredients& one) { keys.insert(object_key(one)); };
  for (const KernelKind kind : {KernelKind::Whole, KernelKind::Part, KernelKind::Audit})
    add(ingredients_for(kSpec, host_features(), {}, kind));
  add(ingredients_for(kSpec, host_features(), {.form = UnitForm::Lanes}));
  EXPECT_EQ(keys.size(), 4U);
  HostFeatures wider = host_features();
  wider.sve_bytes += 16;
  add(ingredients_for(kSpec, wider));
  EXPECT_EQ(keys.size(), 5U);
  std::set<std::string> machines;
  for (const FeatureLevel level : host_levels())
    machines.insert(ingredients_for(kSpec, with_level(host_features(), level)).machine);
  EXPECT_EQ(machines.size(), host_levels().size());
}

// Entries hold the object of another spec: whoever took one would run it.
TEST(ObjectKey, TakesNoEntryThatWasMadeWithAnotherIngredient) {
  const fs::path folder =
      fs::temp_directory_path() / ("ptojit_object_key_" + std::to_string(getpid()));
  const ObjectCacheOptions before = object_cache().options();
  object_cache().use({.directory = folder.string()});
  clear_cache();
  const CompileOptions by_llvm = {Backend::Llvm, FeatureLevel::Native};
  EXPECT_TRUE(compile(*parse(kOther), by_llvm));
  const auto other = object_cache().find(object_key(ingredients_for(kOther, host_features())));
  ASSERT_TRUE(other) << "this is the key that compiling uses";
  const ObjectIngredients ours = ingredients_for(kSpec, host_features());
  for (const ObjectIngredients& changed : changed_once(ours))
    object_cache().keep(object_key(changed), *other);
  const ObjectCacheStatistics start = object_cache().statistics();
  EXPECT_TRUE(compile(*parse(kSpec), by_llvm));
  EXPECT_EQ(object_cache().statistics().hits, start.hits);
  EXPECT_EQ(object_cache().statistics().writes, start.writes + 1);
  EXPECT_TRUE(object_cache().find(object_key(ours)));
  object_cache().use(before);
  clear_cache();
  fs::remove_all(folder);
}

}  // namespace
}  // namespace pto::jit::tests
