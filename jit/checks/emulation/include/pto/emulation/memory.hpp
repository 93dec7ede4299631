// Every access of the emulation goes through here: it is checked against the bounds, against all
// earlier accesses and against the data cache, and then done. A reader that is not ordered after
// the write it reads gets poison, as it might on the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "pto/emulation/access_log.hpp"
#include "pto/emulation/data_cache.hpp"
#include "pto/emulation/global_memory.hpp"
#include "pto/emulation/local_memory.hpp"
#include "pto/emulation/operations.hpp"
#include "pto/emulation/report.hpp"

namespace pto::emulation {

// `Mode` is the one byte that says how transfers store; it is set by one pipe and read by another.
enum class Space : std::uint8_t { Ub, Gm, Mode };

struct Place {
  Space space = Space::Ub;
  std::uint64_t at = 0;
};

inline Place in_ub(std::int64_t at) { return {Space::Ub, static_cast<std::uint64_t>(at)}; }
inline Place in_gm(std::uint64_t at) { return {Space::Gm, at}; }

class Memory {
 public:
  Memory(Operations& operations, LocalMemory& ub, const GlobalMemory& gm, Reports& reports)
      : operations_(operations), ub_(ub), gm_(gm), image_(gm), reports_(reports) {}

  void read(OperationId now, Place place, std::byte* out, std::int64_t bytes) {
    if (bytes == 0) return;
    const bool is_inside = check_bounds(now, place, bytes, "reads");
    if (is_inside) note(now, place, bytes, false);
    for (std::int64_t k = 0; k < bytes; ++k) {
      out[k] =
          is_inside ? fetch(now, {place.space, place.at + static_cast<std::uint64_t>(k)}) : kPoison;
    }
    if (!is_inside) return;
    log_of(place.space).for_each_byte(place.at, bytes, [&](Touched& touched, std::int64_t k) {
      if (!check_read(now, touched, {place.space, place.at + static_cast<std::uint64_t>(k)})) {
        out[k] = kPoison;
      }
      touched.read_by[operations_[now].pipe] = now;
    });
  }

  void write(OperationId now, Place place, const std::byte* in, std::int64_t bytes) {
    if (bytes == 0) return;
    if (!check_bounds(now, place, bytes, "writes") || !check_writable(now, place, bytes)) return;
    note(now, place, bytes, true);
    log_of(place.space).for_each_byte(place.at, bytes, [&](Touched& touched, std::int64_t k) {
      const Place byte = {place.space, place.at + static_cast<std::uint64_t>(k)};
      check_write(now, touched, byte);
      touched.written_by = now;
      keep(now, byte, in[k]);
    });
  }

  // dcci runs on the scalar pipe: it cleans only what that pipe knows to be complete.
  void clean_all(OperationId now) {
    cache_.clean_all([&](OperationId writer) { return check_complete(writer, now); });
  }
  void clean_line(OperationId now, std::uint64_t address) {
    cache_.clean_line(address, [&](OperationId writer) { return check_complete(writer, now); });
  }

  void drain() {
    cache_.drain([this](std::uint64_t address, std::byte value) { image_.at(address) = value; });
  }

  void finish() {
    for (const std::string& name : image_.names_of_disturbed()) {
      reports_.add(ReportKind::PlainPointer,
                   "'" + name + "' was written through a plain pointer: use GmPointer");
    }
    cache_.for_each_held([this](std::uint64_t address, const DataCache::Byte& byte) {
      const char* missing = byte.stage == DataCache::Stage::Dirty ? "dcci and dsb" : "dsb";
      reports_.add(ReportKind::CacheNotFlushed, operations_[byte.writer].name,
                   operations_.describe(byte.writer) + " wrote " + gm_.describe(address) +
                       ", still in the data cache when the kernel ends: " + missing + " missing");
    });
  }

 private:
  // Scalar and SIMT accesses go through the data cache, transfers around it.
  bool is_cached(OperationId now) const {
    const pipe_t pipe = operations_[now].pipe;
    return pipe == PIPE_S || pipe == PIPE_V;
  }

  AccessLog& log_of(Space space) { return logs_[static_cast<std::size_t>(space)]; }

  std::string spell(Place place) const {
    switch (place.space) {
      case Space::Ub: return "UB " + hex(place.at);
      case Space::Gm: return gm_.describe(place.at);
      case Space::Mode: return "the store mode";
    }
    return "";
  }

  bool check_bounds(OperationId now, Place place, std::int64_t bytes, const char* does) {
    const bool is_ub = place.space == Space::Ub;
    const bool is_gm = place.space == Space::Gm;
    if (is_ub && ub_.holds(static_cast<std::int64_t>(place.at), bytes)) return true;
    if (is_gm && gm_.find(place.at, bytes) != nullptr) return true;
    if (!is_ub && !is_gm) return true;
    const std::string limit = is_ub ? ", beyond the " + hex(ub_.capacity()) + " bytes for tiles"
                                    : ", not wholly inside any registered memory";
    reports_.add(is_ub ? ReportKind::UbOverflow : ReportKind::OutsideMemory,
                 std::string(operations_[now].name) + does,
                 operations_.describe(now) + " " + does + " " + std::to_string(bytes) +
                     " bytes at " + spell(place) + limit);
    return false;
  }

