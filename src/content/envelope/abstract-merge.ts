/** A merge patch (RFC 7396) on what is possible at a place: it always applies, so the result is what is there afterwards. */

import type { MergePatch } from '../mutation/merge-patch.js';
import {
  ABSENT,
  AbstractObject,
  type AbstractValue,
  containersOf,
  Mixed,
  type Slot,
} from './abstract-value.js';
import type { Edit } from './edit.js';
import { join } from './join.js';

export function merged(value: AbstractValue, patch: MergePatch, edit: Edit): AbstractValue {
  const { members } = patch;
  if (members === null) return edit.insert(patch.inserted);
  const containers = containersOf(value);
  const objects = containers.filter((container) => container instanceof AbstractObject);
  const result = objects.map((object) => mergedObject(object, members, edit));
  const isSurelyObject =
    objects.length === containers.length && (!(value instanceof Mixed) || value.scalars === null);
  const mixed = new Mixed(null, result);
  if (objects.length === 0) return edit.insert(patch.inserted);
  if (isSurelyObject) return mixed;
  edit.share();
  return join(mixed, edit.insert(patch.inserted), edit.steps);
}

function mergedObject(
  object: AbstractObject,
  members: NonNullable<MergePatch['members']>,
  edit: Edit,
): AbstractObject {
  const result = edit.own(object);
  edit.steps.take(members.length);
  for (const { key, patch } of members) {
    result.changes.set(
      key.text,
      patch === null ? ABSENT : mergedSlot(result.get(key.text), patch, edit),
    );
  }
  return result;
}

function mergedSlot(slot: Slot, patch: MergePatch, edit: Edit): Slot {
  if (slot.value === null) return { value: edit.insert(patch.inserted), isAlwaysThere: true };
  const value = merged(slot.value, patch, edit);
  if (slot.isAlwaysThere) return { value, isAlwaysThere: true };
  edit.share();
  return { value: join(value, edit.insert(patch.inserted), edit.steps), isAlwaysThere: true };
}
