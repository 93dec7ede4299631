// An explanation for a terminal.
#include <algorithm>

#include "jit/tools/explain/printers.h"
#include "jit/tools/explain/views.h"

namespace pto::jit::cli {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kBar = 64;

std::string heading(std::string_view title) { return "\n" + std::string(title) + "\n"; }

std::string line(std::string label, const std::string& text) {
  label.resize(std::max<std::size_t>(label.size() + 1, 14), ' ');
  return "  " + label + text + "\n";
}

std::string wrapped(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = end - at;
    if (column > 0 && column + 1 + length > kWidth) {
      out += "\n";
      column = 0;
    }
    if (column > 0) out += " ";
    out.append(text, at, length);
    column += length + (column > 0 ? 1 : 0);
    at = end + 1;
  }
  return out + "\n";
}

std::string targets_text(const TargetsView& view) {
  std::string out = heading("targets");
  for (const TargetView& target : view.targets) {
    out += line(target.name, target.is_legal ? "legal" : "not legal");
    for (const Diagnostic& said : target.said) out += line("", "[" + said.id + "] " + said.message);
  }
  for (const Reason& reason : view.reasons)
    out += line(reason.matters ? "differs" : "may differ", "[" + reason.id + "] " + reason.what);
  if (!view.absent.empty()) out += line("", view.absent);
  return out;
}

// One character a share of what is used: the number of the tile that has its last byte.
std::string bar(const MemoryMap& memory) {
  const std::int64_t whole = memory.used;
  if (whole == 0) return "";
  std::string out(kBar, '.');
  for (std::size_t i = 0; i < memory.tiles.size(); ++i) {
    const TileSpan& tile = memory.tiles[i];
    const auto at = [&](std::int64_t byte) {
      return static_cast<std::size_t>(byte * static_cast<std::int64_t>(kBar) / whole);
    };
    const std::size_t last =
        std::min(at(std::max<std::int64_t>(tile.offset + tile.bytes - 1, 0)), kBar - 1);
    for (std::size_t c = std::min(at(tile.offset), kBar - 1); c <= last; ++c)
      out[c] = static_cast<char>('1' + i);
  }
  return out;
}

std::string memory_text(const MemoryMap& memory) {
  std::string out = heading("local memory");
  if (memory.is_placed && !memory.tiles.empty()) out += "  [" + bar(memory) + "]\n";
  for (std::size_t i = 0; i < memory.tiles.size(); ++i) {
    const TileSpan& tile = memory.tiles[i];
    const std::string at = memory.is_placed ? " at " + std::to_string(tile.offset) : "";
    out +=
        line(std::to_string(i + 1) + " " + tile.name,
             tile.shape + ", " + count_text(tile.bytes, "byte") + at + ", " +
                 std::to_string(tile.valid_bytes) + " valid, " + std::to_string(tile.padding) +
                 " padding" + (tile.gap > 0 ? ", then a gap of " + std::to_string(tile.gap) : ""));
  }
  out += line("used", count_text(memory.used, "byte") +
                          (memory.budget > 0 ? " of " + std::to_string(memory.budget) + ", " +
                                                   std::to_string(memory.left) + " left"
                                             : ""));
  if (!memory.is_placed) out += line("placed", "by the device's compiler");
  if (memory.dynamic_bytes > 0)
    out += line("dynUBufSize", std::to_string(memory.dynamic_bytes) + ", beyond the " +
                                   std::to_string(memory.plain) + " bytes of every launch");
  return out + line("parts", memory.parts);
}

std::string work_text(const Work& work) {
  return heading("work") +
         line("moves", count_text(work.indices, work.index_bytes > 0 ? "time" : "unit") + " " +
                           count_text(work.bytes_per_index, "byte") + ", " +
                           count_text(work.elements_per_index, "element") + " each") +
         line("in all", count_text(work.bytes_moved, "byte") + " moved, " +
                            count_text(work.indices * work.index_bytes, "byte") +
                            " of indices read");
}

std::string move_text(const MoveView& move) {
  std::string out = heading("move, on " + move.indices);
  out +=
      line("positions", std::to_string(move.positions) + ", " + std::to_string(move.outside) +
                            " beyond the end, " + std::to_string(move.collisions) + " colliding");
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < std::min(kShown, move.steps.size()); ++i) {
    const MoveStep& step = move.steps[i];
    out += line(step.from,
                (step.index ? "index " + std::to_string(*step.index) + ": " : "") + step.outcome);
  }
  return out;
}

std::string form_text(const FormView& form) {
  std::string out = heading(form.name);
  if (!form.absent.empty()) return out + line("none", form.absent);
  out += line("by", form.how);
  for (const WaitView& wait : form.waits) {
    out += line(wait.what, wait.place + ", line " + std::to_string(wait.line) + ": " +
                               wait.protects + "; " + std::string(name_of(wait.need)));
    if (!wait.found.empty()) out += line("", "without it: " + wait.found);
  }
  if (!form.run) return out;
  const Account& account = form.run->account;
  return out +
         line("run", count_text(account.operations, "operation") + ", " +
                         count_text(account.transfers, "transfer") + ", " +
                         count_text(account.waits, "wait") + ", " +
                         std::to_string(account.bytes_read) + " bytes read and " +
                         std::to_string(account.bytes_written) + " written in global memory, " +
                         count_text(static_cast<std::int64_t>(form.run->end), "step") +
                         " of the emulation") +
         (form.run->reports.empty() ? "" : line("reported", form.run->reports));
}

std::string host_text(const HostView& host) {
  std::string out = heading("host") + line("strategy", host.strategy) +
                    line("memory", count_text(host.bytes, "byte") + ", " + host.level) +
                    line("bound by", host.bound_by) + heading("machine code, by verb");
  if (!host.absent.empty()) return out + line("none", host.absent);
  for (const VerbView& verb : host.verbs) {
    std::string lines;
    for (const std::string& label : verb.lines) lines += (lines.empty() ? "" : ", ") + label;
    out += line(verb.name, count_text(verb.instructions, "instruction") + ", " +
                               count_text(verb.bytes, "byte") +
                               (lines.empty() ? "" : ", for " + lines) + ": " + verb.does);
  }
  return out;
}

}  // namespace

std::string text_of(const Explanation& made) {
  std::string out = made.spec + "\n";
  if (made.bound != made.spec) out += "looked at as " + made.bound + "\n";
  out += "\n" + wrapped(made.summary + " " + made.meaning) + targets_text(made.targets) +
         heading("plan");
  for (const PlanStep& step : made.plan) out += line(std::string(step.label), step.text);
  if (!made.device.empty()) out += heading("on the device") + wrapped(made.device);
  out += memory_text(made.memory) + work_text(made.work);
  out += made.move ? move_text(*made.move) : heading("move") + line("none", made.move_absent);
  for (const FormView& form : made.forms) out += form_text(form);
  if (!made.run_absent.empty()) out += heading("emulated run") + line("none", made.run_absent);
  return out + host_text(made.host);
}

}  // namespace pto::jit::cli
