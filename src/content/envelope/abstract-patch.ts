/**
 * A JSON Patch (RFC 6902) on what is possible at a place. An operation keeps the alternatives to which it can apply; where
 * there is none, the whole patch never applies.
 */

import type { PatchOperation } from '../mutation/json-patch.js';
import { ARRAY_END, type JsonPointer, type PointerToken } from '../mutation/json-pointer.js';
import { mutatedLevelsMax } from '../mutation/splice-limits.js';
import {
  ABSENT,
  AbstractArray,
  type AbstractContainer,
  AbstractObject,
  type AbstractValue,
  containersOf,
  Mixed,
} from './abstract-value.js';
import { mayBeAt, reaching, withAlternative, withInserted, withoutPlace } from './bag.js';
import type { Edit } from './edit.js';
import { join } from './join.js';
import { mayEqual } from './may-equal.js';
import { sizeOf } from './measure.js';

/** What the value becomes where the patch applies; null: it never does. */
export function patched(
  root: AbstractValue,
  operations: readonly PatchOperation[],
  edit: Edit,
): AbstractValue | null {
  let value: AbstractValue | null = root;
  for (const operation of operations) {
    value = operated(value, operation, edit);
    if (value === null || edit.steps.areSpent || edit.isTooDeep) return value;
  }
  return value;
}

function operated(
  root: AbstractValue,
  operation: PatchOperation,
  edit: Edit,
): AbstractValue | null {
  const { path } = operation;
  switch (operation.op) {
    case 'add':
    case 'replace': {
      if (path.tokens.length + operation.levels > mutatedLevelsMax) return null;
      return placed(root, path, operation.op, edit.insert(operation.value), edit);
    }
    case 'remove':
      return changedAt(root, path, 0, edit, removed);
    case 'test': {
      const found = read(root, path, 0, edit);
      return found !== null && mayEqual(found, operation.value) ? root : null;
    }
    case 'copy': {
      const copied = readToCopy(root, operation.from, path, edit);
      return copied && placed(root, path, 'add', copied, edit);
    }
    case 'move': {
      const moved = readToCopy(root, operation.from, path, edit);
      if (moved === null || operation.from.text === path.text) return moved && root;
      const without = changedAt(root, operation.from, 0, edit, removed);
      return without && placed(without, path, 'add', moved, edit);
    }
  }
}

function placed(
  root: AbstractValue,
  path: JsonPointer,
  op: 'add' | 'replace',
  value: AbstractValue,
  edit: Edit,
): AbstractValue | null {
  if (path.tokens.length === 0) return value;
  const change = op === 'add' ? added : replaced;
  return changedAt(root, path, 0, edit, (container, token) =>
    change(container, token, edit, value),
  );
}

/** What may be at a pointer, or null: nothing is. */
function read(
  value: AbstractValue,
  pointer: JsonPointer,
  depth: number,
  edit: Edit,
): AbstractValue | null {
  const token = pointer.tokens[depth];
  if (token === undefined) return value;
  let found: AbstractValue | null = null;
  for (const container of containersOf(value)) {
    for (const child of childrenAt(container, token)) {
      edit.steps.take(1);
      const below = read(child, pointer, depth + 1, edit);
      if (below !== null) found = found === null ? below : join(found, below, edit.steps);
    }
  }
  return found;
}

function childrenAt(container: AbstractContainer, token: PointerToken): readonly AbstractValue[] {
  if (container instanceof AbstractObject) {
    const { value } = container.get(token.key.text);
    return value === null ? [] : [value];
  }
  if (!isIndexIn(container, token)) return [];
  const { bag } = container;
  if (bag !== null) return container.elements.filter((_, i) => mayBeAt(bag, i, token.index));
  return [container.elements[token.index] as AbstractValue];
}

/** What is read is then shared with its copy. */
function readToCopy(
  root: AbstractValue,
  from: JsonPointer,
  path: JsonPointer,
  edit: Edit,
): AbstractValue | null {
  const found = read(root, from, 0, edit);
  edit.share();
  if (found !== null) {
    const { levels } = sizeOf(found, edit.steps);
    if (path.tokens.length + levels > mutatedLevelsMax) edit.isTooDeep = true;
  }
  return found;
}

type Change = (
  container: AbstractContainer,
  token: PointerToken,
  edit: Edit,
) => AbstractContainer | null;

