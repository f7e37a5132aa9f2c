/** The name of a member, prepared once to be compared with keys as they are written. */
#pragma once

#include "json-text.h"

namespace loadout {

struct MemberKey {
  /** Unescaped. */
  Bytes text;

  /** `written`: a key from its opening quote to its colon. Keys are the same when their texts are. */
  bool matches(Bytes written, Arena& scratch) const {
    const size_t size = written.size - 3;
    // An escape is longer than what it means.
    if (size < text.size) return false;
    const uint8_t* const inner = written.data + 1;
    size_t same = 0;
    while (same < text.size && inner[same] == text.data[same] && inner[same] != '\\') same++;
    if (same < size && inner[same] == '\\') return textOf({written.data, written.size - 1}, scratch).equals(text);
    return same == text.size && same == size;
  }
};

}  // namespace loadout
