/** Pairs the elements of two lists: those that stay, those that changed, and those that came or went. Pure. */
import { alignSequences } from '../align-sequences.js';
import { type PlainValue, printPlain } from './plain-value.js';

/** An element before and after; null: it was, or is, not there. */
export type Pair = readonly [PlainValue | null, PlainValue | null];

/** In the order of the lists. Elements are recognised by a member such as `id`, otherwise by their whole value. */
export function alignElements(before: readonly PlainValue[], after: readonly PlainValue[]): Pair[] {
  const partners = alignSequences(before.map(identityOf), after.map(identityOf));
  const pairs: Pair[] = [];
  let [from, other] = [0, 0];
  /** Elements that have no partner are paired in order. */
  const pairUpTo = (beforeEnd: number, afterEnd: number): void => {
    while (from < beforeEnd || other < afterEnd) {
      pairs.push([
        from < beforeEnd ? (before[from++] ?? null) : null,
        other < afterEnd ? (after[other++] ?? null) : null,
      ]);
    }
  };
  for (const [at, partner] of partners.entries()) {
    if (partner < 0) continue;
    pairUpTo(at, partner);
    pairs.push([before[from++] ?? null, after[other++] ?? null]);
  }
  pairUpTo(before.length, after.length);
  return pairs;
}

function identityOf(value: PlainValue): string {
  if (value.kind === 'object') {
    for (const name of identifying) {
      const member = value.members.get(name);
      if (member?.kind === 'scalar') return `${name}=${member.source}`;
    }
  }
  return printPlain(value);
}

const identifying = ['id', 'key', 'name'] as const;
