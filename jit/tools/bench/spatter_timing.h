// Spatter's work done by our kernels, once with a call for each pattern and once with all patterns
// as one list of indices, beside the plain loop that defines it.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "jit/tools/bench/kernel_timing.h"
#include "jit/tools/bench/spatter.h"
#include "runtime/operands.h"

namespace pto::jit::cli {

// Spatter moves 8 bytes an index, our elements have up to 4: all ways move f32, then all of them
// move 8 bytes, which are rows of two for our kernels.
enum class SpatterElement : std::uint8_t { Single, Pair };
enum class SpatterWay : std::uint8_t { CallAPattern, OneList, PlainLoop };
inline constexpr std::array kSpatterElements = {SpatterElement::Single, SpatterElement::Pair};
inline constexpr std::array kSpatterWays = {SpatterWay::CallAPattern, SpatterWay::OneList,
                                            SpatterWay::PlainLoop};
std::string_view name_of(SpatterWay way);
std::size_t bytes_of(SpatterElement element);

// The memory of one run, and the three ways through it.
class SpatterWork {
 public:
  static Result<SpatterWork> make(const SpatterRun& run, SpatterElement element,
                                  const CompileOptions& options);

  void work(SpatterWay way);

  std::span<std::byte> sparse() const { return sparse_.bytes; }
  // The dense side of our kernels: 32 bytes from one pair to the next, and 16 KB for a piece of the
  // list. The loop's is packed.
  std::span<std::byte> dense() const { return dense_.bytes; }
  std::span<std::byte> loop_dense() const { return loop_dense_.bytes; }

 private:
  SpatterWork(const SpatterRun& run, SpatterElement element) : run_(run), element_(element) {}
  Result<Done> take_memory();
  void write_list();
  Frame frame_with(const Storage& indices, std::uint64_t table) const;
  void call_each_pattern();
  void call_by_list();
  template <class Element>
  void loop();

  SpatterRun run_;
  SpatterElement element_;
  Storage sparse_, dense_, loop_dense_;
  Storage pattern_;              // as indices of 4 bytes
  Storage list_;                 // every pattern's indices, one pattern behind the other
  std::vector<Kernel> kernels_;  // for a pattern, for a piece of the list
};

struct SpatterFigure {
  SpatterElement element;
  SpatterWay way;
  double seconds = 0;             // the best of all repetitions, as Spatter has it
  double megabytes_a_second = 0;  // of 10^6 bytes, by the bytes moved
};

// The ways take turns.
Result<std::vector<SpatterFigure>> time_spatter(const SpatterRun& run, const TimingWish& wish);

}  // namespace pto::jit::cli
