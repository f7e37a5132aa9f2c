/** Which A/B tests of one mapping interfere. Pure: a worker does it. */
import { findInterferences } from '../../../content/conflicts/interference.js';
import type { Touch } from '../../../content/conflicts/rule-effects.js';
import type { Layers } from '../../../content/layers.js';
import type { Span } from '../../../content/mapping/window.js';
import { calendarDaysMax } from '../../../contract/limits.js';
import { rulesWithConditions } from '../rules-with-conditions.js';

/** A mapping with what its rules share with others. */
export interface InterferenceInput {
  readonly mapping: Uint8Array;
  /** The saved segments that it uses, as far as they are there; conditions are JSON texts. */
  readonly segments: readonly { readonly name: string; readonly condition: string }[];
  readonly layers: Layers;
  /** Milliseconds since the epoch: what was before does not count. */
  readonly nowMs: number;
}

interface Side {
  /** Its place in the mapping, from 0. */
  readonly rule: number;
  readonly segment: string;
}

export interface InterferingTests extends Touch {
  readonly a: Side;
  readonly b: Side;
  readonly when: Span;
}

export interface FoundInterference {
  readonly pairs: readonly InterferingTests[];
  readonly cut: boolean;
}

/** A quarter of a second of work. */
const samplesInWorker = 250_000;
const msPerDay = 86_400_000;

/** @param samplesMax sample values that conditions are tested on */
export function findInterference(
  input: InterferenceInput,
  samplesMax: number = samplesInWorker,
): FoundInterference {
  const { mapping, segments, layers, nowMs } = input;
  const rules = rulesWithConditions(mapping, segments);
  const range = { fromMs: nowMs, untilMs: nowMs + calendarDaysMax * msPerDay };
  const { pairs, cut } = findInterferences(rules, layers, range, { left: samplesMax });
  const sideOf = (rule: number): Side => ({ rule, segment: rules[rule]?.rule.segment ?? '' });
  return {
    pairs: pairs.map(({ a, b, ...pair }) => ({ a: sideOf(a), b: sideOf(b), ...pair })),
    cut,
  };
}

/** `"price" and "offers" both change /price for players who can be in both`. */
export function describeInterference({ a, b, paths, lists }: InterferingTests): string {
  const [first = ''] = paths;
  const value = first === '' ? 'the whole content' : first;
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : '';
  const players =
    lists.length === 0
      ? 'players who can be in both'
      : `players whose ${lists.join(' and ')} is a list with values of both`;
  return `the tests "${a.segment}" and "${b.segment}" both change ${value}${more} for ${players}`;
}
