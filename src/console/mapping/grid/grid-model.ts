/** Places and columns of a rule's values, from what is typed of the content item. Pure. */
import { MutationColumn } from '../../../content/derive/mutation-column.js';
import type { PlainMutation } from '../../../content/derive/plain-mutation.js';
import {
  childOf,
  type PlainValue,
  printPlain,
  type Tokens,
} from '../../../content/derive/plain-value.js';
import { pointerText } from '../../../content/json/pointer-text.js';

/** What everybody gets on an app version line. */
export interface GridLine {
  readonly appVersion: string;
  readonly text: string;
  /** Null: the text is not JSON at the moment. */
  readonly base: PlainValue | null;
}

/** A variant, or the rule's one change. */
export interface GridArm {
  /** Its place in the rule; null: the rule's own change. */
  readonly variant: number | null;
  readonly name: string;
  readonly mutation: PlainMutation | null;
  /** Its source cannot be read at the moment. */
  readonly isBroken: boolean;
  /** One for each version line; null where the text is not JSON. */
  readonly columns: readonly (MutationColumn | null)[];
}

export type ArmSource = Omit<GridArm, 'columns'>;

/** Whose text it is, as in “the text as cheap sees it”. */
export function seenBy({ variant, name }: GridArm): string {
  return variant === null ? 'its players see it' : `${name} sees it`;
}

export function makeArm(arm: ArmSource, lines: readonly GridLine[]): GridArm {
  const columns = lines.map(({ base }) =>
    base === null || arm.isBroken ? null : new MutationColumn(base, arm.mutation),
  );
  return { ...arm, columns };
}

/**
 * The places that any arm writes, and those that were added by hand, in the order in which they stand in the text.
 * @param added JSON pointers, as tokens
 */
export function placesOf(
  arms: readonly GridArm[],
  added: readonly Tokens[],
  base: PlainValue | null,
): Tokens[] {
  const places = new Map<string, Tokens>();
  const written = arms.flatMap(({ columns }) =>
    columns.flatMap((column) => column?.places() ?? []),
  );
  for (const tokens of [...written, ...added]) places.set(pointerText(tokens), tokens);
  const ordered = Array.from(places.values(), (tokens) => ({
    tokens,
    at: positionIn(base, tokens),
  }));
  return ordered.sort((a, b) => comparePositions(a.at, b.at)).map(({ tokens }) => tokens);
}

/** Which child leads to the place at each level; what is not in the text follows what is. */
function positionIn(base: PlainValue | null, tokens: Tokens): readonly number[] {
  let value = base;
  return tokens.map((token) => {
    const names = value?.kind === 'object' ? [...value.members.keys()] : [];
    const at = value?.kind === 'array' ? Number(token) : names.indexOf(token);
    value = value === null ? null : childOf(value, token);
    return at < 0 || Number.isNaN(at) ? Number.POSITIVE_INFINITY : at;
  });
}

function comparePositions(a: readonly number[], b: readonly number[]): number {
  for (const [depth, at] of a.entries()) {
    const other = b[depth];
    if (other === undefined) return 1;
    if (at !== other) return at < other ? -1 : 1;
  }
  return a.length - b.length;
}

/** A place of a text, to be searched. */
export interface FoundPlace {
  readonly pointer: string;
  /** Of a scalar its lexeme; of others what they are. */
  readonly words: string;
}

/** All places of a value, those of scalars first. */
export function allPlaces(base: PlainValue): FoundPlace[] {
  const scalars: FoundPlace[] = [];
  const containers: FoundPlace[] = [];
  const collect = (value: PlainValue, pointer: string): void => {
    if (value.kind === 'scalar') {
      scalars.push({ pointer, words: value.source });
      return;
    }
    const children: [string, PlainValue][] =
      value.kind === 'object'
        ? [...value.members]
        : value.elements.map((element, index) => [String(index), element]);
    const noun = value.kind === 'object' ? 'member' : 'element';
    const words = `${children.length} ${noun}${children.length === 1 ? '' : 's'}`;
    if (pointer !== '') containers.push({ pointer, words });
    for (const [token, child] of children) collect(child, pointer + pointerText([token]));
  };
  collect(base, '');
  return [...scalars, ...containers];
}

/** The first places whose path or value contains every word of the query. */
export function findPlaces(
  places: readonly FoundPlace[],
  query: string,
  max: number,
): FoundPlace[] {
  const words = query.toLowerCase().split(blanks).filter(Boolean);
  const found: FoundPlace[] = [];
  for (const place of places) {
    const text = `${place.pointer} ${place.words}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    found.push(place);
    if (found.length === max) break;
  }
  return found;
}

const blanks = /\s+/;

const shownMax = 120;

/** A value as a cell shows it. */
export function shownValue(value: PlainValue): string {
  const source = printPlain(value, true);
  return source.length > shownMax ? `${source.slice(0, shownMax)}…` : source;
}
