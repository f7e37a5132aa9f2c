/** A minified JSON text with its structural index; the layout is told in src/content/json/document.ts. */
#pragma once

#include "bytes.h"
#include "structure.h"

namespace loadout {

/** Both arrays belong to somebody else. `nodes` must be the index of exactly these bytes: it is trusted. */
struct Document {
  const uint8_t* bytes;
  const uint32_t* nodes;

  uint32_t keyStart(uint32_t node) const { return nodes[node * nodeWords]; }
  uint32_t valueStart(uint32_t node) const { return nodes[node * nodeWords + 1]; }
  uint32_t valueEnd(uint32_t node) const { return nodes[node * nodeWords + 2]; }
  uint32_t next(uint32_t node) const { return nodes[node * nodeWords + 3]; }

  /** The first byte of a member, key included, or of an element. */
  uint32_t start(uint32_t node) const {
    const uint32_t key = keyStart(node);
    return key == noKey ? valueStart(node) : key;
  }

  uint8_t firstByte(uint32_t node) const { return bytes[valueStart(node)]; }
  Bytes value(uint32_t node) const { return {bytes + valueStart(node), valueEnd(node) - valueStart(node)}; }
  /** From the opening quote to the colon; nothing of what has no key. */
  Bytes key(uint32_t node) const {
    const uint32_t key = keyStart(node);
    return key == noKey ? Bytes{} : Bytes{bytes + key, valueStart(node) - key};
  }
};

}  // namespace loadout
