/** The attributes of a user context as they may be kept in a sample: few, small, and none that could say who the player is. Pure. */
import { keptAttributesMax, keptElementsMax, keptLevelsMax, keptTextCharsMax } from '../limits.js';
import { isNameable } from './attribute-sketch.js';
import { isNamePersonal, isNumberPersonal, isTextPersonal } from './personal-values.js';

export interface KeptAttributes {
  /** JSON text of an object. */
  readonly json: string;
  /** Something is left out. */
  readonly isReduced: boolean;
}

/** @param bytesMax of the JSON */
export function keptAttributes(
  attributes: Readonly<Record<string, unknown>>,
  bytesMax: number,
): KeptAttributes {
  const members: string[] = [];
  let isReduced = false;
  let bytesLeft = bytesMax - 2;
  let looked = 0;
  for (const name in attributes) {
    if (++looked > keptAttributesMax) return { json: `{${members.join()}}`, isReduced: true };
    const value = keptMember(name, attributes[name], keptLevelsMax);
    const member = value === undefined ? null : `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    const bytes = member === null ? 0 : Buffer.byteLength(member) + 1;
    if (member === null || bytes > bytesLeft) {
      isReduced = true;
      continue;
    }
    bytesLeft -= bytes;
    members.push(member);
  }
  return { json: `{${members.join()}}`, isReduced };
}

function keptMember(name: string, value: unknown, levels: number): unknown {
  return isNameable(name) && !isNamePersonal(name) ? keptValue(value, levels) : undefined;
}

/** Undefined: it may not be kept, or a part of it. A part would match other conditions than the whole. */
function keptValue(value: unknown, levels: number): unknown {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'number':
      return isNumberPersonal(value) ? undefined : value;
    case 'string':
      return value.length <= keptTextCharsMax && !isTextPersonal(value) ? value : undefined;
    case 'object':
      if (value === null) return null;
      if (levels === 0) return undefined;
      return Array.isArray(value) ? keptList(value, levels - 1) : keptObject(value, levels - 1);
    default:
      return undefined;
  }
}

function keptList(list: readonly unknown[], levels: number): unknown {
  if (list.length > keptElementsMax) return undefined;
  const kept = list.map((element) => keptValue(element, levels));
  return kept.includes(undefined) ? undefined : kept;
}

function keptObject(object: object, levels: number): unknown {
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    if (kept.length === keptElementsMax) return undefined;
    const member = keptMember(name, value, levels);
    if (member === undefined) return undefined;
    kept.push([name, member]);
  }
  return Object.fromEntries(kept);
}
