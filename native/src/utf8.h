/** Where a text stops being UTF-8, and UTF-8 of what escapes mean. */
#pragma once

#include "bytes.h"

namespace loadout {

/** The offset of the first byte that no well-formed UTF-8 has there, or the text's size. */
size_t utf8FaultOffset(Bytes text);

/** Writes the code point, up to four bytes; a lone surrogate as if it were a character. Returns the end. */
uint8_t* writeUtf8(uint32_t code, uint8_t* out);

}  // namespace loadout
