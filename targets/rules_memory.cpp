// Rules of MSCATTER and MGATHER: how index tile, data tile and table fit together.
#include <algorithm>

#include "targets/remedies.h"
#include "targets/rules.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kOffsetLimit = std::int64_t{1} << 32;

bool is_row(const KernelSpec& spec) { return spec.coalesce == Coalesce::Row; }
bool is_nz(const KernelSpec& spec) { return spec.table.layout == TableLayout::Nz; }

bool differs(const Subject& s, Role role, DType dtype) {
  return has_role(s.spec.op, role) && dtype_of(s.spec, role) != dtype;
}

Truth same_dtype(const Subject& s) {
  const DType dtype = element_dtype(s.spec);
  return truth(!differs(s, Role::Data, dtype) && !differs(s, Role::Store, dtype) &&
               !differs(s, Role::Table, dtype) && !differs(s, Role::Peer, dtype));
}

std::string same_dtype_finding(const Subject& s) {
  std::string out;
  for_each_role(s.spec.op, [&](Role role) {
    if (role == Role::Index) return;
    out += (out.empty() ? "" : ", ") + operand(s.spec, role) + " is " +
           str(name_of(dtype_of(s.spec, role)));
  });
  return out;
}

bool unify_dtypes(KernelSpec& spec, const Profile&) {
  const DType dtype = element_dtype(spec);
  for_each_role(spec.op, [&](Role role) {
    if (role != Role::Index) set_dtype(spec, role, dtype);
  });
  return true;
}

bool widen_tile(KernelSpec& spec, const Profile&) {
  if (spec.data.vc == spec.table.shape[4] || spec.table.shape[4] < 1) return false;
  spec.data.vc = spec.table.shape[4];
  spec.data.cols = std::max(spec.data.cols, spec.data.vc);
  return true;
}

bool is_empty(const Table& table) {
  return std::find(table.shape.begin(), table.shape.end(), 0) != table.shape.end();
}

// A stride is of no account while its extent may still turn out to be one.
Truth stride_equals(const Table& table, std::size_t dim, Quantity wanted) {
  const Quantity extent = table.shape[dim];
  if (extent.known && extent.value <= 1) return Truth::Holds;
  const Truth here = equal(stride_of(table, dim), wanted);
  return here == Truth::Broken && !extent.known ? Truth::AtInvocation : here;
}

Truth inner_stride(const Subject& s) {
  return is_row(s.spec) ? stride_equals(s.spec.table, 4, 1) : Truth::Holds;
}

// Rows are evenly spaced when each outer stride steps over all rows inside it. The innermost
// dimension not declared one sets the pitch whatever it is bound to: the kernel serves all values.
Truth even_rows(const Subject& s) {
  const Table& table = s.spec.table;
  if (!is_row(s.spec) || is_nz(s.spec) || !has_strides(table) || is_empty(table))
    return Truth::Holds;
  Truth all = Truth::Holds;
  std::optional<Quantity> wanted;
  for (std::size_t dim = 4; dim-- > 0;) {
    if (s.declared.table.shape[dim] == 1) continue;
    if (!wanted) wanted = stride_of(table, dim);
    all = both(all, stride_equals(table, dim, *wanted));
    wanted = *wanted * table.shape[dim];
  }
  return all;
}

Truth packed_table(const Subject& s) {
  const bool strides_count = is_row(s.spec) && s.profile.behaviour.reads_row_pitch;
  const Table& table = s.spec.table;
  if (is_nz(s.spec) || strides_count || !has_strides(table) || is_empty(table)) return Truth::Holds;
  Quantity packed = 1;
  Truth all = Truth::Holds;
  for (std::size_t dim = 5; dim-- > 0;) {
    all = both(all, stride_equals(table, dim, packed));
    packed = packed * table.shape[dim];
  }
  return all;
}

Truth nz_tile(const Subject& s) {
  const Tile& tile = s.spec.data;
  if (tile.layout != TileLayout::Nz) return Truth::Holds;
  return truth(tile.rows % kNzBlockRows == 0 && tile.cols % block_elements(tile.dtype) == 0);
}

bool round_nz_tile(KernelSpec& spec, const Profile&) {
  const Tile before = spec.data;
  spec.data.rows = static_cast<std::int32_t>(round_up(std::max(spec.data.rows, 1), kNzBlockRows));
  spec.data.cols = static_cast<std::int32_t>(
      round_up(std::max(spec.data.cols, 1), block_elements(spec.data.dtype)));
  return spec.data != before;
}

Quantity nz_row_columns(const KernelSpec& spec) {
  return extents(spec.table, 0, 2) * block_elements(spec.data.dtype);
}

