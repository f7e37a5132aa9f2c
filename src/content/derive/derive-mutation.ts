/**
 * The smallest mutation that makes one value of another, for people who edit what players get and not patches. It stays in
 * the form that the mutation has, if that form can say it. Pure; works in a browser.
 */

import { pointerText } from '../json/pointer-text.js';
import type { MutationKind } from '../mutation/mutation.js';
import { type Change, changesBetween } from './changes.js';
import type { PlainMutation } from './plain-mutation.js';
import {
  emptyObject,
  isNull,
  nullValue,
  type PlainValue,
  plainAt,
  samePlain,
  type Tokens,
} from './plain-value.js';

/** Why a merge patch cannot say what is wanted (RFC 7396). */
export type NotMergeable =
  /** It removes the members that it sets to null. */
  | 'null'
  /** It replaces a list as a whole. */
  | 'element';

export interface Derived {
  readonly mutation: PlainMutation;
  /** The differences that it makes, as the operations of a JSON Patch. */
  readonly changes: readonly Change[];
  /** Why it is no merge patch any more, where it was one or none; null: it has the form of before. */
  readonly converted: NotMergeable | null;
}

/**
 * @param base what everybody gets
 * @param wanted what it should become; scalars keep their spelling
 * @param current the mutation of before, whose form is kept where it can be; null: there was none
 */
export function deriveMutation(
  base: PlainValue,
  wanted: PlainValue,
  current: PlainMutation | null,
): Derived {
  const changes = changesBetween(base, wanted);
  const kind: MutationKind = current?.kind ?? 'merge';
  if (kind === 'replace') {
    return { mutation: { kind, value: wanted }, changes, converted: null };
  }
  if (kind === 'patch') return { mutation: patchOf(changes), changes, converted: null };
  const merge = mergeBetween(base, wanted);
  if (merge === null) return { mutation: patchOf(changes), changes, converted: 'null' };
  const isWholeList = (path: Tokens): boolean =>
    current !== null && plainAt(current.value, path)?.kind === 'array';
  if (changes.some(({ path }) => isInNewList(base, path, isWholeList))) {
    return { mutation: patchOf(changes), changes, converted: 'element' };
  }
  return { mutation: { kind, value: merge }, changes, converted: null };
}

/** Whether a change lies in a list that the mutation does not write as a whole already. */
function isInNewList(
  base: PlainValue,
  path: Tokens,
  isWholeList: (path: Tokens) => boolean,
): boolean {
  for (let depth = 0; depth < path.length; depth++) {
    const outer = path.slice(0, depth);
    if (plainAt(base, outer)?.kind === 'array') return !isWholeList(outer);
  }
  return false;
}

function patchOf(changes: readonly Change[]): PlainMutation {
  return { kind: 'patch', value: { kind: 'array', elements: changes.map(operationOf) } };
}

/** An operation as it stands in a JSON Patch. */
export function operationOf(change: Change): PlainValue {
  const members = new Map<string, PlainValue>([
    ['op', scalarOf(change.op)],
    ['path', scalarOf(pointerText(change.path))],
  ]);
  if (change.op !== 'remove') members.set('value', change.value);
  return { kind: 'object', members };
}

function scalarOf(text: string): PlainValue {
  return { kind: 'scalar', source: JSON.stringify(text) };
}

/**
 * The merge patch that makes one of the other.
 * @returns null: none does, because it would have to set a member to null
 */
export function mergeBetween(before: PlainValue | null, after: PlainValue): PlainValue | null {
  if (after.kind !== 'object') return isNull(after) ? null : after;
  const had = before?.kind === 'object' ? before.members : emptyObject.members;
  const members = new Map<string, PlainValue>();
  for (const name of had.keys()) if (!after.members.has(name)) members.set(name, nullValue);
  for (const [name, member] of after.members) {
    const merged = mergeMember(had.get(name) ?? null, member);
    if (merged === null) return null;
    if (merged !== unchanged) members.set(name, merged);
  }
  return { kind: 'object', members };
}

const unchanged = Symbol('unchanged');

function mergeMember(
  before: PlainValue | null,
  after: PlainValue,
): PlainValue | typeof unchanged | null {
  if (samePlain(before, after)) return unchanged;
  return mergeBetween(before, after);
}
