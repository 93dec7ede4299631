#include "jit/checks/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "ir/half.h"
#include "ir/interpreter.h"
#include "ir/mnemonic.h"
#include "ir/storage.h"
#include "jit/compile/compile.h"
#include "targets/planner.h"

namespace pto::jit {
namespace {

// Lanes follow an index that nothing checks wherever it leads, as targets do; other forms may read
// something else for it.
constexpr StrategyWish kAnywhere = {.form = UnitForm::Lanes};

constexpr std::size_t kShown = 5;

float number_of(DType dtype, std::uint32_t bits) {
  if (dtype == DType::F16) return widen_f16(static_cast<std::uint16_t>(bits));
  if (dtype == DType::BF16) return widen_bf16(static_cast<std::uint16_t>(bits));
  return std::bit_cast<float>(bits);
}

std::uint32_t bits_at(DType dtype, const std::byte* at) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, at, static_cast<std::size_t>(size_of(dtype)));
  return bits;
}

// Which NaN a sum yields is nobody's business.
bool is_nan(DType dtype, const std::byte* at) {
  return info_of(dtype).kind == NumberKind::Float &&
         std::isnan(number_of(dtype, bits_at(dtype, at)));
}

// Where an element of an operand's storage is, in its user's words.
std::string place_of(const KernelSpec& bound, const OperandStore::Held& held,
                     std::int64_t element) {
  const std::string flat = held.name + "[" + std::to_string(element) + "]";
  if (!is_tile(held.operand.role)) return flat;
  const Tile& tile = tile_of(bound, held.operand.role);
  if (element >= std::int64_t{tile.rows} * tile.cols) return flat + ", beyond its end";
  const TilePoint point = point_in(tile, element);
  return held.name + "[" + std::to_string(point.row) + "," + std::to_string(point.col) + "]";
}

void add_mismatches(Difference& out, const BoundSpec& target, const OperandStore::Held& a,
                    const OperandStore::Held& b) {
  const DType dtype = dtype_of(target.spec(), a.operand.role);
  const auto size = static_cast<std::size_t>(size_of(dtype));
  const bool sums = target.plan().combine == Atomic::Add;
  for (std::size_t at = 0; at + size <= a.bytes().size(); at += size) {
    const std::byte* first = a.bytes().data() + at;
    const std::byte* second = b.bytes().data() + at;
    if (std::memcmp(first, second, size) == 0) continue;
    if (sums && is_nan(dtype, first) && is_nan(dtype, second)) continue;
    if (out.some.size() < kShown) {
      out.some.push_back({place_of(target.spec(), a, static_cast<std::int64_t>(at / size)),
                          value_text(dtype, first), value_text(dtype, second)});
    }
    ++out.count;
  }
}

std::string text_of(const AuditReport& report) {
  return std::to_string(report.out_of_bounds) + " out of bounds, " +
         std::to_string(report.collisions) + " collisions";
}

Difference difference(const BoundSpec& target, const OperandStore& a, const OperandStore& b) {
  Difference out;
  for (std::size_t i = 0; i < a.operands().size(); ++i) {
    add_mismatches(out, target, a.operands()[i], b.operands()[i]);
  }
  if (!(a.report() == b.report())) {
    out.some.push_back({"report", text_of(a.report()), text_of(b.report())});
    ++out.count;
  }
  return out;
}

std::string name_of_target(const BoundSpec& target) {
  return std::string(name_of(target.spec().target));
}

// The spec's own target comes first, so that the others are compared with it.
std::vector<Target> in_order(const CompareRequest& request) {
  std::vector<Target> out = request.targets;
  std::ranges::stable_partition(out, [&](Target t) { return t == request.spec.target; });
  return out;
}

// Whether a stated conflict policy is all that a target has against a spec: one that always keeps
// the last writer does the same operation without it.
bool has_no_conflicts(KernelSpec spec) {
  if (spec.conflict == Conflict::Unstated || is_legal(spec)) return false;
  spec.conflict = Conflict::Unstated;
  return is_legal(spec);
}

