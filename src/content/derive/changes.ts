/**
 * The differences between two values, as the operations of a JSON Patch that make one of the other: at the deepest places, so
 * that what stays is not written again. Pure; works in a browser.
 */
import { alignElements } from './align.js';
import {
  type PlainArray,
  type PlainObject,
  type PlainValue,
  samePlain,
  type Tokens,
} from './plain-value.js';

/** In the order in which they apply: an index counts what the changes before it have done. */
export type Change =
  | { readonly op: 'add' | 'replace'; readonly path: Tokens; readonly value: PlainValue }
  | { readonly op: 'remove'; readonly path: Tokens };

/** None: the values are the same. The order of members is no difference. */
export function changesBetween(before: PlainValue, after: PlainValue): Change[] {
  return compare(before, after, []);
}

function compare(before: PlainValue, after: PlainValue, path: Tokens): Change[] {
  if (samePlain(before, after)) return [];
  if (before.kind === 'object' && after.kind === 'object') {
    return compareMembers(before, after, path);
  }
  if (before.kind === 'array' && after.kind === 'array') {
    return compareElements(before, after, path);
  }
  return [{ op: 'replace', path, value: after }];
}

function compareMembers(before: PlainObject, after: PlainObject, path: Tokens): Change[] {
  const changes: Change[] = [];
  for (const [name, member] of before.members) {
    const other = after.members.get(name);
    const place = [...path, name];
    if (other === undefined) changes.push({ op: 'remove', path: place });
    else changes.push(...compare(member, other, place));
  }
  for (const [name, value] of after.members) {
    if (!before.members.has(name)) changes.push({ op: 'add', path: [...path, name], value });
  }
  return changes;
}

/** Where nothing of an array stays, it is replaced as a whole. */
function compareElements(before: PlainArray, after: PlainArray, path: Tokens): Change[] {
  const changes: Change[] = [];
  let index = 0;
  let isAnythingKept = false;
  for (const [element, other] of alignElements(before.elements, after.elements)) {
    const place = [...path, String(index)];
    if (element !== null && other !== null) {
      const inside = compare(element, other, place);
      if (inside.every((change) => change.path.length > place.length)) isAnythingKept = true;
      changes.push(...inside);
    } else if (other !== null) {
      changes.push({ op: 'add', path: place, value: other });
    } else {
      changes.push({ op: 'remove', path: place });
    }
    if (other !== null) index++;
  }
  return isAnythingKept ? changes : [{ op: 'replace', path, value: after }];
}
