/**
 * JSON Patch (RFC 6902): its operations, checked once, and what they make of a value. Every operation applies, or the
 * patch is a fault and nothing changed. It follows src/content/mutation/json-patch.ts and apply-json-patch.ts.
 */
#pragma once

#include "children.h"
#include "json-pointer.h"
#include "mutation-fault.h"

namespace loadout {

enum class Op : uint8_t { add, replace, test, remove, move, copy };

struct PatchOperation {
  Op op;
  JsonPointer path;
  /** The last token of `path` as a key written anew, for a member that no text holds yet. */
  Bytes written;
  /** Of `move` and `copy`. */
  JsonPointer from;
  /** Of `add`, `replace` and `test`, and how deep it nests. */
  Value value;
  uint32_t levels;
};

struct JsonPatch {
  const PatchOperation* operations;
  uint32_t count;
};

/** False: the value is no JSON Patch. */
bool compileJsonPatch(const Value& value, JsonPatch& patch, Arena& arena);

/**
 * What the value becomes. Of a repeated key an operation addresses the last member; a removal removes all. A fault:
 * the value is as before. `arena` may be exchanged for another on the way, when most of it has become garbage.
 */
Value applyJsonPatch(const Value& root, const JsonPatch& patch, uint64_t bytesMax, Arena& arena, MutationFault& fault);

}  // namespace loadout