  // For the record, of an access inside its memory.
  void note(OperationId now, Place place, std::int64_t bytes, bool is_write) {
    if (place.space == Space::Mode) return;
    const MemoryRegion* region = place.space == Space::Gm ? gm_.find(place.at, bytes) : nullptr;
    const std::uint64_t begin = region == nullptr ? place.at : place.at - region->at;
    const auto size = static_cast<std::uint64_t>(bytes);
    operations_.touch(now, {region == nullptr ? kUbName : region->name.c_str(), is_write, begin,
                            begin + size, size});
  }

  bool check_writable(OperationId now, Place place, std::int64_t bytes) {
    if (place.space != Space::Gm || gm_.find(place.at, bytes)->is_writable) return true;
    reports_.add(
        ReportKind::ReadOnlyMemory, operations_[now].name,
        operations_.describe(now) + " writes " + spell(place) + ", registered as read only");
    return false;
  }

  // Whether the byte is what program order says it is.
  bool check_read(OperationId now, const Touched& touched, Place byte) {
    const OperationId writer = touched.written_by;
    if (writer == 0) {
      if (byte.space == Space::Ub) report_uninitialised(now, byte);
      return true;
    }
    if (operations_.is_before(writer, now)) return true;
    report_race(writer, "writes", now, "reads", byte);
    return false;
  }

  void check_write(OperationId now, const Touched& touched, Place byte) {
    const OperationId writer = touched.written_by;
    if (writer != 0 && !may_overwrite(writer, now, byte.space)) {
      report_race(writer, "writes", now, "writes", byte);
    }
    for (const OperationId reader : touched.read_by) {
      if (reader == 0 || operations_.is_before(reader, now)) continue;
      report_race(reader, "reads", now, "writes", byte);
    }
  }

  // Transfers that add commute; others on the same address must not be in flight together.
  bool may_overwrite(OperationId writer, OperationId now, Space space) const {
    if (!operations_.is_before(writer, now)) return false;
    if (writer == now || space != Space::Gm || operations_[now].pipe != PIPE_MTE3) return true;
    if (operations_[writer].pipe != PIPE_MTE3) return true;
    if (operations_[writer].adds_atomically && operations_[now].adds_atomically) return true;
    return operations_.has_finished(writer);
  }

  void report_race(OperationId first, const char* did, OperationId now, const char* does,
                   Place byte) {
    // Bytes race by the thousand; once two accesses are known to, their other bytes say nothing.
    if (!raced_.insert({first, now, *did, *does}).second) return;
    const pipe_t from = operations_[first].pipe;
    const pipe_t to = operations_[now].pipe;
    const std::string remedy = from == to ? "nothing says that the first has finished"
                                          : std::string("no flag or barrier orders ") +
                                                name_of(from) + " before " + name_of(to);
    reports_.add(ReportKind::Race,
                 std::string(operations_[first].name) + did + name_of(from) +
                     operations_[now].name + does + name_of(to),
                 operations_.describe(first) + " " + did + " " + spell(byte) + ", " +
                     operations_.describe(now) + " " + does + " it: " + remedy);
  }

  void report_uninitialised(OperationId now, Place byte) {
    reports_.add(
        ReportKind::Uninitialised, operations_[now].name,
        operations_.describe(now) + " reads " + spell(byte) + ", which nothing has written");
  }

  // A transfer that meets a byte of the cache misses the write, or is undone by it later.
  void check_cache(OperationId now, Place byte, const char* does) {
    const std::optional<DataCache::Byte> held = cache_.find(byte.at);
    if (!held) return;
    reports_.add(ReportKind::CacheNotFlushed,
                 std::string(operations_[held->writer].name) + operations_[now].name,
                 operations_.describe(now) + " " + does + " " + spell(byte) + ", which " +
                     operations_.describe(held->writer) +
                     " wrote and the data cache still holds: dcci and dsb missing between");
  }

  std::byte fetch(OperationId now, Place byte) {
    if (byte.space == Space::Ub) return *ub_.pointer_to(static_cast<std::int64_t>(byte.at));
    if (byte.space == Space::Mode) return mode_;
    if (!is_cached(now)) {
      check_cache(now, byte, "reads");
    } else if (const auto held = cache_.find(byte.at)) {
      return held->value;
    }
    return image_.at(byte.at);
  }

  void keep(OperationId now, Place byte, std::byte value) {
    switch (byte.space) {
      case Space::Ub: *ub_.pointer_to(static_cast<std::int64_t>(byte.at)) = value; return;
      case Space::Mode: mode_ = value; return;
      case Space::Gm: break;
    }
    if (is_cached(now)) return cache_.write(byte.at, value, now);
    check_cache(now, byte, "writes");
    image_.at(byte.at) = value;
  }

  bool check_complete(OperationId writer, OperationId now) {
    if (operations_.is_before(writer, now)) return true;
    reports_.add(ReportKind::Race, std::string(operations_[writer].name) + operations_[now].name,
                 operations_.describe(now) + " may come before " + operations_.describe(writer) +
                     " has written: no flag or barrier orders " +
                     name_of(operations_[writer].pipe) + " before S");
    return false;
  }

  static constexpr const char* kUbName = "UB";

  Operations& operations_;
  LocalMemory& ub_;
  const GlobalMemory& gm_;
  GlobalImage image_;
  Reports& reports_;
  DataCache cache_;
  std::array<AccessLog, 3> logs_;
  std::byte mode_{0};
  std::set<std::tuple<OperationId, OperationId, char, char>> raced_;
};

}  // namespace pto::emulation
