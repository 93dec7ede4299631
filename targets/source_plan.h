// SourcePlan: a kernel for a device as data. What its text declares, in which order it moves, waits
// and calls, and how it is launched; all that is left to do is to print it. Nothing in it says
// which device it is for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/amount.h"
#include "ir/operands.h"
#include "ir/plan.h"
#include "ir/spec.h"
#include "targets/placement.h"

namespace pto::jit {

// What the body of a loop over parts of the tiles counts, besides its parameters.
enum class Local : std::uint8_t {
  None,
  Count,   // valid rows or columns of this part
  Blocks,  // NZ: blocks of storage of this part
};

// A number in the text: an amount, times one of the loop's counts.
struct Value {
  Amount amount = 0;
  Local local = Local::None;

  bool is_number() const { return local == Local::None && amount.is_static(); }
  bool operator==(const Value&) const = default;
};

// An entry of a type: the number itself, or -1 and the value handed to the constructor.
struct Extent {
  Value value{};
  bool is_in_type = true;

  bool operator==(const Extent&) const = default;
};

struct TileType {
  std::string name{};  // "src"
  DType dtype = DType::I8;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  TileLayout layout = TileLayout::RowMajor;
  Extent valid_rows{};
  Extent valid_cols{};

  bool operator==(const TileType&) const = default;
};

struct TilePlan {
  TileType type{};
  std::int64_t offset = 0;             // bytes, when tiles are placed by the text
  std::optional<TileType> transfer{};  // the same storage as loads and stores see it

  bool operator==(const TilePlan&) const = default;
};

enum class TensorLayout : std::uint8_t { Nd, Dn, Nz };

struct TensorPlan {
  std::string name{};  // of the pointer it begins with
  DType dtype = DType::I8;
  bool is_bytes = false;  // seen as bytes, whatever its elements are
  TensorLayout layout = TensorLayout::Nd;
  std::array<Extent, 5> shape{};
  std::array<Extent, 5> strides{};
  std::int64_t step = 0;  // elements per count of the loop variable

  bool operator==(const TensorPlan&) const = default;
};

enum class Pipe : std::uint8_t { Scalar, Vector, Load, Store };

enum class SyncKind : std::uint8_t {
  Flag,     // `to` waits for `from`
  Barrier,  // everybody waits for everybody
  Flush,    // written lines leave the data cache
};

struct Sync {
  SyncKind kind = SyncKind::Flag;
  Pipe from = Pipe::Scalar;
  Pipe to = Pipe::Scalar;

  bool operator==(const Sync&) const = default;
};

using Syncs = std::vector<Sync>;

// What happens between the loads and the stores.
struct Call {
  std::string_view function{};          // "MSCATTER"
  std::vector<std::string> policies{};  // template arguments, all of them
  std::vector<std::string> arguments{};

  bool operator==(const Call&) const = default;
};

// A gather by byte offsets that no instruction does, or not exactly. Steps are those from row to
// row and from offset to offset.
struct ByteGather {
  std::int64_t unit_bytes = 1;                 // that one offset moves
  std::array<std::int64_t, 2> offset_steps{};  // in offsets
  std::array<std::int64_t, 2> data_steps{};    // of the destination, in bytes
  std::optional<std::int64_t> last_offset{};   // where larger ones go
  std::string_view reason{};                   // why there is no call, as a comment

  bool operator==(const ByteGather&) const = default;
};

// By what a kernel that is written out moves: scalar accesses, bursts of the data path, or the
// lanes of a launch.
enum class Means : std::uint8_t { Scalars, Bursts, Lanes };

// The kernel written out instead of called: the walk it does, of the whole tiles or of one part.
struct ExpandedBody {
  KernelPlan walk{};
  Means means = Means::Scalars;
  std::array<Value, kDims> extents{};  // what each dimension of the walk is in the text
  std::string tile{};                  // names of the walked, the index and the addressed operand
  std::string index{};
  std::string table{};
  DType dtype = DType::I8;
  DType index_dtype = DType::I32;
  bool is_in_memory = true;       // the addressed operand is a table
  bool moves_bytes = false;       // addresses are not multiples of elements
  bool has_atomics = false;       // combining is one operation of the device
  std::string_view store_mode{};  // of additions by the store path: "f32"
  Syncs enter{};
  Syncs start{};  // after the store mode is set
  Syncs each{};   // after each burst
  Syncs reset{};  // before the store mode is taken back
  Syncs leave{};

  bool operator==(const ExpandedBody&) const = default;
};

// The kernel done in parts, `step` rows or columns at a time.
struct Loop {
  std::string_view variable{};  // "row"
  std::string_view count{};     // "rows": the valid ones of this part
  Amount total{};               // where the variable ends
  Amount valid{};               // less than the total where storage is cleared beyond what is valid
  std::int64_t step = 0;
  std::int64_t block = 0;  // above 0: storage comes in blocks of so many rows or columns
  bool is_even = false;    // every part is a full one, so nothing is counted

  bool operator==(const Loop&) const = default;
};

// The ranks of a communication kernel. Where it is known only at run time whether one rank's data
// fit the stage, the stage takes `rows` x `cols` if they do and is full, at `most`, if they do not.
struct GroupPlan {
  TensorPlan rank{};
  std::int32_t ranks = 1;
  std::int32_t root = 0;
  bool is_triggered = false;  // another engine moves the data once its gate is opened
  bool is_sized_at_run_time = false;
  Amount rows{};
  Amount cols{};
  std::array<std::int64_t, 2> most{};

  bool operator==(const GroupPlan&) const = default;
};

struct ExtentParameter {
  Dim dim;
  std::string name{};  // "srcRows", "tableShape3"

  bool operator==(const ExtentParameter&) const = default;
};

struct SourcePlan {
  std::string name{};     // of the kernel
  std::string summary{};  // what it does, in one sentence
  std::string spec{};
  std::string compile_flags{};    // for the device's compiler
  std::string_view host_flags{};  // for the host's, to emulate it

  Placement placement = Placement::Manual;
  std::vector<ExtentParameter> extents{};  // parameters after the pointers
  std::vector<TilePlan> tiles{};
  std::vector<TensorPlan> tensors{};  // first those of the tiles, in their order
  std::optional<Amount> capacity{};   // nothing is done when this is zero
  std::optional<Loop> loop{};

  std::vector<std::size_t> loads{};  // tiles filled from the tensor of the same place
  Syncs before{};
  Call call{};
  std::optional<ByteGather> written_out{};  // instead of the call
  std::optional<ExpandedBody> expanded{};   // instead of the call and of all instructions
  Syncs after{};
  std::vector<std::size_t> stores{};
  Syncs between{};  // parts of the loop
  Syncs last{};

  std::optional<GroupPlan> group{};
  bool is_launched = true;         // on a stream of the device; otherwise called
  std::int64_t dynamic_bytes = 0;  // of local memory the launch asks for; 0: what every launch gets

  bool operator==(const SourcePlan&) const = default;
};

}  // namespace pto::jit
