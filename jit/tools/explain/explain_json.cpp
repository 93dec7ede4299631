// Every number of an explanation, as data.
#include <nlohmann/json.hpp>

#include "jit/doors/cli/command.h"
#include "jit/tools/explain/printers.h"

namespace pto::jit::cli {
namespace {

using nlohmann::json;

// A member, or why there is none.
void put_absent(json& out, const std::string& why) {
  if (!why.empty()) out["absent"] = why;
}

json steps_json(const std::vector<PlanStep>& steps) {
  json out = json::object();
  for (const PlanStep& step : steps) out[std::string(step.label)] = step.text;
  return out;
}

json memory_json(const MemoryMap& memory) {
  json tiles = json::array();
  for (const TileSpan& tile : memory.tiles) {
    tiles.push_back({{"name", tile.name},
                     {"shape", tile.shape},
                     {"offset", tile.offset},
                     {"bytes", tile.bytes},
                     {"valid_bytes", tile.valid_bytes},
                     {"padding", tile.padding},
                     {"gap", tile.gap}});
  }
  return {
      {"tiles", tiles},        {"placed", memory.is_placed}, {"budget", memory.budget},
      {"plain", memory.plain}, {"used", memory.used},        {"left", memory.left},
      {"parts", memory.parts}, {"calls", memory.calls},      {"dynUBufSize", memory.dynamic_bytes}};
}

json host_json(const HostView& host) {
  json verbs = json::array();
  for (const VerbView& verb : host.verbs) {
    verbs.push_back({{"verb", verb.name},
                     {"lines", verb.lines},
                     {"does", verb.does},
                     {"instructions", verb.instructions},
                     {"bytes", verb.bytes}});
  }
  json code = json::array();
  for (const InstructionView& line : host.code)
    code.push_back({{"at", line.offset}, {"text", line.text}, {"verbs", line.verbs}});
  json out = {{"strategy", host.strategy}, {"bytes", host.bytes}, {"level", host.level},
              {"bound_by", host.bound_by}, {"verbs", verbs},      {"code", code}};
  put_absent(out, host.absent);
  return out;
}

json targets_json(const TargetsView& view) {
  json out = {{"all", json::array()}, {"differing", view.differing}, {"reasons", json::array()}};
  for (const TargetView& target : view.targets) {
    out["all"].push_back({{"target", target.name},
                          {"own", target.is_own},
                          {"legal", target.is_legal},
                          {"diagnostics", to_json(target.said)},
                          {"rows", steps_json(target.rows)}});
  }
  for (const Reason& reason : view.reasons)
    out["reasons"].push_back({{"id", reason.id}, {"what", reason.what}, {"seen", reason.matters}});
  put_absent(out, view.absent);
  return out;
}

json step_json(const MoveStep& step) {
  json out = {{"position", step.position}, {"from", step.from}, {"outcome", step.outcome}};
  if (step.index) out["index"] = *step.index;
  if (step.index) out["outside"] = step.is_outside;
  if (step.cell >= 0) out["cell"] = step.cell;
  if (step.collides_with >= 0) out["collides_with"] = step.collides_with;
  return out;
}

json move_json(const MoveView& move) {
  json steps = json::array();
  for (const MoveStep& step : move.steps) steps.push_back(step_json(step));
  return {{"indices", move.indices},         {"positions", move.positions},
          {"outside", move.outside},         {"collisions", move.collisions},
          {"table_cells", move.table_cells}, {"cell", move.cell_is},
          {"shown", move.steps.size()},      {"steps", steps}};
}

json slice_json(const Schedule& schedule, const Slice& slice) {
  json out = {{"pipe", schedule.tracks[slice.track]},
              {"what", slice.what},
              {"at", slice.at},
              {"blocks", slice.blocks}};
  for (const Touch& touch : slice.touches)
    out[touch.is_write ? "writes" : "reads"].push_back({{"memory", touch.where},
                                                        {"begin", touch.begin},
                                                        {"end", touch.end},
                                                        {"bytes", touch.bytes}});
  if (slice.operation > 0) out["operation"] = slice.operation;
  return out;
}

json run_json(const RunView& run) {
  json slices = json::array();
  for (const Slice& slice : run.schedule.slices) slices.push_back(slice_json(run.schedule, slice));
  return {{"steps", run.slices},
          {"shown", run.schedule.slices.size()},
          {"blocks", run.end},
          {"operations", run.account.operations},
          {"transfers", run.account.transfers},
          {"waits", run.account.waits},
          {"barriers", run.account.barriers},
          {"bytes_read", run.account.bytes_read},
          {"bytes_written", run.account.bytes_written},
          {"reported", run.reported},
          {"reports", run.reports},
          {"timeline", slices}};
}

json form_json(const FormView& form) {
  json out = {{"form", form.name}, {"waits", json::array()}};
  put_absent(out, form.absent);
  if (!form.absent.empty()) return out;
  out["how"] = form.how;
  out["text"] = form.text;
  for (const WaitView& wait : form.waits) {
    out["waits"].push_back({{"what", wait.what},
                            {"place", wait.place},
                            {"protects", wait.protects},
                            {"line", wait.line},
                            {"need", name_of(wait.need)},
                            {"without", wait.found}});
    if (wait.without) out["waits"].back()["run"] = run_json(*wait.without);
  }
  if (form.run) out["run"] = run_json(*form.run);
  return out;
}

json work_json(const Work& work) {
  return {{"indices", work.indices},
          {"index_bytes", work.index_bytes},
          {"bytes_per_index", work.bytes_per_index},
          {"elements_per_index", work.elements_per_index},
          {"bytes_moved", work.bytes_moved},
          {"capacity", work.capacity}};
}

}  // namespace

json json_of(const Explanation& made) {
  json out = {{"spec", made.spec},
              {"bound", made.bound},
              {"summary", made.summary},
              {"meaning", made.meaning},
              {"plan", steps_json(made.plan)},
              {"memory", memory_json(made.memory)},
              {"call", work_json(made.work)},
              {"targets", targets_json(made.targets)},
              {"host", host_json(made.host)},
              {"forms", json::array()},
              {"run", {{"done", made.run_absent.empty()}}}};
  put_absent(out["run"], made.run_absent);
  if (!made.device.empty()) out["device"] = made.device;
  out["move"] = made.move ? move_json(*made.move) : json{{"absent", made.move_absent}};
  for (const FormView& form : made.forms) out["forms"].push_back(form_json(form));
  return out;
}

}  // namespace pto::jit::cli
