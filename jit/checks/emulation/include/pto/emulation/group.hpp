// What kernels of the communication set name: the group of ranks, the engine, and TSCATTER.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "pto/emulation/communication.hpp"

namespace pto {
inline namespace PTO_EMULATION_TARGET {
namespace comm {

enum class CollEngine : std::uint8_t { AIV = 0, CCU = 1 };
enum class CcuInputSource : std::uint8_t { HostManaged = 0, AivStored = 1 };

// What the host hands to a kernel that triggers the collective unit.
struct CcuTriggerContext {
  std::uint64_t ckeSlotVA = 0;
  std::uint32_t mask = 0;
  std::uint32_t selfIdx = 0;
  CcuInputSource inputSource = CcuInputSource::HostManaged;
};

// A view of the ranks' tables, in rank order; the array is the kernel's.
template <typename GlobalData>
struct ParallelGroup {
  using value_type = GlobalData;

  GlobalData* tensors = nullptr;
  int nranks = 0;
  int rootIdx = -1;

  ParallelGroup() = default;
  ParallelGroup(GlobalData* tensor_array, int size, int root)
      : tensors(tensor_array), nranks(size), rootIdx(root) {}
  static ParallelGroup Create(GlobalData* tensor_array, int size, int root) {
    return ParallelGroup(tensor_array, size, root);
  }

  int GetRootIdx() const { return rootIdx; }
  int GetSize() const { return nranks; }
  GlobalData& operator[](int rank) const { return tensors[rank]; }
};

template <typename Group, typename Source, typename TileData>
constexpr void check_group_types() {
  using T = typename Source::RawDType;
  static_assert(std::is_same_v<typename Group::value_type::RawDType, T>,
                "source and ranks have one element type");
  static_assert(std::is_same_v<typename TileData::DType, T>, "so has the staging tile");
  static_assert(Source::layout == Layout::ND && Group::value_type::layout == Layout::ND,
                "source and ranks are ND");
  static_assert(TileData::isRowMajor, "the staging tile is row-major");
}

template <typename Group, typename Source, typename TileData>
void deal(Group& group, Source& src, TileData& stage, const std::vector<std::int64_t>& stages) {
  check_group_types<Group, Source, TileData>();
  emulation::Deal deal{
      emulation::view_of(src),
      {},
      {stage.view(), TileData::ValidRow == DYNAMIC, TileData::ValidCol == DYNAMIC}};
  for (int rank = 0; rank < group.GetSize(); ++rank) {
    deal.ranks.push_back(emulation::view_of(group[rank]));
  }
  emulation::scatter_to_ranks(emulation::execution(), deal, group.GetRootIdx(), stages);
}

constexpr bool has_engine(CollEngine engine) {
  return engine == CollEngine::AIV || kTarget == emulation::Device::A5;
}

// The collective unit's gate is compiled, not run.
template <typename Group, typename Source, typename TileData, typename... WaitEvents>
void trigger(Group&, Source&, TileData&, const CcuTriggerContext&, WaitEvents&... events) {
  check_group_types<Group, Source, TileData>();
  wait_for(events...);
  emulation::execution().report(emulation::ReportKind::NotEmulated,
                                "comm::TSCATTER: the collective unit is not emulated");
}

template <CollEngine engine = CollEngine::AIV, typename ParallelGroupType, typename GlobalSrcData,
          typename TileData, typename... Arguments>
RecordEvent TSCATTER(ParallelGroupType& group, GlobalSrcData& src, TileData& stage,
                     Arguments&... arguments) {
  static_assert(has_engine(engine), "only A5 has the collective unit");
  if constexpr (engine == CollEngine::CCU) {
    trigger(group, src, stage, arguments...);
  } else {
    wait_for(arguments...);
    deal(group, src, stage, {stage.view().at});
  }
  return {};
}

// Ping and pong are two tiles of one type.
template <CollEngine engine = CollEngine::AIV, typename ParallelGroupType, typename GlobalSrcData,
          typename TileData, typename... Arguments>
RecordEvent TSCATTER(ParallelGroupType& group, GlobalSrcData& src, TileData& ping, TileData& pong,
                     Arguments&... arguments) {
  static_assert(has_engine(engine), "only A5 has the collective unit");
  if constexpr (engine == CollEngine::CCU) {
    trigger(group, src, ping, arguments...);
  } else {
    wait_for(arguments...);
    deal(group, src, ping, {ping.view().at, pong.view().at});
  }
  return {};
}

}  // namespace comm
}  // namespace PTO_EMULATION_TARGET
}  // namespace pto
