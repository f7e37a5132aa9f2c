/**
 * JSON Merge Patch (RFC 7396) on values under edit. Of a repeated key the target's last member is addressed, a removal
 * removes all of them, and in the patch itself the last wins. It follows src/content/mutation/merge-patch.ts.
 */
#pragma once

#include "children.h"

namespace loadout {

struct MergeMember;

/** A merge patch, or a part of one, ready to be applied any number of times. */
struct MergePatch {
  /** What stands where no object was to merge into: the patch's value, its nulls and overruled members left out. */
  Value inserted;
  bool isObject;
  uint32_t count;
  const MergeMember* members;
  /** Of many members: an open hash table of their numbers plus one, 0 where it is empty. */
  const uint32_t* slots;
  uint32_t slotsMask;
};

struct MergeMember {
  MemberKey key;
  /** As it is written, with its colon. */
  Bytes written;
  /** Null: it removes the member. */
  const MergePatch* patch;
};

/** It recurses: the caller has bounded the levels. All of it is in the arena, or in the document. */
const MergePatch* compileMergePatch(const Value& value, Arena& arena);

/** What the target becomes. A merge always succeeds: what is no object is treated as an empty one. */
Value applyMergePatch(const Value& target, const MergePatch& patch, Arena& arena);

}  // namespace loadout
