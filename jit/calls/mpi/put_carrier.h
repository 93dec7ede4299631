// PutCarrier: pieces of a scatter put into the windows of other ranks.
#pragma once

#include <mpi.h>

#include <utility>
#include <vector>

#include "runtime/ranks/delivery.h"

namespace pto::jit::mpi {

class PutCarrier : public Carrier {
 public:
  // The window is locked, counts bytes and begins with each rank's destination.
  explicit PutCarrier(MPI_Win window) : window_(window) {}
  ~PutCarrier() override;
  PutCarrier(const PutCarrier&) = delete;
  PutCarrier& operator=(const PutCarrier&) = delete;
  PutCarrier(PutCarrier&&) = delete;
  PutCarrier& operator=(PutCarrier&&) = delete;

  Result<Done> put(std::int32_t rank, const std::byte* from, const Layout& origin,
                   std::int64_t offset, const Layout& target) override;
  Result<Done> drain(std::int32_t rank) override;
  Result<Done> finish() override;

 private:
  struct Elements {
    int count;
    MPI_Datatype type;
  };
  Elements elements_of(const Layout& layout);

  MPI_Win window_;
  std::vector<std::pair<Layout, MPI_Datatype>> types_;  // few: pieces differ only at the edges
};

}  // namespace pto::jit::mpi
