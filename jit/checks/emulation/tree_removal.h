// Removes what is in a folder that somebody else may have filled: no link is followed, no mount
// entered, no permission or depth in the way. System calls alone.
#pragma once

namespace pto::jit {

// Whether `folder` is empty afterwards. It may be filled again meanwhile.
bool remove_contents(int folder);

}  // namespace pto::jit
