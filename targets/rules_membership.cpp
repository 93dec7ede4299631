// Rules that ask only whether a value stands in its column of the profile.
#include "targets/remedies.h"
#include "targets/rules.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

std::string on(const Subject& s) {
  return " of " + str(name_of(s.spec.op)) + " on " + str(name_of(s.spec.target));
}

void set_all_dtypes(KernelSpec& spec, DType dtype) {
  for_each_role(spec.op, [&](Role role) {
    if (role != Role::Index) set_dtype(spec, role, dtype);
  });
}

bool to_plain_dtype(KernelSpec& spec, const Profile& profile) {
  const DType wanted = profile.of(spec.op).dtypes.contains(DType::U8) ? DType::U8 : DType::F32;
  if (element_dtype(spec) == wanted) return false;
  set_all_dtypes(spec, wanted);
  return true;
}

bool to_index_dtype(KernelSpec& spec, const Profile& profile) {
  const DType before = spec.index.dtype;
  const EnumSet<DType> offered = profile.of(spec.op).index_dtypes;
  const bool narrow = offered.contains(DType::I16) && size_of(spec.data.dtype) < 4;
  spec.index.dtype = narrow ? DType::I16 : offered.contains(DType::I32) ? DType::I32 : DType::U32;
  return spec.index.dtype != before;
}

std::string policies_of(const Subject& s) {
  EnumSet<Oob> written;
  s.op().oob.for_each([&](Oob oob) {
    if (oob != Oob::Undefined) written = written | EnumSet<Oob>{oob};
  });
  return written.empty() ? "no out-of-bounds policy" : names_of(written);
}

bool to_offered_oob(KernelSpec& spec, const Profile& profile) {
  const EnumSet<Oob> offered = profile.of(spec.op).oob;
  const Oob twin = spec.oob == Oob::Zero ? Oob::Skip : Oob::Zero;
  spec.oob = offered.contains(twin) ? twin : Oob::Undefined;
  return true;
}

bool has_atomics(const OpProfile& op) {
  return !(op.atomics[1] | op.atomics[2] | op.atomics[3]).empty();
}

const EnumSet<DType>& atomic_dtypes(const Subject& s) {
  return s.op().atomics[static_cast<std::size_t>(s.spec.atomic)];
}

std::string atomic_finding(const Subject& s) {
  const std::string what = "atomic " + str(name_of(s.spec.atomic));
  if (!has_atomics(s.op())) return str(name_of(s.spec.op)) + " has no " + what;
  std::string out = what + " on " + str(name_of(s.spec.data.dtype)) + " is not available on " +
                    str(name_of(s.spec.target));
  return atomic_dtypes(s).empty() ? out : out + "; it takes " + names_of(atomic_dtypes(s));
}

// The integer of the same size for a sum, else the narrowest wider one of its kind: all values fit.
bool to_atomic_dtype(KernelSpec& spec, const Profile& profile) {
  const DTypeInfo& now = info_of(spec.data.dtype);
  const bool is_sum = spec.atomic == Atomic::Add && now.kind == NumberKind::Unsigned;
  const NumberKind kind = now.kind == NumberKind::Opaque ? NumberKind::Float : now.kind;
  std::optional<DType> best;
  profile.of(spec.op).atomics[static_cast<std::size_t>(spec.atomic)].for_each([&](DType dtype) {
    const DTypeInfo& other = info_of(dtype);
    const bool is_twin = is_sum && other.kind == NumberKind::Signed && other.size == now.size;
    const bool is_wider = other.kind == kind && other.size > now.size;
    if ((is_twin || is_wider) && (!best || other.size < info_of(*best).size)) best = dtype;
  });
  if (best) set_all_dtypes(spec, *best);
  return best.has_value();
}

bool drop_atomic(KernelSpec& spec, const Profile&) {
  spec.atomic = Atomic::None;
  return true;
}

bool drop_conflict(KernelSpec& spec, const Profile&) {
  spec.conflict = Conflict::Unstated;
  return true;
}

// Only an operation that combines can find its atomic elsewhere.
bool combine_elsewhere(KernelSpec& spec, const Profile& profile) {
  return operation_of(spec.op).combines &&
         (remedy::to_a5(spec, profile) || remedy::to_a2a3(spec, profile));
}

std::string layout_finding(const Subject& s, Role role, EnumSet<TileLayout> offered) {
  return shown(s.spec, role) + " is " + str(name_of(tile_of(s.spec, role).layout)) + "; " +
         operand(s.spec, role) + on(s) + " is " + names_of(offered, " or ");
}

bool set_layout(Tile& tile, EnumSet<TileLayout> offered) {
  if (offered.contains(tile.layout)) return false;
  tile.layout = offered.first();
  return true;
}

bool layout_home(KernelSpec& spec, const Profile& profile) {
  const bool nz = spec.data.layout == TileLayout::Nz || spec.table.layout == TableLayout::Nz;
  return nz ? remedy::to_a2a3(spec, profile) : remedy::to_a5(spec, profile);
}

