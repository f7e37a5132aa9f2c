/** Which unsaved edits are old: typed on an earlier day, and still as they were then. Pure. */
import { type ParseError, parse } from 'jsonc-parser';
import type { ContentState } from './draft.js';
import { changedParts, lineOfPart, type PartName, partsOf } from './state-parts.js';

/** What was typed at some time and never saved. */
export interface EarlierState {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly state: ContentState;
}

export interface OldEdit {
  readonly part: PartName;
  /** JSON pointer of the value; null: the part as a whole. */
  readonly pointer: string | null;
}

/** Younger edits are remembered. */
const oldMs = 24 * 3_600_000;
/** Larger parts are not compared value by value. */
const comparedCharsMax = 400_000;

export function isOld({ at }: EarlierState, nowMs: number): boolean {
  return nowMs - at >= oldMs;
}

/** Values that the earlier state changed over what is saved, and that are still so. */
export function oldEdits(
  base: ContentState,
  earlier: ContentState,
  now: ContentState,
): readonly OldEdit[] {
  const [before, then, typed] = [partsOf(base), partsOf(earlier), partsOf(now)];
  return changedParts(base, earlier).flatMap((part): OldEdit[] => {
    const values = [before, then, typed].map((parts) => valuesOf(part, parts.get(part) ?? ''));
    const [ofBase, ofThen, ofNow] = values;
    if (ofBase == null || ofThen == null || ofNow == null) {
      return typed.get(part) === then.get(part) ? [{ part, pointer: null }] : [];
    }
    const pointers = new Set([...ofBase.keys(), ...ofThen.keys()]);
    return [...pointers]
      .filter((pointer) => {
        const value = ofThen.get(pointer);
        return ofBase.get(pointer) !== value && ofNow.get(pointer) === value;
      })
      .map((pointer) => ({ part, pointer }));
  });
}

/** JSON of each value that has no members, by pointer; null: the part is no JSON, or too large. */
function valuesOf(part: PartName, text: string): ReadonlyMap<string, string> | null {
  const isJson = lineOfPart(part) !== null || part === 'mapping' || part === 'schema';
  if (!isJson || text.length > comparedCharsMax) return null;
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) return null;
  const values = new Map<string, string>();
  const open: [pointer: string, value: unknown][] = [['', root]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [pointer, value] = next;
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (members.length === 0) values.set(pointer, JSON.stringify(value));
    for (const [name, member] of members.reverse()) {
      open.push([`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, member]);
    }
  }
  return values;
}
