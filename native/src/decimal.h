/** Numbers as exact decimals: 1e2 is 100.0, 1e400 is 10e399, and no exponent is ever expanded. */
#pragma once

#include "arena.h"

namespace loadout {

/** Whether two JSON numbers, as they are written, mean the same. */
bool sameNumber(Bytes one, Bytes other, Arena& scratch);

}  // namespace loadout
