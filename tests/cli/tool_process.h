// The tool in a process of its own, for what ends processes and what they take.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pto::jit::tests {

class ToolProcess {
 public:
  struct End {
    int exit = -1;   // -1: it was ended by
    int signal = 0;  // this
    std::string err;
    double cpu_seconds = 0;
    std::int64_t bytes = 0;  // resident at most, beyond what it began with
  };

  // Without the tool's own name. `before` is done in the new process.
  explicit ToolProcess(const std::vector<std::string>& arguments,
                       const std::function<void()>& before = {});
  ~ToolProcess();
  ToolProcess(const ToolProcess&) = delete;
  ToolProcess& operator=(const ToolProcess&) = delete;
  ToolProcess(ToolProcess&&) = delete;
  ToolProcess& operator=(ToolProcess&&) = delete;

  pid_t id() const { return child_; }
  void send(int signal) const;
  End wait();

  // Whether `condition` comes true before it ends or half a minute is over.
  bool reaches(const std::function<bool()>& condition) const;

 private:
  pid_t child_ = -1;
  int answer_ = -1;
};

}  // namespace pto::jit::tests