/** The value with a change made in the container that has the pointer's last token; null: no alternative has it. */
function changedAt(
  value: AbstractValue,
  pointer: JsonPointer,
  depth: number,
  edit: Edit,
  change: Change,
): AbstractValue | null {
  const token = pointer.tokens[depth] as PointerToken;
  const isLast = depth === pointer.tokens.length - 1;
  const descend = (child: AbstractValue): AbstractValue | null =>
    changedAt(child, pointer, depth + 1, edit, change);
  const containers: AbstractContainer[] = [];
  for (const container of containersOf(value)) {
    edit.steps.take(1);
    const changed = isLast
      ? change(container, token, edit)
      : changedBelow(container, token, edit, descend);
    if (changed !== null) containers.push(changed);
  }
  return containers.length === 0 ? null : new Mixed(null, containers);
}

function changedBelow(
  container: AbstractContainer,
  token: PointerToken,
  edit: Edit,
  descend: (child: AbstractValue) => AbstractValue | null,
): AbstractContainer | null {
  if (container instanceof AbstractArray) return changedElement(container, token, edit, descend);
  const { value } = container.get(token.key.text);
  const changed = value && descend(value);
  if (changed === null) return null;
  const object = edit.own(container);
  object.changes.set(token.key.text, { value: changed, isAlwaysThere: true });
  return object;
}

function changedElement(
  array: AbstractArray,
  token: PointerToken,
  edit: Edit,
  descend: (child: AbstractValue) => AbstractValue | null,
): AbstractArray | null {
  if (!isIndexIn(array, token)) return null;
  if (array.bag === null) {
    const changed = descend(array.elements[token.index] as AbstractValue);
    if (changed === null) return null;
    const elements = edit.elementsOf(array);
    elements[token.index] = changed;
    return edit.array(array.origin, elements, null);
  }
  // Any of those that may be there is the one, and each may be elsewhere.
  edit.share();
  const { bag } = array;
  let isChanged = false;
  const elements = edit.elementsOf(array);
  for (let i = 0; i < elements.length; i++) {
    if (!mayBeAt(bag, i, token.index)) continue;
    const element = elements[i] as AbstractValue;
    const changed = descend(element);
    if (changed === null) continue;
    isChanged = true;
    elements[i] = join(element, changed, edit.steps);
  }
  return isChanged ? edit.array(array.origin, elements, reaching(bag, token.index)) : null;
}

function added(
  container: AbstractContainer,
  token: PointerToken,
  edit: Edit,
  value: AbstractValue,
): AbstractContainer | null {
  if (container instanceof AbstractObject) return withMember(container, token, edit, value);
  const { max } = container.lengths;
  const place = token.index === ARRAY_END ? null : token.index;
  if (place !== null && (place < 0 || place > max)) return null;
  const elements = edit.elementsOf(container);
  if (container.bag === null) {
    elements.splice(place ?? max, 0, value);
    return edit.array(container.origin, elements, null);
  }
  elements.push(value);
  return edit.array(container.origin, elements, withInserted(container.bag, place));
}

function replaced(
  container: AbstractContainer,
  token: PointerToken,
  edit: Edit,
  value: AbstractValue,
): AbstractContainer | null {
  if (container instanceof AbstractObject) {
    if (container.get(token.key.text).value === null) return null;
    return withMember(container, token, edit, value);
  }
  if (!isIndexIn(container, token)) return null;
  const elements = edit.elementsOf(container);
  if (container.bag === null) {
    elements[token.index] = value;
    return edit.array(container.origin, elements, null);
  }
  elements.push(value);
  return edit.array(container.origin, elements, withAlternative(container.bag, token.index));
}

function removed(
  container: AbstractContainer,
  token: PointerToken,
  edit: Edit,
): AbstractContainer | null {
  if (container instanceof AbstractObject) {
    const { key } = token;
    if (container.get(key.text).value === null) return null;
    const object = edit.own(container);
    object.changes.set(key.text, ABSENT);
    return object;
  }
  if (!isIndexIn(container, token)) return null;
  const elements = edit.elementsOf(container);
  if (container.bag === null) {
    elements.splice(token.index, 1);
    return edit.array(container.origin, elements, null);
  }
  return edit.array(container.origin, elements, withoutPlace(container.bag, token.index));
}

function withMember(
  container: AbstractObject,
  { key }: PointerToken,
  edit: Edit,
  value: AbstractValue,
): AbstractObject {
  const object = edit.own(container);
  object.changes.set(key.text, { value, isAlwaysThere: true });
  return object;
}

/** Whether some of the arrays have the element. */
function isIndexIn(array: AbstractArray, { index }: PointerToken): boolean {
  return index >= 0 && index < array.lengths.max;
}
