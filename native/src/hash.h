/** XXH3-64, seed 0: the reported hash of delivered JSON. */
#pragma once

#include "bytes.h"

namespace loadout {

uint64_t hashOf(Bytes bytes);

}  // namespace loadout
