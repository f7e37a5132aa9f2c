/**
 * A condition of Firebase as the rules that it needs. A rule has one condition, one window and one salt, all of which must admit a
 * player; what Firebase joins by "or" around windows and seeds needs a rule for each alternative. They make the same change, so
 * it does not matter when several apply.
 */

import { allOf, always, anyOf, type Condition, conditionProblem, never } from '../conditions.js';
import { attributeOf } from './elements.js';
import type { Atom, Expression } from './expression.js';
import { type Term, termOf } from './terms.js';

export interface Alternative {
  readonly when: Condition;
  readonly fromMs: number | null;
  readonly untilMs: number | null;
  /** By seed: first and last bucket. */
  readonly shares: ReadonlyMap<string, readonly [number, number]>;
}

export interface Remarks {
  differs(message: string): void;
  /** The test, and what it belongs to, never holds. */
  leftOut(reason: string): void;
  reads(atom: Atom): void;
}

const anyone: Alternative = { when: always, fromMs: null, untilMs: null, shares: new Map() };

/** Alternatives that "and" of several "or" would multiply to. Console and SDK nest one "or". */
const alternativesMax = 50;

const sharesDiffer = 'the same share of players, but others: the hash is another';
const isRounded = 'shares are rounded to a tenth of a percent';

/** What has no alternative never holds. */
export function alternativesOf(expression: Expression, remarks: Remarks): readonly Alternative[] {
  const found = expand(expression, remarks);
  return found.filter(({ when, fromMs, untilMs, shares }) => {
    if (fromMs !== null && untilMs !== null && fromMs >= untilMs) return false;
    if ([...shares.values()].some(([first, last]) => first > last)) return false;
    if (shares.size > 1) {
      remarks.leftOut(
        `it divides players by the seeds ${[...shares.keys()].join(' and ')}, and a rule has one salt`,
      );
      return false;
    }
    const problem = conditionProblem(when);
    if (problem !== null) remarks.leftOut(`Loadout does not admit the condition: ${problem}`);
    return problem === null;
  });
}

function expand(expression: Expression, remarks: Remarks): readonly Alternative[] {
  switch (expression.kind) {
    case 'constant':
      return expression.value ? [anyone] : [];
    case 'atom':
      return ofTerm(expression.atom, remarks);
    case 'any': {
      const parts = expression.of.flatMap((part) => expand(part, remarks));
      return joinPlain(parts);
    }
    case 'all': {
      let joined: readonly Alternative[] = [anyone];
      for (const part of expression.of) {
        const others = expand(part, remarks);
        if (joined.length * others.length > alternativesMax) {
          remarks.leftOut(`it has more than ${alternativesMax} alternatives`);
          return [];
        }
        joined = joined.flatMap((one) => others.map((other) => both(one, other)));
      }
      return joined;
    }
  }
}

function ofTerm(atom: Atom, remarks: Remarks): readonly Alternative[] {
  const term: Term = termOf(atom);
  const isRead = attributeOf(atom) !== null || term.kind === 'share';
  if (isRead && term.kind !== 'none') remarks.reads(atom);
  switch (term.kind) {
    case 'none':
      remarks.leftOut(term.reason);
      return [];
    case 'when':
      if (term.differs !== null) remarks.differs(term.differs);
      return [{ ...anyone, when: term.when }];
    case 'window':
      return [{ ...anyone, fromMs: term.fromMs, untilMs: term.untilMs }];
    case 'share': {
      remarks.differs(term.isRounded ? `${sharesDiffer}; ${isRounded}` : sharesDiffer);
      const { first, last, seed } = term;
      if (first > last) return [];
      // Nobody without an id is in a share, in Firebase either. Without a seed all shares divide the same players: as `@mod` does.
      const known = { '@u': { $ne: '' } };
      if (seed !== null)
        return [{ ...anyone, when: known, shares: new Map([[seed, [first, last]]]) }];
      return [{ ...anyone, when: { ...known, '@mod': { $gte: first, $lte: last } } }];
    }
  }
}

/** Those that are conditions alone become one. */
function joinPlain(parts: readonly Alternative[]): readonly Alternative[] {
  const isPlain = ({ fromMs, untilMs, shares }: Alternative): boolean =>
    fromMs === null && untilMs === null && shares.size === 0;
  const plain = parts.filter(isPlain).map(({ when }) => when);
  const others = parts.filter((part) => !isPlain(part));
  if (plain.length === 0) return others;
  return [{ ...anyone, when: anyOf(plain) }, ...others];
}

function both(one: Alternative, other: Alternative): Alternative {
  const shares = new Map(one.shares);
  for (const [seed, [first, last]] of other.shares) {
    const [from, to] = shares.get(seed) ?? [first, last];
    shares.set(seed, [Math.max(from, first), Math.min(to, last)]);
  }
  return {
    when: same(one.when, other.when) ? one.when : allOf([one.when, other.when]),
    fromMs: later(one.fromMs, other.fromMs),
    untilMs: earlier(one.untilMs, other.untilMs),
    shares,
  };
}

function same(one: Condition, other: Condition): boolean {
  return one !== never && JSON.stringify(one) === JSON.stringify(other);
}

function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
