#include "jit/tools/bench/spatter.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "ir/diagnostic.h"
#include "jit/options/number_text.h"

namespace pto::jit::cli {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::uint64_t kMostIndices = std::uint64_t{1} << 24;  // of a pattern
constexpr std::uint64_t kMostNumber = std::uint64_t{1} << 40;

Diagnostic bad_pattern(std::string_view text, const std::string& why) {
  return error("spatter.pattern", "pattern '" + printable(text) + "': " + why);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = text.find(at);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  const std::optional<std::uint64_t> value = parse_number(text);
  return value && *value <= kMostNumber ? value : std::nullopt;
}

std::optional<Numbers> numbers_in(std::string_view text) {
  Numbers out;
  for (const std::string_view part : split(text, ',')) {
    const std::optional<std::uint64_t> value = number_in(part);
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return out;
}

// What a pattern's text gives: the indices, and the delta where it says one too.
struct Pattern {
  Numbers indices = {};
  std::optional<std::uint64_t> delta = {};
};
using Fields = std::vector<std::string_view>;

bool is_length(const std::optional<std::uint64_t>& value) {
  return value && *value >= 1 && *value <= kMostIndices;
}

// LENGTH:STRIDE[:DELTA|NR]: evenly spaced; NR goes on behind the last.
std::optional<Pattern> uniform(const Fields& fields) {
  if (fields.size() != 2 && fields.size() != 3) return std::nullopt;
  const auto length = number_in(fields[0]);
  const auto stride = number_in(fields[1]);
  if (!is_length(length) || !stride || *stride == 0) return std::nullopt;
  Pattern out;
  for (std::uint64_t i = 0; i < *length; ++i) out.indices.push_back(i * *stride);
  if (fields.size() == 2) return out;
  out.delta = fields[2] == "NR" ? *length * *stride : number_in(fields[2]);
  if (!out.delta || *out.delta == 0) return std::nullopt;
  return out;
}

// LENGTH:PLACES:GAPS: neighbours, but for a gap before each of the places; one gap serves for all.
std::optional<Pattern> mostly_stride_one(const Fields& fields) {
  if (fields.size() != 3) return std::nullopt;
  const auto length = number_in(fields[0]);
  const auto places = numbers_in(fields[1]);
  const auto gaps = numbers_in(fields[2]);
  if (!is_length(length) || !places || !gaps) return std::nullopt;
  if (gaps->size() != 1 && gaps->size() != places->size()) return std::nullopt;
  Pattern out;
  std::size_t place = 0;
  std::uint64_t behind = 0;  // the last index
  for (std::uint64_t i = 0; i < *length; ++i) {
    const bool is_gap = place < places->size() && (*places)[place] == i;
    const std::uint64_t step = is_gap ? (*gaps)[gaps->size() > 1 ? place : 0] : 1;
    if (is_gap) ++place;
    behind += step;
    if (behind == 0) return std::nullopt;  // a gap of 0 before the first
    out.indices.push_back(behind - 1);
  }
  return out;
}

// DIMENSIONS:ORDER:SIZE: the neighbours of a point in a grid, so many in each direction.
std::optional<Pattern> laplacian(const Fields& fields) {
  if (fields.size() != 3) return std::nullopt;
  const auto dimensions = number_in(fields[0]);
  const auto order = number_in(fields[1]);
  const auto size = number_in(fields[2]);
  if (!is_length(dimensions) || !is_length(order) || !size || *size == 0) return std::nullopt;
  if (*dimensions * *order > kMostIndices / 2) return std::nullopt;
  Numbers distances;
  std::uint64_t pitch = 1;
  for (std::uint64_t i = 0; i < *dimensions; ++i, pitch *= *size) {
    if (pitch > kMostNumber / *order / *size) return std::nullopt;
    for (std::uint64_t j = 1; j <= *order; ++j) distances.push_back(j * pitch);
  }
  const std::uint64_t middle = distances.back();
  Pattern out{.delta = 1};
  for (auto far = distances.rbegin(); far != distances.rend(); ++far)
    out.indices.push_back(middle - *far);
  out.indices.push_back(middle);
  for (const std::uint64_t far : distances) out.indices.push_back(middle + far);
  return out;
}

std::optional<Pattern> listed(const std::string& text) {
  std::optional<Numbers> indices = numbers_in(text);
  if (!indices || indices->size() > kMostIndices) return std::nullopt;
  return Pattern{.indices = std::move(*indices)};
}

struct Generator {
  std::string_view name;
  std::optional<Pattern> (*make)(const Fields&);
  std::string_view form;
};
constexpr std::array<Generator, 3> kGenerators = {{
    {"UNIFORM", uniform, "UNIFORM:LENGTH:STRIDE, then perhaps :DELTA or :NR"},
    {"MS1", mostly_stride_one, "MS1:LENGTH:PLACES:GAPS"},
    {"LAPLACIAN", laplacian, "LAPLACIAN:DIMENSIONS:ORDER:SIZE"},
}};

Result<Pattern> parse_pattern(const std::string& text) {
  Fields fields = split(text, ':');
  const auto generator = std::ranges::find(kGenerators, fields[0], &Generator::name);
  if (generator == kGenerators.end()) {
    std::optional<Pattern> out = listed(text);
    if (!out) return bad_pattern(text, "neither UNIFORM, MS1, LAPLACIAN nor a list of indices");
    return std::move(*out);
  }
  fields.erase(fields.begin());
  std::optional<Pattern> out = generator->make(fields);
  if (!out) return bad_pattern(text, "is not " + std::string(generator->form));
  return std::move(*out);
}

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Result<SpatterRun::Kind> parse_kind(const std::string& name) {
  const std::string low = lowered(name);
  if (low == "gather") return SpatterRun::Kind::Gather;
  if (low == "scatter") return SpatterRun::Kind::Scatter;
  const bool is_known = low == "gs" || low == "multigather" || low == "multiscatter";
  return error("spatter.kernel", is_known ? name +
                                                " moves through two patterns; here there are "
                                                "Gather and Scatter"
                                          : "there is no kernel '" + printable(name) +
                                                "'; here there are Gather and Scatter");
}

// A number of a JSON object, or what is wrong with it.
Result<std::optional<std::uint64_t>> number_of(const nlohmann::json& run, const char* field) {
  if (!run.contains(field)) return std::optional<std::uint64_t>();
  const nlohmann::json& value = run[field];
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMostNumber)
    return error("spatter.file", std::string(field) + " is " + printable(value.dump()) +
                                     ", not a whole number from 0 on");
  return std::optional(value.get<std::uint64_t>());
}

// A pattern as text: a string as it is, a list with commas.
Result<std::string> pattern_of(const nlohmann::json& run) {
  if (!run.contains("pattern")) return error("spatter.file", "a run has no pattern");
  const nlohmann::json& pattern = run["pattern"];
  if (pattern.is_string()) return pattern.get<std::string>();
  if (!pattern.is_array()) return error("spatter.file", "a pattern is a string or a list");
  std::string out;
  for (const nlohmann::json& index : pattern) out += (out.empty() ? "" : ",") + index.dump();
  return out;
}

Result<SpatterRun> parse_run(const nlohmann::json& run) {
  constexpr std::array kFields = {"name", "kernel", "pattern", "delta", "count", "wrap"};
  if (!run.is_object()) return error("spatter.file", "a run is a JSON object");
  SpatterOptions options;
  for (const auto& [field, value] :
       {std::pair{"kernel", &options.kernel}, std::pair{"name", &options.name}}) {
    if (!run.contains(field)) continue;
    if (!run[field].is_string())
      return error("spatter.file", std::string(field) + " is not a string");
    *value = run[field].get<std::string>();
  }
  if (Result<SpatterRun::Kind> kind = parse_kind(options.kernel); !kind) return kind.error();
  for (const auto& [field, value] : run.items()) {
    if (std::ranges::find(kFields, field) == kFields.end())
      return error("spatter.file", "field '" + printable(field) + "' has no meaning here");
  }
  const Result<std::string> pattern = pattern_of(run);
  if (!pattern) return pattern.error();
  options.pattern = *pattern;
  for (const auto& [field, value] :
       {std::pair{"delta", &options.delta}, std::pair{"count", &options.count},
        std::pair{"wrap", &options.wrap}}) {
    const Result<std::optional<std::uint64_t>> number = number_of(run, field);
    if (!number) return number.error();
    *value = *number;
  }
  return make_spatter_run(options);
}

}  // namespace

