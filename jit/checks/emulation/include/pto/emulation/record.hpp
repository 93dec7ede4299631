// What a run did, step by step in program order, as text for whoever counts or draws it: one line a
// step, fields between tabs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pto/emulation/pipes.hpp"

namespace pto::emulation {

// The accesses of one operation to one memory, of one kind.
struct Touch {
  const char* where = "";  // the memory's name, told apart by its address
  bool is_write = false;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t bytes = 0;  // a byte counts as often as it is touched
};

class Record {
 public:
  void add_operation(const char* name, pipe_t pipe) {
    add({"operation", name_of(pipe), name});
    touches_.push_back({});
  }
  void add_flag(const char* what, const Flag& flag) {
    add({what, name_of(flag.from), name_of(flag.to), "EVENT_ID" + std::to_string(flag.event)});
  }
  void add_barrier(pipe_t pipe) { add({"barrier", name_of(pipe)}); }
  void add_order(pipe_t later, pipe_t earlier) {
    add({"follow", name_of(earlier), name_of(later)});
  }

  // Of an operation, numbered from 1.
  void add_touch(std::size_t operation, const Touch& more) {
    std::vector<Touch>& touches = touches_[operation - 1];
    for (Touch& touch : touches) {
      if (touch.where != more.where || touch.is_write != more.is_write) continue;
      touch.begin = std::min(touch.begin, more.begin);
      touch.end = std::max(touch.end, more.end);
      touch.bytes += more.bytes;
      return;
    }
    touches.push_back(more);
  }

  std::string text() const {
    std::string out;
    std::size_t operation = 0;
    for (const std::string& line : lines_) {
      out += line;
      if (line.rfind("operation", 0) == 0) {
        for (const Touch& touch : touches_[operation++]) out += spell(touch);
      }
      out += "\n";
    }
    return out;
  }

 private:
  void add(const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields) line += (line.empty() ? "" : "\t") + field;
    lines_.push_back(std::move(line));
  }

  static std::string spell(const Touch& touch) {
    return std::string(touch.is_write ? "\twrites\t" : "\treads\t") + touch.where + "\t" +
           std::to_string(touch.begin) + "\t" + std::to_string(touch.end) + "\t" +
           std::to_string(touch.bytes);
  }

  std::vector<std::string> lines_;
  std::vector<std::vector<Touch>> touches_;  // of each operation
};

}  // namespace pto::emulation
