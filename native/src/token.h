/**
 * Where a JSON token ends, by the letter of RFC 8259.
 * Each scanner returns the offset after the token, or `~offset` (negative) of the first byte that cannot be there.
 */
#pragma once

#include "bytes.h"

namespace loadout {

inline const Bytes trueWord{reinterpret_cast<const uint8_t*>("true"), 4};
inline const Bytes falseWord{reinterpret_cast<const uint8_t*>("false"), 5};
inline const Bytes nullWord{reinterpret_cast<const uint8_t*>("null"), 4};

int64_t scanString(Bytes text, size_t at);
int64_t scanNumber(Bytes text, size_t at);
int64_t scanWord(Bytes text, size_t at, Bytes word);

/** The value of a hex digit, or -1. */
int hexValue(uint8_t byte);

/** Whether a string may have this byte after a backslash. */
bool isEscapeLetter(uint8_t byte);

}  // namespace loadout
