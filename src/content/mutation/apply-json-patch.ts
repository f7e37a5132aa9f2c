/** JSON Patch (RFC 6902) on values under edit: every operation applies, or the patch is an issue and nothing changed. */

import { type Place, valueAt } from './child-cursor.js';
import { ContainerEdit } from './container-edit.js';
import { findElement, findMember, findMembers } from './find-child.js';
import { jsonEqual } from './json-equal.js';
import { type PatchOperation, quoted, withArticle } from './json-patch.js';
import { ARRAY_END, type JsonPointer, NOT_AN_INDEX, type PointerToken } from './json-pointer.js';
import { ELEMENT, type JsonValue, kindOf, Member, type Opened, openValue } from './json-value.js';
import { levelsOf } from './levels.js';
import { MutationIssue } from './mutation-issue.js';
import { mutatedLevelsMax, outgrown } from './splice-limits.js';

/** What the document becomes. Of a repeated key an operation addresses the last member; a removal removes all. */
export function applyJsonPatch(
  root: JsonValue,
  operations: readonly PatchOperation[],
  bytesMax: number,
): JsonValue | MutationIssue {
  let value = root;
  for (const [index, operation] of operations.entries()) {
    const result = applyOperation(value, operation);
    if (typeof result === 'string') return new MutationIssue(result, index);
    const reason = outgrown(value, result, bytesMax);
    if (reason !== null) return new MutationIssue(reason, index);
    value = result;
  }
  return value;
}

/** The document after one operation, or the reason why it does not apply. */
function applyOperation(root: JsonValue, operation: PatchOperation): JsonValue | string {
  const { path } = operation;
  switch (operation.op) {
    case 'add':
      return add(root, path, operation.value, operation.levels);
    case 'replace':
      return replace(root, path, operation.value, operation.levels);
    case 'remove':
      return remove(root, path, 'path');
    case 'test': {
      const found = read(root, path, 'path');
      if (typeof found === 'string') return found;
      return jsonEqual(found, operation.value)
        ? root
        : `the value at ${quoted(path.text)} is not the one that test expects`;
    }
    case 'copy': {
      const copied = read(root, operation.from, 'from');
      return typeof copied === 'string' ? copied : add(root, path, copied, levelsOf(copied));
    }
    case 'move': {
      const moved = read(root, operation.from, 'from');
      if (typeof moved === 'string') return moved;
      if (operation.from.text === path.text) return root;
      const without = remove(root, operation.from, 'from');
      return typeof without === 'string' ? without : add(without, path, moved, levelsOf(moved));
    }
  }
}

/** Which of an operation's pointers a message is about. */
type Role = 'path' | 'from';

function read(root: JsonValue, pointer: JsonPointer, role: Role): JsonValue | string {
  const trail = follow(root, pointer, pointer.tokens.length, role);
  return typeof trail === 'string' ? trail : trail.value;
}

function add(
  root: JsonValue,
  path: JsonPointer,
  value: JsonValue,
  levels: number,
): JsonValue | string {
  const last = path.tokens.at(-1);
  if (last === undefined) return value;
  if (path.tokens.length + levels > mutatedLevelsMax) return tooDeep(path);
  const trail = followToParent(root, path, 'path');
  if (typeof trail === 'string') return trail;
  const container = openValue(trail.value);
  const edited = container === null ? null : addChild(container, last, value);
  return edited === null ? missing(path, 'path', trail) : rebuild(trail, edited);
}

/** The container with one more child (or another value under a key it has), or null: no place for it. */
function addChild(container: Opened, token: PointerToken, value: JsonValue): Opened | null {
  const edit = new ContainerEdit(container);
  if (container.isObject) {
    const place = findMember(container, token.key);
    if (place !== null) return edit.replace(place, value).finish();
    return edit.append(new Member(token.key.written(), value)).finish();
  }
  if (token.index === NOT_AN_INDEX) return null;
  if (token.index === ARRAY_END) return edit.append(new Member(ELEMENT, value)).finish();
  const place = findElement(container, token.index);
  if (typeof place !== 'number') return edit.insertElement(place, value).finish();
  return place === token.index ? edit.append(new Member(ELEMENT, value)).finish() : null;
}

