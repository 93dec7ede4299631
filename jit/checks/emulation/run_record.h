// RunRecord: what an emulated run found, and what it did step by step. Account: what that comes to.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pto::jit {

// The accesses of one operation to one memory, of one kind.
struct Touch {
  std::string where;  // "UB", or an operand's name
  bool is_write = false;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t bytes = 0;
};

enum class StepKind : std::uint8_t { Operation, Set, Wait, Barrier, Follow };

struct Step {
  StepKind kind = StepKind::Operation;
  std::string pipe;       // "MTE2"; of a flag the one that sets it
  std::string to = {};    // the one that waits, or follows
  std::string name = {};  // of the operation, or the flag
  std::vector<Touch> touches = {};
};

struct RunRecord {
  std::string reports;        // one a line; empty when nothing was found
  bool is_automatic = false;  // every operation comes after all earlier ones
  std::vector<Step> steps = {};
};

// What an emulated program wrote down; nothing when it did not come to its end.
std::optional<RunRecord> parse_record(std::string_view text);

struct Account {
  std::int64_t operations = 0;
  std::int64_t transfers = 0;  // those of them between global and local memory
  std::int64_t waits = 0;      // flags waited for, inside instructions too
  std::int64_t barriers = 0;
  std::uint64_t bytes_read = 0;  // in global memory
  std::uint64_t bytes_written = 0;
  std::set<std::pair<std::string, std::string>> meetings = {};  // who set what whom waited for

  void add(const RunRecord& record);
};

}  // namespace pto::jit