std::uint64_t SpatterRun::sparse_size() const {
  return std::ranges::max(pattern) + delta * (count - 1) + 1;
}

Result<SpatterRun> make_spatter_run(const SpatterOptions& options) {
  const Result<SpatterRun::Kind> kind = parse_kind(options.kernel);
  if (!kind) return kind.error();
  Result<Pattern> pattern = parse_pattern(options.pattern);
  if (!pattern) return pattern.error();
  SpatterRun out{.name = printable(options.name.empty() ? options.pattern : options.name),
                 .kind = *kind,
                 .pattern = std::move(pattern->indices)};
  out.delta = pattern->delta.value_or(options.delta.value_or(out.delta));
  out.count = options.count.value_or(out.count);
  out.wrap = options.wrap.value_or(out.wrap);
  if (pattern->delta && options.delta && *pattern->delta != *options.delta)
    return error("spatter.delta", "the pattern says delta " + std::to_string(*pattern->delta) +
                                      ", the option " + std::to_string(*options.delta));
  if (out.count == 0 || out.wrap == 0 || out.wrap > kMostIndices)
    return error("spatter.size", "count and wrap are at least 1, wrap at most 2^24");
  if (out.count > kMostNumber / std::max<std::uint64_t>(out.delta, out.pattern.size()))
    return error("spatter.size", "count " + std::to_string(out.count) + " reaches too far");
  return out;
}

Result<std::vector<SpatterRun>> parse_spatter_file(const std::string& text) {
  const nlohmann::json all = nlohmann::json::parse(text, nullptr, false);
  if (all.is_discarded()) return error("spatter.file", "this is not JSON");
  if (!all.is_array() || all.empty()) return error("spatter.file", "this is not a list of runs");
  std::vector<SpatterRun> out;
  for (const nlohmann::json& run : all) {
    Result<SpatterRun> parsed = parse_run(run);
    if (!parsed) return parsed.error();
    out.push_back(std::move(*parsed));
  }
  return out;
}

}  // namespace pto::jit::cli
