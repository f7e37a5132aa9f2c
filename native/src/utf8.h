/** Where a text stops being UTF-8. */
#pragma once

#include "bytes.h"

namespace loadout {

/** The offset of the first byte that no well-formed UTF-8 has there, or the text's size. */
size_t utf8FaultOffset(Bytes text);

}  // namespace loadout
