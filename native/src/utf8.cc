#include "utf8.h"

namespace loadout {

namespace {

bool continues(Bytes text, size_t at, size_t count) {
  for (size_t i = at; i < at + count; i++) {
    if (i >= text.size || (text.data[i] & 0xc0) != 0x80) return false;
  }
  return true;
}

/** Bytes of the well-formed sequence at `at` (Unicode 15, table 3-7), or 0. */
size_t sequenceLength(Bytes text, size_t at) {
  const uint8_t lead = text.data[at];
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;  // a continuation byte, or an overlong form of ASCII
  if (lead < 0xe0) return continues(text, at + 1, 1) ? 2 : 0;
  const uint8_t second = at + 1 < text.size ? text.data[at + 1] : 0;
  if (lead < 0xf0) {
    if (lead == 0xe0 && second < 0xa0) return 0;  // overlong
    if (lead == 0xed && second > 0x9f) return 0;  // a surrogate
    return continues(text, at + 1, 2) ? 3 : 0;
  }
  if (lead > 0xf4) return 0;
  if (lead == 0xf0 && second < 0x90) return 0;  // overlong
  if (lead == 0xf4 && second > 0x8f) return 0;  // above U+10FFFF
  return continues(text, at + 1, 3) ? 4 : 0;
}

}  // namespace

size_t utf8FaultOffset(Bytes text) {
  size_t at = 0;
  while (at < text.size) {
    const size_t length = sequenceLength(text, at);
    if (length == 0) return at;
    at += length;
  }
  return text.size;
}

}  // namespace loadout
