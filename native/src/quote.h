/** The serialized form: a JSON text as a JSON string. */
#pragma once

#include "insist.h"
#include "kernel.h"

namespace loadout {

/**
 * How many bytes `quoteJson` writes, quotes included. `json` is minified: that has no raw control characters, so the
 * quote and the backslash are all there is to escape.
 */
inline size_t quotedSize(const Kernel& kernel, Bytes json) { return json.size + kernel.countEscaped(json) + 2; }

/** Writes exactly `quotedSize` bytes. */
inline void quoteJson(const Kernel& kernel, Bytes json, uint8_t* out, size_t size) {
  *out = '"';
  uint8_t* const end = kernel.escape(json, out + 1, out + size - 1);
  insist(end == out + size - 1, "what is quoted was measured");
  *end = '"';
}

}  // namespace loadout
