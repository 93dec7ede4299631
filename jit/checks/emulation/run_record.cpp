#include "jit/checks/emulation/run_record.h"

#include <array>
#include <charconv>

namespace pto::jit {
namespace {

using Fields = std::vector<std::string_view>;

constexpr std::size_t kTouchFields = 5;
constexpr std::string_view kLocal = "UB";

struct KindRow {
  std::string_view word;
  StepKind kind;
};
constexpr std::array kKinds = {
    KindRow{"operation", StepKind::Operation}, KindRow{"set", StepKind::Set},
    KindRow{"wait", StepKind::Wait},           KindRow{"barrier", StepKind::Barrier},
    KindRow{"follow", StepKind::Follow},
};

Fields split(std::string_view line, char mark) {
  Fields out;
  while (true) {
    const std::size_t end = line.find(mark);
    out.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return out;
    line.remove_prefix(end + 1);
  }
}

std::uint64_t number(std::string_view text) {
  std::uint64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

std::string at(const Fields& fields, std::size_t place) {
  return place < fields.size() ? std::string(fields[place]) : "";
}

Step operation(const Fields& fields) {
  Step out{.pipe = at(fields, 1), .name = at(fields, 2)};
  for (std::size_t i = 3; i + kTouchFields <= fields.size(); i += kTouchFields) {
    out.touches.push_back({.where = at(fields, i + 1),
                           .is_write = fields[i] == "writes",
                           .begin = number(fields[i + 2]),
                           .end = number(fields[i + 3]),
                           .bytes = number(fields[i + 4])});
  }
  return out;
}

void take(RunRecord& record, std::string_view line) {
  const Fields fields = split(line, '\t');
  if (fields[0] == "report") record.reports += at(fields, 1) + "\n";
  if (fields[0] == "automatic") record.is_automatic = true;
  for (const KindRow& row : kKinds) {
    if (row.word != fields[0]) continue;
    const bool is_operation = row.kind == StepKind::Operation;
    record.steps.push_back(is_operation
                               ? operation(fields)
                               : Step{row.kind, at(fields, 1), at(fields, 2), at(fields, 3)});
  }
}

}  // namespace

std::optional<RunRecord> parse_record(std::string_view text) {
  if (!text.ends_with("end\n")) return std::nullopt;
  RunRecord out;
  for (const std::string_view line : split(text, '\n')) take(out, line);
  return out;
}

void Account::add(const RunRecord& record) {
  for (const Step& step : record.steps) {
    operations += step.kind == StepKind::Operation ? 1 : 0;
    barriers += step.kind == StepKind::Barrier ? 1 : 0;
    waits += step.kind == StepKind::Wait ? 1 : 0;
    if (step.kind == StepKind::Wait) meetings.insert({step.pipe, step.to});
    const bool is_moved = step.pipe == "MTE2" || step.pipe == "MTE3";
    transfers += step.kind == StepKind::Operation && is_moved ? 1 : 0;
    for (const Touch& touch : step.touches) {
      if (touch.where == kLocal) continue;
      (touch.is_write ? bytes_written : bytes_read) += touch.bytes;
    }
  }
}

}  // namespace pto::jit
