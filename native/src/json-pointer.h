/** JSON Pointer (RFC 6901), to the letter: `~` begins only `~0` and `~1`, an array index has no leading zeros. */
#pragma once

#include "member-key.h"

namespace loadout {

struct PointerToken {
  MemberKey key;
  /** What it says to an array: an index, `arrayEnd`, or `notAnIndex`. */
  int64_t index;

  static constexpr int64_t arrayEnd = -1;
  static constexpr int64_t notAnIndex = -2;
};

struct JsonPointer {
  /** Unescaped as a JSON string; as a pointer as it was written. */
  Bytes text;
  const PointerToken* tokens = nullptr;
  uint32_t count = 0;

  const PointerToken& last() const { return tokens[count - 1]; }

  /** Whether `other` points to something inside what this one points to. */
  bool contains(const JsonPointer& other) const;
};

/** False: the text is no pointer. */
bool parsePointer(Bytes text, JsonPointer& pointer, Arena& arena);

}  // namespace loadout