Truth nz_row(const Subject& s) {
  if (!is_row(s.spec) || !is_nz(s.spec)) return Truth::Holds;
  return at_most(nz_row_columns(s.spec), s.spec.data.cols);
}

bool narrow_nz_table(KernelSpec& spec, const Profile&) {
  spec.table.shape[0] = 1;
  spec.table.shape[1] = std::max(spec.data.cols / block_elements(spec.data.dtype), 1);
  spec.table.strides = {};
  return true;
}

Truth table_elements(const Subject& s) {
  if (is_row(s.spec) && s.profile.behaviour.wide_row_offsets) return Truth::Holds;
  return at_most(extents(s.spec.table, 0, 5), kOffsetLimit - 1);
}

bool shrink_table(KernelSpec& spec, const Profile&) {
  std::int32_t& largest = *std::max_element(spec.table.shape.begin(), spec.table.shape.begin() + 4);
  if (largest <= 1) {
    spec.table.shape[4] = std::min(spec.table.shape[4], 1 << 20);
    return true;
  }
  largest /= 2;
  return true;
}

}  // namespace

const Rule kSameDTypeRule = {"dtype.same", same_dtype, same_dtype_finding, {unify_dtypes}};

const Rule kPaddedRowsRule = {
    "index.rows",
    [](const Subject& s) { return truth(s.spec.index.rows == s.spec.data.rows); },
    [](const Subject& s) {
      return operand(s.spec, Role::Index) + " has " + str(s.spec.index.rows) + " padded rows, " +
             operand(s.spec, Role::Data) + " has " + str(s.spec.data.rows);
    },
    {[](KernelSpec& spec, const Profile&) {
      spec.index.rows = spec.data.rows;
      return true;
    }}};

const Rule kRowWithinTableRule = {"row.width",
                                  [](const Subject& s) {
                                    if (!is_row(s.spec) || is_nz(s.spec)) return Truth::Holds;
                                    return at_most(s.spec.data.vc, s.spec.table.shape[4]);
                                  },
                                  [](const Subject& s) {
                                    return value_phrase(s.spec, Dim::DataVc) + ", " +
                                           value_phrase(s.spec, Dim::TableD4);
                                  },
                                  {remedy::fit_table_width, widen_tile}};

const Rule kInnerStrideRule = {
    "table.inner_stride",
    inner_stride,
    [](const Subject& s) { return value_phrase(s.spec, Dim::TableS4) + ", not 1"; },
    {remedy::pack_table}};

const Rule kEvenRowsRule = {"table.row_spacing",
                            even_rows,
                            [](const Subject& s) {
                              return "the rows of " + shown(s.spec, Role::Table) +
                                     " are unevenly spaced";
                            },
                            {remedy::pack_table}};

const Rule kPackedTableRule = {
    "table.packed",
    packed_table,
    [](const Subject& s) { return shown(s.spec, Role::Table) + " is not packed"; },
    {remedy::pack_table}};

const Rule kPairedLayoutRule = {
    "layout.pair",
    [](const Subject& s) { return truth(is_nz(s.spec) == (s.spec.data.layout == TileLayout::Nz)); },
    [](const Subject& s) {
      return shown(s.spec, Role::Data) + " is " + str(name_of(s.spec.data.layout)) + ", " +
             shown(s.spec, Role::Table) + " is " + str(name_of(s.spec.table.layout));
    },
    {[](KernelSpec& spec, const Profile&) {
      spec.data.layout = is_nz(spec) ? TileLayout::Nz : TileLayout::RowMajor;
      return true;
    }}};

const Rule kNzTileRule = {"nz.tile",
                          nz_tile,
                          [](const Subject& s) {
                            return shown(s.spec, Role::Data) + " is not made of whole 16x" +
                                   str(block_elements(s.spec.data.dtype)) + " blocks";
                          },
                          {round_nz_tile}};

const Rule kNzRowRule = {"nz.row",
                         nz_row,
                         [](const Subject& s) {
                           return "a row of " + shown(s.spec, Role::Table) + " has " +
                                  str(nz_row_columns(s.spec).value) + " columns, " +
                                  operand(s.spec, Role::Data) + " has " + str(s.spec.data.cols);
                         },
                         {narrow_nz_table, [](KernelSpec& spec, const Profile&) {
                            const Quantity columns = nz_row_columns(spec);
                            if (!columns.known || columns.value > (1 << 20)) return false;
                            spec.data.cols = static_cast<std::int32_t>(columns.value);
                            return true;
                          }}};

const Rule kTableElementsRule = {
    "table.elements",
    table_elements,
    [](const Subject& s) { return shown(s.spec, Role::Table) + " has 2^32 elements or more"; },
    {shrink_table}};

}  // namespace pto::jit
