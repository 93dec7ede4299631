#include "jit/tools/bench/spatter_timing.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "jit/tools/bench/turns.h"
#include "runtime/fillers.h"

namespace pto::jit::cli {
namespace {

constexpr std::uint64_t kMostListed = std::uint64_t{1} << 28;

std::uint64_t padded(std::uint64_t indices) { return (indices + 7) / 8 * 8; }

// Bytes of our tiles from one element to the next.
std::size_t dense_pitch(SpatterElement element) {
  return element == SpatterElement::Pair ? 32 : bytes_of(element);
}

// Indices that a call of the list takes at most: tiles of 16 KB.
std::uint64_t list_tile(SpatterElement element) { return (16 << 10) / dense_pitch(element); }

// What a kernel is made for: a length and a table's, or "?" for those its caller says.
struct KernelShape {
  std::uint64_t most;  // indices
  std::string length;
  std::string table;
};

std::string spec_text(const SpatterRun& run, SpatterElement element, const KernelShape& shape) {
  const bool is_gather = run.kind == SpatterRun::Kind::Gather;
  const bool is_pair = element == SpatterElement::Pair;
  const std::string wide = std::to_string(padded(shape.most));
  const std::string row = "1x" + wide + "|1x" + shape.length + "]";
  return std::string("a5:") + (is_gather ? "mgather." : "mscatter.") +
         (is_pair ? "row " : "elem ") + (is_gather ? "dst=f32[" : "src=f32[") +
         (is_pair ? wide + "x8|" + shape.length + "x2]" : row) + " idx=i32[" + row + " table=f32[" +
         shape.table + (is_pair ? "x2]" : "]");
}

Result<Storage> numbers(std::uint64_t bytes, const std::string& what) {
  Result<Storage> out = zeros(static_cast<std::int64_t>(bytes), what);
  std::mt19937 random(1);
  if (out)
    fill(out->bytes, DType::F32, [&](std::size_t) { return small_number(DType::F32, random); });
  return out;
}

// Calls `body` with the place of each turn's dense side, of which there are `wrap`. Nothing is
// divided or read again: where a store goes must be known before what is behind it can be read.
template <class Body>
void for_each_turn(const SpatterRun& run, Body body) {
  const std::uint64_t count = run.count;
  const std::uint64_t wrap = run.wrap;
  std::uint64_t lap = 0;
  for (std::uint64_t turn = 0; turn < count; ++turn) {
    body(lap);
    lap = lap + 1 == wrap ? 0 : lap + 1;
  }
}

}  // namespace

std::string_view name_of(SpatterWay way) {
  constexpr std::array<std::string_view, 3> kNames = {"call a pattern", "one list", "plain loop"};
  return kNames[static_cast<std::size_t>(way)];
}

std::size_t bytes_of(SpatterElement element) { return element == SpatterElement::Pair ? 8 : 4; }

Result<SpatterWork> SpatterWork::make(const SpatterRun& run, SpatterElement element,
                                      const CompileOptions& options) {
  const std::uint64_t length = run.pattern.size();
  if (run.sparse_size() > std::numeric_limits<std::uint32_t>::max() ||
      run.count > kMostListed / length)
    return error("spatter.size", "indices of 4 bytes and lists of up to 2^28 do not reach " +
                                     run.name + " " + std::to_string(run.count) + " times");
  SpatterWork out(run, element);
  if (Result<Done> taken = out.take_memory(); !taken) return taken.error();
  const std::uint64_t reach = std::ranges::max(run.pattern) + 1;
  const bool is_known = reach <= std::numeric_limits<std::int32_t>::max();
  for (const KernelShape& shape :
       {KernelShape{length, std::to_string(length), is_known ? std::to_string(reach) : "?"},
        KernelShape{list_tile(element), "?", "?"}}) {
    Result<Kernel> kernel = compile(spec_text(run, element, shape), options);
    if (!kernel) return kernel.error();
    out.kernels_.push_back(std::move(*kernel));
  }
  out.write_list();
  return out;
}

Result<Done> SpatterWork::take_memory() {
  const std::uint64_t length = run_.pattern.size();
  const std::size_t size = bytes_of(element_);
  const std::uint64_t dense = std::max(run_.wrap * padded(length), list_tile(element_));
  struct Wanted {
    Storage& storage;
    std::uint64_t bytes;
    const char* what;
  };
  for (const Wanted& wanted :
       {Wanted{sparse_, run_.sparse_size() * size, "the sparse side"},
        Wanted{dense_, dense * dense_pitch(element_), "the dense side"},
        Wanted{loop_dense_, run_.wrap * length * size, "the loop's dense side"},
        Wanted{pattern_, padded(length) * 4, "the pattern"},
        Wanted{list_, (run_.count * length + list_tile(element_)) * 4, "the list of indices"}}) {
    Result<Storage> storage = numbers(wanted.bytes, wanted.what);
    if (!storage) return storage.error();
    wanted.storage = std::move(*storage);
  }
  return Done{};
}

void SpatterWork::write_list() {
  const std::vector<std::uint64_t>& pattern = run_.pattern;
  fill(pattern_.bytes, DType::U32,
       [&](std::size_t i) { return i < pattern.size() ? pattern[i] : 0; });
  fill(list_.bytes, DType::U32, [&](std::size_t i) {
    const std::uint64_t turn = i / pattern.size();
    return turn < run_.count ? pattern[i % pattern.size()] + run_.delta * turn : 0;
  });
}

void SpatterWork::work(SpatterWay way) {
  switch (way) {
    case SpatterWay::CallAPattern: return call_each_pattern();
    case SpatterWay::OneList: return call_by_list();
    case SpatterWay::PlainLoop:
      return element_ == SpatterElement::Pair ? loop<std::uint64_t>() : loop<std::uint32_t>();
  }
}

Frame SpatterWork::frame_with(const Storage& indices, std::uint64_t table) const {
  Frame out;
  out.tile = dense_.bytes.data();
  out.index = indices.bytes.data();
  out.table = sparse_.bytes.data();
  const Dim length = element_ == SpatterElement::Pair ? Dim::TableD3 : Dim::TableD4;
  out.extents[static_cast<std::size_t>(length)] = static_cast<std::int64_t>(table);
  return out;
}

void SpatterWork::call_each_pattern() {
  const Kernel kernel = kernels_[0];
  Frame frame = frame_with(pattern_, std::ranges::max(run_.pattern) + 1);
  const std::size_t dense_step = padded(run_.pattern.size()) * dense_pitch(element_);
  const std::size_t sparse_step = run_.delta * bytes_of(element_);
  std::byte* sparse = sparse_.bytes.data();
  for_each_turn(run_, [&](std::uint64_t lap) {
    frame.table = sparse;
    frame.tile = dense_.bytes.data() + lap * dense_step;
    kernel(frame);
    sparse += sparse_step;
  });
}

void SpatterWork::call_by_list() {
  const Kernel& kernel = kernels_[1];
  Frame frame = frame_with(list_, run_.sparse_size());
  std::uint64_t left = run_.count * run_.pattern.size();
  const std::byte* indices = list_.bytes.data();
  const std::uint64_t most = list_tile(element_);
  for (; left > 0; indices += most * 4) {
    const std::uint64_t now = std::min(left, most);
    for (const Dim dim :
         {Dim::IndexVc, element_ == SpatterElement::Pair ? Dim::DataVr : Dim::DataVc})
      frame.extents[static_cast<std::size_t>(dim)] = static_cast<std::int64_t>(now);
    frame.index = indices;
    kernel(frame);
    left -= now;
  }
}

template <class Element>
void SpatterWork::loop() {
  const std::uint64_t length = run_.pattern.size();
  const std::uint64_t* const pattern = run_.pattern.data();
  auto* const sparse = reinterpret_cast<Element*>(sparse_.bytes.data());
  auto* const dense = reinterpret_cast<Element*>(loop_dense_.bytes.data());
  const std::uint64_t delta = run_.delta;
  Element* far = sparse;
  if (run_.kind == SpatterRun::Kind::Gather) {
    for_each_turn(run_, [=](std::uint64_t lap) mutable {
      Element* const near = dense + lap * length;
      for (std::uint64_t i = 0; i < length; ++i) near[i] = far[pattern[i]];
      far += delta;
    });
  } else {
    for_each_turn(run_, [=](std::uint64_t lap) mutable {
      const Element* const near = dense + lap * length;
      for (std::uint64_t i = 0; i < length; ++i) far[pattern[i]] = near[i];
      far += delta;
    });
  }
}

Result<std::vector<SpatterFigure>> time_spatter(const SpatterRun& run, const TimingWish& wish) {
  std::vector<SpatterFigure> out;
  for (const SpatterElement element : kSpatterElements) {
    Result<SpatterWork> work = SpatterWork::make(run, element, wish.compile);
    if (!work) return work.error();
    const auto time_of = [&](std::size_t i) {
      return nanoseconds_of([&] { work->work(kSpatterWays[i]); }) / 1e9;
    };
    static_cast<void>(take_turns(kSpatterWays.size(), 1, Order::Same, time_of));  // not counted
    const auto times = take_turns(kSpatterWays.size(), wish.repetitions, Order::Same, time_of);
    const auto bytes = static_cast<double>(run.pattern.size() * run.count * bytes_of(element));
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double seconds = std::ranges::min(times[i]);
      out.push_back({element, kSpatterWays[i], seconds, bytes / seconds / 1e6});
    }
  }
  return out;
}

}  // namespace pto::jit::cli
