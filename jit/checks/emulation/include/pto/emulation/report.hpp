// What the emulation tells about a kernel: one report for each different mistake, in the order in
// which they were met. An empty list means that nothing was found.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pto::emulation {

enum class ReportKind : std::uint8_t {
  Race,             // two overlapping accesses of different pipes, one a write, in no order
  CacheNotFlushed,  // a write to global memory that never left the data cache, or was not seen
  FlagNotWaited,    // set, and still set when the kernel ends
  FlagReused,       // set again before anyone waited for it
  WaitWithoutSet,   // nothing sets what is waited for: the device would hang
  TileOverlap,      // two live tiles share bytes, or a destination shares bytes with an operand
  UbOverflow,       // beyond the end of the unified buffer
  Misaligned,       // not on a 32-byte boundary where one is needed
  DynamicUb,        // beyond 128 KB on A5, and the launch did not ask for it
  TileNotPlaced,    // used before TASSIGN
  OutsideMemory,    // global memory that the harness did not register
  ReadOnlyMemory,   // a write to memory registered as read only
  PlainPointer,     // a write to global memory that the emulation could not see
  Uninitialised,    // a read of unified buffer that nothing has written
  Extent,           // extents, strides or counts that the instruction does not take
  StoreMode,        // atomic stores left on, or of another element type
  WrongDevice,      // compiled for one target, run on another
  NotEmulated,      // compiled, but not executed here
};

struct Report {
  ReportKind kind = ReportKind::Race;
  std::string message;
};

inline const char* name_of(ReportKind kind) {
  switch (kind) {
    case ReportKind::Race: return "race";
    case ReportKind::CacheNotFlushed: return "cache not flushed";
    case ReportKind::FlagNotWaited: return "flag not waited";
    case ReportKind::FlagReused: return "flag reused";
    case ReportKind::WaitWithoutSet: return "wait without set";
    case ReportKind::TileOverlap: return "tile overlap";
    case ReportKind::UbOverflow: return "ub overflow";
    case ReportKind::Misaligned: return "misaligned";
    case ReportKind::DynamicUb: return "dynamic ub";
    case ReportKind::TileNotPlaced: return "tile not placed";
    case ReportKind::OutsideMemory: return "outside memory";
    case ReportKind::ReadOnlyMemory: return "read-only memory";
    case ReportKind::PlainPointer: return "plain pointer";
    case ReportKind::Uninitialised: return "uninitialised";
    case ReportKind::Extent: return "extent";
    case ReportKind::StoreMode: return "store mode";
    case ReportKind::WrongDevice: return "wrong device";
    case ReportKind::NotEmulated: return "not emulated";
  }
  return "unknown";
}

// A loop makes the same mistake many times: only the first with a given kind and topic is kept.
class Reports {
 public:
  void add(ReportKind kind, const std::string& topic, std::string message) {
    if (seen_.insert({kind, topic}).second) list_.push_back({kind, std::move(message)});
  }
  void add(ReportKind kind, std::string message) {
    const std::string topic = message;
    add(kind, topic, std::move(message));
  }

  std::vector<Report> take() { return std::move(list_); }

 private:
  std::vector<Report> list_;
  std::set<std::pair<ReportKind, std::string>> seen_;
};

}  // namespace pto::emulation
