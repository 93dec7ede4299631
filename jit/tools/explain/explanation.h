// Explanation: all that is known of one kernel, worked out once. The printers beside it decide
// nothing: what they show is here, and the JSON has every number of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/plan_steps.h"
#include "ir/result.h"
#include "jit/checks/compare/reasons.h"
#include "jit/checks/schedule.h"
#include "jit/checks/source_check.h"

namespace pto::jit::cli {

struct TileSpan {
  std::string name = {};
  std::string shape = {};  // "8x32 f32"
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::int64_t valid_bytes = 0;
  std::int64_t padding = 0;  // bytes inside that are not valid
  std::int64_t gap = 0;      // up to the next multiple of 32 bytes
};

struct MemoryMap {
  std::vector<TileSpan> tiles = {};
  bool is_placed = true;    // by offsets of the text, not by the device's compiler
  std::int64_t budget = 0;  // 0: no limit
  std::int64_t plain = 0;   // what a launch grants without asking; 0: all of it
  std::int64_t used = 0;
  std::int64_t left = 0;
  std::int64_t dynamic_bytes = 0;  // dynUBufSize; 0: not asked for
  std::string parts = {};          // "in one call", "2 calls of up to 512 rows"
  std::int64_t calls = 1;
};

struct Work {
  std::int64_t indices = 0;      // positions, where there are no indices
  std::int64_t index_bytes = 0;  // of one
  std::int64_t bytes_per_index = 0;
  std::int64_t elements_per_index = 0;
  std::int64_t bytes_moved = 0;
  std::int64_t capacity = 0;
};

// A target's verdict, and how it goes about the operation where it takes it.
struct TargetView {
  std::string name = {};
  bool is_own = false;
  bool is_legal = false;
  Diagnostics said = {};            // broken rules, or notes
  std::vector<PlanStep> rows = {};  // what the targets are compared by; none where it is not legal
};

struct TargetsView {
  std::vector<TargetView> targets = {};
  std::vector<std::string> differing = {};  // labels of rows that are not the same everywhere
  std::vector<Reason> reasons = {};         // `matters`: seen on made-up data
  std::string absent = {};                  // why there is no comparison; empty: there is one
};

// What a verb of the walks wrote of the machine code.
struct VerbView {
  std::string name = {};
  std::vector<std::string> lines = {};  // labels of the plan's lines that it does
  std::string does = {};                // in words
  std::int64_t instructions = 0;
  std::int64_t bytes = 0;
};

struct InstructionView {
  std::size_t offset = 0;
  std::string text = {};
  std::vector<std::string> verbs = {};  // at work when it was written, the one that wrote it last
};

struct HostView {
  std::string strategy = {};
  std::int64_t bytes = 0;  // of all operands
  std::string level = {};  // of memory they fit into
  std::string bound_by = {};
  std::vector<VerbView> verbs = {};  // in the order in which they first write
  std::vector<InstructionView> code = {};
  std::string absent = {};  // why there is no machine code; empty: there is
};

struct MoveStep {
  std::int64_t position = 0;
  std::string from = {};  // "src[3,0]", the tile's side
  std::optional<std::uint64_t> index = {};
  bool is_outside = false;
  std::int64_t cell = -1;           // of the addressed side; -1: nothing is addressed
  std::int64_t collides_with = -1;  // the latest earlier position at the same cell, of a scatter
  std::string outcome = {};         // in words
};

struct MoveView {
  std::string indices = {};  // where they come from
  std::string tile = {};
  std::string index = {};
  std::string table = {};
  bool to_table = true;
  std::int64_t positions = 0;
  std::int64_t outside = 0;
  std::int64_t collisions = 0;
  std::int64_t table_cells = 0;
  std::string cell_is = {};              // what a cell of the table stands for
  std::vector<std::int64_t> cells = {};  // those that are shown
  std::vector<MoveStep> steps = {};      // the first of them
};

// An emulated run, as much of it as is shown.
struct RunView {
  Schedule schedule = {};
  std::size_t slices = 0;  // that there are
  std::uint64_t end = 0;   // blocks
  Account account = {};
  std::vector<std::size_t> reported = {};  // operations at fault, by their numbers
  std::string reports = {};
};

enum class Need : std::uint8_t { Unknown, Proved, NotMissed };

struct WaitView {
  std::string what = {};      // "MTE2 to V"
  std::string place = {};     // "between the loads and the call"
  std::string protects = {};  // in words
  std::size_t line = 0;       // of the text, from 1
  Need need = Need::Unknown;
  std::string found = {};               // what the emulation says without it
  std::optional<RunView> without = {};  // where it is missed
};

struct FormView {
  std::string name = {};    // "intrinsic"
  std::string absent = {};  // why there is no such text
  std::string how = {};     // bursts, lanes, scalar accesses
  std::string text = {};
  std::vector<WaitView> waits = {};
  std::optional<RunView> run = {};
};

struct Explanation {
  std::string spec = {};
  std::string bound = {};   // the same with values for each '?'
  std::string device = {};  // what a device has of it instead, and why; empty: all of it
  std::string summary = {};
  std::string meaning = {};
  std::vector<PlanStep> plan = {};
  MemoryMap memory = {};
  Work work = {};
  TargetsView targets = {};
  HostView host = {};
  std::optional<MoveView> move = {};
  std::string move_absent = {};
  std::vector<FormView> forms = {};
  std::string run_absent = {};  // why nothing was run; empty: it was
};

struct ExplainInputs {
  CheckInputs check = {};
  bool is_run = true;  // in the emulation
};

// The legal spec looked at from all sides. Fails where values or files do.
Result<Explanation> explain(const LegalSpec& legal, const ExplainInputs& inputs);

std::string_view name_of(Need need);

}  // namespace pto::jit::cli
