// Remedies: small changes to a spec that several rules share.
#pragma once

#include "ir/spec.h"
#include "targets/profile.h"

namespace pto::jit::remedy {

bool to_a5(KernelSpec& spec, const Profile& profile);
bool to_a2a3(KernelSpec& spec, const Profile& profile);

// Gives the index tile the shape, dtype and layout its data tile asks for.
bool reshape_index(KernelSpec& spec, const Profile& profile);
// Pads every tile's contiguous side to whole 32-byte bursts.
bool pad_tiles(KernelSpec& spec, const Profile& profile);
// Grows a tile's storage to hold its valid region.
bool grow_tiles(KernelSpec& spec, const Profile& profile);
// Drops strides.
bool pack_table(KernelSpec& spec, const Profile& profile);
// Makes the table (or the tile-to-tile destination) as wide as the data tile's rows need.
bool fit_table_width(KernelSpec& spec, const Profile& profile);

}  // namespace pto::jit::remedy