bool to_nd(KernelSpec& spec, const Profile&) {
  spec.table.layout = spec.peer.layout = TableLayout::Nd;
  if (spec.data.layout == TileLayout::Nz) spec.data.layout = TileLayout::RowMajor;
  return true;
}

}  // namespace

const Rule kOfferedRule = {"op",
                           [](const Subject&) { return Truth::Broken; },
                           [](const Subject& s) {
                             const bool is_mask = has_suffix(s.spec.op, SuffixKind::Mask);
                             return str(is_mask ? "the mask form of " : "") +
                                    str(name_of(s.spec.op)) + " is not available on " +
                                    str(name_of(s.spec.target));
                           },
                           {remedy::to_a5}};

const Rule kDTypeRule = {
    "dtype",
    [](const Subject& s) { return truth(s.op().dtypes.contains(element_dtype(s.spec))); },
    [](const Subject& s) {
      return str(name_of(element_dtype(s.spec))) + " is not a dtype" + on(s) + "; it takes " +
             names_of(s.op().dtypes);
    },
    {to_plain_dtype, remedy::to_a5}};

const Rule kIndexDTypeRule = {
    "index.dtype",
    [](const Subject& s) { return truth(s.op().index_dtypes.contains(s.spec.index.dtype)); },
    [](const Subject& s) {
      return str(name_of(s.spec.index.dtype)) + " is not an index dtype" + on(s) + "; it takes " +
             names_of(s.op().index_dtypes);
    },
    {to_index_dtype}};

const Rule kOobRule = {"oob",
                       [](const Subject& s) { return truth(s.op().oob.contains(s.spec.oob)); },
                       [](const Subject& s) {
                         return str(name_of(s.spec.oob)) + " is not a policy of " +
                                str(name_of(s.spec.op)) + "; it has " + policies_of(s);
                       },
                       {to_offered_oob}};

const Rule kAtomicRule = {
    "atomic",
    [](const Subject& s) {
      return truth(s.spec.atomic == Atomic::None || atomic_dtypes(s).contains(s.spec.data.dtype));
    },
    atomic_finding,
    {to_atomic_dtype, combine_elsewhere, drop_atomic}};

const Rule kConflictRule = {"conflict",
                            [](const Subject& s) {
                              return truth(s.spec.conflict == Conflict::Unstated ||
                                           s.op().conflicts.contains(s.spec.conflict));
                            },
                            [](const Subject& s) {
                              return "conflict policy " + str(name_of(s.spec.conflict)) + ": " +
                                     str(name_of(s.spec.op)) + " on " +
                                     str(name_of(s.spec.target)) + " has no conflict policy";
                            },
                            {drop_conflict}};

const Rule kAuditRule = {
    "audit",
    [](const Subject& s) { return truth(!s.spec.audit || is_indexed(s.spec.op)); },
    [](const Subject& s) { return mnemonic(s.spec) + " has no index to audit"; },
    {[](KernelSpec& spec, const Profile&) {
      spec.audit = false;
      return true;
    }}};

const Rule kDataLayoutRule = {
    "layout",
    [](const Subject& s) { return truth(s.op().data_layouts.contains(s.spec.data.layout)); },
    [](const Subject& s) { return layout_finding(s, Role::Data, s.op().data_layouts); },
    {[](KernelSpec& spec, const Profile& profile) {
       return set_layout(spec.data, profile.of(spec.op).data_layouts);
     },
     layout_home}};

const Rule kIndexLayoutRule = {
    "index.layout",
    [](const Subject& s) { return truth(s.op().index_layouts.contains(s.spec.index.layout)); },
    [](const Subject& s) { return layout_finding(s, Role::Index, s.op().index_layouts); },
    {[](KernelSpec& spec, const Profile& profile) {
       return set_layout(spec.index, profile.of(spec.op).index_layouts);
     },
     layout_home}};

const Rule kStoreLayoutRule = {
    "store.layout",
    [](const Subject& s) { return truth(s.op().store_layouts.contains(s.spec.store.layout)); },
    [](const Subject& s) { return layout_finding(s, Role::Store, s.op().store_layouts); },
    {[](KernelSpec& spec, const Profile& profile) {
      return set_layout(spec.store, profile.of(spec.op).store_layouts);
    }}};

const Rule kTableLayoutRule = {"table.layout",
                               [](const Subject& s) {
                                 const EnumSet<TableLayout> offered = s.op().table_layouts;
                                 const bool has_peer = has_role(s.spec.op, Role::Peer);
                                 return truth(offered.contains(s.spec.table.layout) &&
                                              (!has_peer || offered.contains(s.spec.peer.layout)));
                               },
                               [](const Subject& s) {
                                 const EnumSet<TableLayout> offered = s.op().table_layouts;
                                 const bool is_good = offered.contains(s.spec.table.layout);
                                 return shown(s.spec, is_good ? Role::Peer : Role::Table) +
                                        ": tables" + on(s) + " are " + names_of(offered);
                               },
                               {to_nd, layout_home}};

}  // namespace pto::jit
