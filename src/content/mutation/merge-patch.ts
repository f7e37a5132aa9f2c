/**
 * JSON Merge Patch (RFC 7396) on values under edit. Of a repeated key the target's last member is addressed, a removal
 * removes all of them, and in the patch itself the last wins.
 */

import type { JsonDocument } from '../json/document.js';
import { ChildCursor, keyAt, type Place, valueAt } from './child-cursor.js';
import { ContainerEdit } from './container-edit.js';
import { type JsonValue, kindOf, Member, Opened, openValue, Untouched } from './json-value.js';
import { type KeySpan, keyTextAt, MemberKey } from './member-key.js';

/** A merge patch, or a part of one, ready to be applied any number of times. */
export class MergePatch {
  /** What stands where no object was to merge into: the patch's value, its nulls and overruled members left out. */
  readonly inserted: JsonValue;
  /** What it does to an object; null: it is no object and replaces whatever is there. */
  readonly members: readonly MergeMember[] | null;
  readonly #byText: ReadonlyMap<string, number>;

  constructor(inserted: JsonValue, members: readonly MergeMember[] | null) {
    this.inserted = inserted;
    this.members = members;
    this.#byText = new Map((members ?? []).map((member, index) => [member.key.text, index]));
  }

  /** The index of the patch's member for the key whose opening quote is at `keyStart`, or -1. */
  memberFor(json: Uint8Array, keyStart: number): number {
    const members = this.members ?? [];
    if (members.length > MEMBERS_COMPARED_MAX) {
      return this.#byText.get(keyTextAt(json, keyStart)) ?? -1;
    }
    for (let i = 0; i < members.length; i++) {
      if (members[i]?.key.matches(json, keyStart)) return i;
    }
    return -1;
  }
}

interface MergeMember {
  readonly key: MemberKey;
  readonly keySpan: KeySpan;
  /** null: it removes the member. */
  readonly patch: MergePatch | null;
}

/** The document's value as a merge patch. It recurses: the caller has bounded the levels. */
export function compileMergePatch(document: JsonDocument): MergePatch {
  return compile(new Untouched(document, 0));
}

function compile(value: JsonValue): MergePatch {
  const object = kindOf(value) === 'object' ? openValue(value) : null;
  if (object === null) return new MergePatch(value, null);
  const members = new Map<string, MergeMember>();
  let isInsertedWhole = true;
  for (const cursor = new ChildCursor(object); !cursor.atEnd; cursor.advance()) {
    const member = compileMember(object, cursor);
    const { text } = member.key;
    if (members.has(text) || !(member.patch?.inserted instanceof Untouched))
      isInsertedWhole = false;
    members.set(text, member);
  }
  const list = [...members.values()];
  return new MergePatch(isInsertedWhole ? value : insertedObject(list), list);
}

function compileMember(object: Opened, cursor: ChildCursor): MergeMember {
  const { keyJson, keyStart, value } = cursor;
  return {
    key: new MemberKey(keyTextAt(keyJson, keyStart)),
    keySpan: keyAt(object, cursor.place),
    patch: kindOf(value) === 'null' ? null : compile(value),
  };
}

function insertedObject(members: readonly MergeMember[]): Opened {
  const edit = new ContainerEdit(new Opened(true, [], 0));
  for (const { keySpan, patch } of members) {
    if (patch !== null) edit.append(new Member(keySpan, patch.inserted));
  }
  return edit.finish();
}

/** What the target becomes. A merge always succeeds: what is no object is treated as an empty one. */
export function applyMergePatch(target: JsonValue, patch: MergePatch): JsonValue {
  const { members } = patch;
  const object = kindOf(target) === 'object' ? openValue(target) : null;
  if (members === null || object === null) return patch.inserted;

  const hits: { readonly place: Place; readonly member: number }[] = [];
  const lastHits = new Int32Array(members.length).fill(-1);
  for (const cursor = new ChildCursor(object); !cursor.atEnd; cursor.advance()) {
    const member = patch.memberFor(cursor.keyJson, cursor.keyStart);
    if (member >= 0) lastHits[member] = hits.push({ place: cursor.place, member }) - 1;
  }

  const edit = new ContainerEdit(object);
  hits.forEach(({ place, member }, hit) => {
    const below = members[member]?.patch ?? null;
    if (below === null) edit.drop(place);
    else if (lastHits[member] === hit) {
      edit.replace(place, applyMergePatch(valueAt(object, place), below));
    }
  });
  members.forEach(({ keySpan, patch: below }, member) => {
    if (lastHits[member] === -1 && below !== null) edit.append(new Member(keySpan, below.inserted));
  });
  return edit.finish();
}

/** Up to here comparing bytes with each key beats making a string of every key of the target. */
const MEMBERS_COMPARED_MAX = 8;
