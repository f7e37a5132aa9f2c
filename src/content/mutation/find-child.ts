/** Finds members by key and elements by index. */

import { ChildCursor, type Place } from './child-cursor.js';
import type { Opened } from './json-value.js';
import type { MemberKey } from './member-key.js';

/** The member of that key, of a repeated one the last, or null. */
export function findMember(object: Opened, key: MemberKey): Place | null {
  let found: Place | null = null;
  for (const cursor = new ChildCursor(object); !cursor.atEnd; cursor.advance()) {
    if (key.matches(cursor.keyJson, cursor.keyStart)) found = cursor.place;
  }
  return found;
}

/** Every member of that key, in order. */
export function findMembers(object: Opened, key: MemberKey): Place[] {
  const found: Place[] = [];
  for (const cursor = new ChildCursor(object); !cursor.atEnd; cursor.advance()) {
    if (key.matches(cursor.keyJson, cursor.keyStart)) found.push(cursor.place);
  }
  return found;
}

/** The element of that index, or, where the array ends before it, how many elements there are. */
export function findElement(array: Opened, index: number): Place | number {
  let count = 0;
  for (const cursor = new ChildCursor(array); !cursor.atEnd; cursor.advance()) {
    if (count === index) return cursor.place;
    count++;
  }
  return count;
}