function replace(
  root: JsonValue,
  path: JsonPointer,
  value: JsonValue,
  levels: number,
): JsonValue | string {
  const trail = follow(root, path, path.tokens.length, 'path');
  if (typeof trail === 'string') return trail;
  if (path.tokens.length + levels > mutatedLevelsMax) return tooDeep(path);
  return rebuild(trail, value);
}

/** `pointer` is not the root's: that is rejected when the patch is compiled. */
function remove(root: JsonValue, pointer: JsonPointer, role: Role): JsonValue | string {
  const trail = followToParent(root, pointer, role);
  if (typeof trail === 'string') return trail;
  const container = openValue(trail.value);
  const edited =
    container === null ? null : removeChild(container, pointer.tokens.at(-1) as PointerToken);
  return edited === null ? missing(pointer, role, trail) : rebuild(trail, edited);
}

function removeChild(container: Opened, token: PointerToken): Opened | null {
  const places = container.isObject ? findMembers(container, token.key) : [];
  const element = container.isObject ? null : findIndexed(container, token);
  if (element !== null) places.push(element);
  if (places.length === 0) return null;
  const edit = new ContainerEdit(container);
  for (const place of places) edit.drop(place);
  return edit.finish();
}

/** The child that a token addresses, or null. */
function findChild(container: Opened, token: PointerToken): Place | null {
  return container.isObject ? findMember(container, token.key) : findIndexed(container, token);
}

function findIndexed(array: Opened, token: PointerToken): Place | null {
  const place = token.index < 0 ? null : findElement(array, token.index);
  return typeof place === 'number' ? null : place;
}

/** The way from the root down to a value: the containers passed, and the place of the next step in each. */
interface Trail {
  readonly containers: readonly Opened[];
  readonly places: readonly Place[];
  readonly value: JsonValue;
}

function followToParent(root: JsonValue, pointer: JsonPointer, role: Role): Trail | string {
  return follow(root, pointer, pointer.tokens.length - 1, role);
}

/** Follows the first `depth` tokens. */
function follow(root: JsonValue, pointer: JsonPointer, depth: number, role: Role): Trail | string {
  const containers: Opened[] = [];
  const places: Place[] = [];
  let value = root;
  for (let i = 0; i < depth; i++) {
    const container = openValue(value);
    const place = container && findChild(container, pointer.tokens[i] as PointerToken);
    if (container === null || place === null) {
      return missing(pointer, role, { containers, places, value });
    }
    containers.push(container);
    places.push(place);
    value = valueAt(container, place);
  }
  return { containers, places, value };
}

/** The root with another value at the trail's end. */
function rebuild(trail: Trail, value: JsonValue): JsonValue {
  let rebuilt = value;
  for (let i = trail.containers.length - 1; i >= 0; i--) {
    const edit = new ContainerEdit(trail.containers[i] as Opened);
    rebuilt = edit.replace(trail.places[i] as Place, rebuilt).finish();
  }
  return rebuilt;
}

/** Why the step after the trail's end leads nowhere. */
function missing(pointer: JsonPointer, role: Role, trail: Trail): string {
  const depth = trail.containers.length;
  const token = pointer.tokens[depth] as PointerToken;
  const there = depth === 0 ? 'the document' : quoted(pointer.prefix(depth));
  return `${role} ${quoted(pointer.text)} does not exist: ${explainMissing(trail.value, token, there)}`;
}

function explainMissing(value: JsonValue, token: PointerToken, there: string): string {
  const container = openValue(value);
  if (container === null) return `${there} is ${withArticle(kindOf(value))}`;
  if (container.isObject) return `${there} has no member ${quoted(token.key.text)}`;
  if (token.index === ARRAY_END) return `"-" is the end of an array, where nothing is yet`;
  if (token.index === NOT_AN_INDEX) {
    return `${there} is an array, and ${quoted(token.key.text)} is no index`;
  }
  const count = findElement(container, Number.POSITIVE_INFINITY) as number;
  return `${there} has ${count} ${count === 1 ? 'element' : 'elements'}`;
}

function tooDeep(path: JsonPointer): string {
  return `what would stand at ${quoted(path.text)} nests deeper than ${mutatedLevelsMax} levels`;
}
