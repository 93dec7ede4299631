// ProcessMark: finds again what was started, wherever it went: processes inherit the environment.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace pto::jit::tests {

class ProcessMark {
 public:
  ProcessMark();
  ~ProcessMark();
  ProcessMark(const ProcessMark&) = delete;
  ProcessMark& operator=(const ProcessMark&) = delete;
  ProcessMark(ProcessMark&&) = delete;
  ProcessMark& operator=(ProcessMark&&) = delete;

  // Of the programs started since: those that have not ended.
  std::vector<pid_t> alive() const;

 private:
  std::string entry_;
};

// Whether it does so within half a minute.
bool comes_true(const std::function<bool()>& condition);

}  // namespace pto::jit::tests
