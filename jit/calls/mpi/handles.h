// Communicators and windows that are given back; their calls return errors instead of ending the
// process. What is destroyed after MPI_Finalize is left to it.
#pragma once

#include <mpi.h>

#include <utility>

#include "jit/calls/mpi/status.h"

namespace pto::jit::mpi {

class Communicator {
 public:
  Communicator() = default;
  explicit Communicator(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  Communicator(Communicator&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  Communicator& operator=(Communicator&& other) noexcept {
    std::swap(comm_, other.comm_);
    return *this;
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() {
    if (comm_ != MPI_COMM_NULL && is_running()) MPI_Comm_free(&comm_);
  }

  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// A copy of the caller's, so that no message meets one of theirs.
inline Result<Communicator> duplicate(MPI_Comm comm) {
  if (!is_running()) return error("mpi.init", "MPI is not running; call MPI_Init first");
  if (comm == MPI_COMM_NULL) return error("mpi.comm", "there is no communicator");
  int is_inter = 0;
  MPI_Comm_test_inter(comm, &is_inter);
  if (is_inter != 0) return error("mpi.comm", "an intercommunicator has no group of its own");
  MPI_Comm copy = MPI_COMM_NULL;
  if (Result<Done> made = checked(MPI_Comm_dup(comm, &copy), "MPI_Comm_dup"); !made)
    return made.error();
  return Communicator(copy);
}

// Open to every rank for as long as it is there.
class Window {
 public:
  Window() = default;
  explicit Window(MPI_Win window) : window_(window) {
    MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  }
  Window(Window&& other) noexcept : window_(std::exchange(other.window_, MPI_WIN_NULL)) {}
  Window& operator=(Window&& other) noexcept {
    std::swap(window_, other.window_);
    return *this;
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() {
    if (!is_open() || !is_running()) return;
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  MPI_Win get() const { return window_; }
  bool is_open() const { return window_ != MPI_WIN_NULL; }
  void sync() const {
    if (is_open()) MPI_Win_sync(window_);
  }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace pto::jit::mpi
