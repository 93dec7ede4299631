// TSCATTER of the communication set: the root deals the rows of its source to all ranks, through
// one staging tile or through two in turn. The other ranks' buffers are just more global memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "pto/emulation/events.hpp"
#include "pto/emulation/execution.hpp"
#include "pto/emulation/global_tensor.hpp"
#include "pto/emulation/tile.hpp"
#include "pto/emulation/transfers.hpp"

namespace pto {
namespace emulation {

struct Stage {
  TileView tile;
  bool has_runtime_rows = false;
  bool has_runtime_cols = false;
};

// One load and one store: where from, where to, how much.
struct Piece {
  TableView from;
  TableView to;
  TileView stage;
};

struct Deal {
  TableView source;
  std::vector<TableView> ranks;
  Stage stage;
};

inline std::int64_t chunk_extent(std::int64_t extent, std::int64_t valid, std::int64_t done) {
  return std::min(valid, extent - done);
}

// A static valid extent cannot shrink for a last, smaller chunk.
inline bool check_chunks(Execution& run, const Deal& deal, bool fits) {
  const TileView& stage = deal.stage.tile;
  const auto& rank = deal.ranks.front().shape;
  if (stage.valid_rows < 1 || stage.valid_cols < 1) {
    run.report(ReportKind::Extent, "comm::TSCATTER: the stage has valid rows and columns");
    return false;
  }
  const bool rows_fit = deal.stage.has_runtime_rows || rank[3] % stage.valid_rows == 0;
  const bool cols_fit = deal.stage.has_runtime_cols || rank[4] % stage.valid_cols == 0;
  if (!fits && !(rows_fit && cols_fit)) {
    run.report(ReportKind::Extent,
               "comm::TSCATTER: static valid extents of the stage must divide a rank's rows and "
               "columns, or be runtime ones");
  }
  return true;
}

inline bool check_deal(Execution& run, const Deal& deal, std::int64_t root) {
  const auto refuse = [&run](const char* rule) {
    run.report(ReportKind::Extent, std::string("comm::TSCATTER: ") + rule);
    return false;
  };
  if (deal.ranks.empty()) return refuse("a group has at least one rank");
  const auto count = static_cast<std::int64_t>(deal.ranks.size());
  if (root < 0 || root >= count) return refuse("the root is one of the ranks");
  const auto& rank = deal.ranks.front().shape;
  const auto& source = deal.source.shape;
  if (source[0] != rank[0] || source[1] != rank[1] || source[2] != rank[2]) {
    return refuse("source and ranks have the same outer dimensions");
  }
  if (source[4] != rank[4]) return refuse("source and ranks have the same width");
  if (source[3] < count * rank[3]) return refuse("the source has too few rows for all ranks");
  return true;
}

inline TableView moved(TableView table, std::int64_t offset) {
  table.at = element_of(table, offset).at;
  return table;
}

// A rank's data in one piece. The stage does not shrink to it: extents must be equal.
inline Piece whole_piece(const Deal& deal, std::size_t rank) {
  TableView from = moved(deal.source, static_cast<std::int64_t>(rank) * deal.ranks[rank].shape[3] *
                                          deal.source.stride[3]);
  from.shape = deal.ranks[rank].shape;
  return {from, deal.ranks[rank], deal.stage.tile};
}

// The two-dimensional slide over one matrix of one rank.
inline void add_chunks(const Deal& deal, TableView from, TableView to, std::vector<Piece>& pieces) {
  const std::int64_t rows = to.shape[3];
  const std::int64_t cols = to.shape[4];
  TileView stage = deal.stage.tile;
  const std::int64_t row_step = stage.valid_rows;
  const std::int64_t col_step = stage.valid_cols;
  for (std::int64_t row = 0; row < rows; row += row_step) {
    for (std::int64_t col = 0; col < cols; col += col_step) {
      const std::array<std::int64_t, 5> shape = {1, 1, 1, chunk_extent(rows, row_step, row),
                                                 chunk_extent(cols, col_step, col)};
      from.shape = to.shape = shape;
      if (deal.stage.has_runtime_rows) stage.valid_rows = shape[3];
      if (deal.stage.has_runtime_cols) stage.valid_cols = shape[4];
      pieces.push_back({moved(from, row * from.stride[3] + col * from.stride[4]),
                        moved(to, row * to.stride[3] + col * to.stride[4]), stage});
    }
  }
}

inline void add_rank_chunks(const Deal& deal, std::size_t rank, std::vector<Piece>& pieces) {
  const Piece whole = whole_piece(deal, rank);
  const auto& extent = whole.to.shape;
  const auto& from = whole.from.stride;
  const auto& to = whole.to.stride;
  for (std::int64_t a = 0; a < extent[0]; ++a) {
    for (std::int64_t b = 0; b < extent[1]; ++b) {
      for (std::int64_t c = 0; c < extent[2]; ++c) {
        add_chunks(deal, moved(whole.from, a * from[0] + b * from[1] + c * from[2]),
                   moved(whole.to, a * to[0] + b * to[1] + c * to[2]), pieces);
      }
    }
  }
}

inline std::vector<Piece> pieces_of(Execution& run, const Deal& deal) {
  std::vector<Piece> pieces;
  const Lines lines = lines_of(deal.ranks.front());
  if (lines.count == 0 || lines.length == 0) return pieces;
  const bool fits =
      lines.count <= deal.stage.tile.valid_rows && lines.length <= deal.stage.tile.valid_cols;
  if (!check_chunks(run, deal, fits)) return pieces;
  for (std::size_t rank = 0; rank < deal.ranks.size(); ++rank) {
    if (fits) {
      pieces.push_back(whole_piece(deal, rank));
    } else {
      add_rank_chunks(deal, rank, pieces);
    }
  }
  return pieces;
}

// Each stage has a flag for "loaded" and one for "stored"; a load waits until its stage's last
// store is over. With two stages a load overlaps the store before it.
inline void deal_out(Execution& run, const std::vector<Piece>& pieces,
                     const std::vector<std::int64_t>& stages) {
  Operations& operations = run.operations();
  const std::size_t count = stages.size();
  const auto event = [count](std::size_t k) { return static_cast<event_t>(k % count); };
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    Piece piece = pieces[k];
    piece.stage.at = stages[k % count];
    if (k >= count) operations.wait_flag({PIPE_MTE3, PIPE_MTE2, event(k)});
    load_tile(run, "comm::TSCATTER", piece.stage, piece.from);
    operations.handshake(PIPE_MTE2, PIPE_MTE3, event(k));
    store_tile(run, "comm::TSCATTER", piece.to, piece.stage);
    operations.set_flag({PIPE_MTE3, PIPE_MTE2, event(k)});
  }
  for (std::size_t k = 0; k < std::min(count, pieces.size()); ++k) {
    operations.wait_flag({PIPE_MTE3, PIPE_MTE2, event(k)});
  }
}

inline void scatter_to_ranks(Execution& run, const Deal& deal, std::int64_t root,
                             const std::vector<std::int64_t>& stages) {
  if (!check_deal(run, deal, root)) return;
  deal_out(run, pieces_of(run, deal), stages);
}

}  // namespace emulation
}  // namespace pto