// What a target makes of the operation, or why it does not take it.
Result<BoundSpec> bound_target(const CompareRequest& request, Target target) {
  const Result<LegalSpec> legal = on_target(request.spec, target);
  if (!legal) return legal.error();
  return jit::bind(*legal, request.bindings);
}

// The interpreter's result, and differences from it by the other backends.
Result<OperandStore> run(const CompareRequest& request, const BoundSpec& target,
                         const MadeMemory& memory, Comparison& out) {
  OperandStore expected =
      memory.after(target, [&](const Frame& frame) { interpret(target.plan(), frame); });
  for (const Backend backend : request.backends) {
    const bool has_strategies = backend != Backend::Interpreter;
    const StrategyWish wish = has_strategies ? kAnywhere : StrategyWish{};
    const Result<Kernel> kernel = compile(target.legal(), {.backend = backend, .strategy = wish});
    if (!kernel) return kernel.error();
    Difference found = difference(target, expected, memory.after(target, *kernel));
    if (found.count == 0) continue;
    found.first = name_of_target(target) + " by the interpreter";
    found.second = name_of_target(target) + " by " + std::string(name_of(backend));
    out.differences.push_back(std::move(found));
  }
  return expected;
}

void compare_targets(const BoundSpec& first, const BoundSpec& second, const MadeMemory& memory,
                     Difference found, Comparison& out) {
  std::vector<Reason> reasons = reasons_between(first, second, memory);
  for (const Reason& reason : reasons) {
    if (!reason.matters || found.count == 0) out.unseen.push_back(reason);
  }
  if (found.count == 0) return;
  const bool is_explained = std::ranges::any_of(reasons, &Reason::matters);
  if (is_explained) std::erase_if(reasons, [](const Reason& reason) { return !reason.matters; });
  found.first = name_of_target(first);
  found.second = name_of_target(second);
  found.reasons = std::move(reasons);
  out.differences.push_back(std::move(found));
}

}  // namespace

Result<LegalSpec> on_target(KernelSpec spec, Target target) {
  spec.target = target;
  if (has_no_conflicts(spec)) spec.conflict = Conflict::Unstated;
  return verify(spec);
}

std::string value_text(DType dtype, const std::byte* at) {
  const std::uint32_t bits = bits_at(dtype, at);
  std::array<char, 40> text{};
  switch (info_of(dtype).kind) {
    case NumberKind::Float:
      std::snprintf(text.data(), text.size(), "%.9g", static_cast<double>(number_of(dtype, bits)));
      break;
    case NumberKind::Signed: {
      const int unused = 32 - 8 * static_cast<int>(size_of(dtype));
      const auto value = static_cast<std::int32_t>(bits << unused) >> unused;
      std::snprintf(text.data(), text.size(), "%d", value);
      break;
    }
    case NumberKind::Unsigned: std::snprintf(text.data(), text.size(), "%u", bits); break;
    case NumberKind::Opaque: std::snprintf(text.data(), text.size(), "0x%02x", bits); break;
  }
  return text.data();
}

Result<Comparison> compare(const CompareRequest& request) {
  Comparison out;
  std::vector<BoundSpec> legal;
  for (const Target target : in_order(request)) {
    const Result<BoundSpec> made = bound_target(request, target);
    out.targets.push_back(
        {target, made.has_value(), made ? notes_on(made->legal()) : made.error()});
    if (made) legal.push_back(*made);
  }
  if (legal.empty()) return out.targets.empty() ? Diagnostics{} : out.targets.front().said;
  const Result<MadeMemory> memory = MadeMemory::make(legal, request.seed);
  if (!memory) return memory.error();
  std::vector<OperandStore> results;
  for (const BoundSpec& target : legal) {
    Result<OperandStore> result = run(request, target, *memory, out);
    if (!result) return result.error();
    results.push_back(std::move(*result));
  }
  for (std::size_t i = 1; i < legal.size(); ++i) {
    compare_targets(legal[0], legal[i], *memory, difference(legal[0], results[0], results[i]), out);
  }
  return out;
}

}  // namespace pto::jit
