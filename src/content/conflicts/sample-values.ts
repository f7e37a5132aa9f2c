/**
 * Values that stand for all values an attribute can have: whatever some tests find of any value, they find of one of these.
 * Between two neighbouring values at which the outcome of a test can change, all outcomes are the same, so one value between them
 * stands for all. Lists are not among them.
 */
import type { Scalar, ValueTest } from './bound-test.js';

/** Comparing more of them takes longer than the comparison is worth. */
const samplesMax = 4_000;

/** Groups of 1000, and `@mod`. */
export const bucketSamples: readonly number[] = Array.from(
  { length: 1_000 },
  (_, bucket) => bucket,
);

/** Null: more values than these could decide. */
export function textSamples(tests: readonly ValueTest[]): readonly string[] | null {
  const orders = new Set(tests.map(({ order }) => order));
  // The order of texts by characters and that by numbers have nothing to do with each other.
  if (orders.has('text') && orders.has('number')) return null;
  const turns = turnsOf(tests);
  const texts = new Set(turns.filter((turn) => typeof turn === 'string'));
  texts.add('');
  const samples = new Set(texts);
  // The text that follows in the order, so that it lies between this one and the next.
  for (const text of texts) samples.add(`${text}\0`);
  // A text that reads as the number, and is none that a test names.
  for (const number of numberSamples(tests)) {
    let text = ` ${number}`;
    while (texts.has(text)) text = ` ${text}`;
    samples.add(text);
  }
  return samples.size > samplesMax ? null : [...samples];
}

export function numberSamples(tests: readonly ValueTest[]): readonly number[] {
  const numbers = turnsOf(tests)
    .map(Number)
    .filter((number) => !Number.isNaN(number));
  const { POSITIVE_INFINITY, NEGATIVE_INFINITY, MAX_VALUE } = Number;
  const ends = [NEGATIVE_INFINITY, -MAX_VALUE, 0, 1, MAX_VALUE, POSITIVE_INFINITY];
  const sorted = [...new Set([...numbers, ...ends])].sort((a, b) => (a < b ? -1 : 1));
  return sorted.flatMap((number, at) => {
    const next = sorted[at + 1];
    const between = next === undefined ? Number.NaN : number / 2 + next / 2;
    return number < between && between < (next ?? number) ? [number, between] : [number];
  });
}

/** An object reads as the same text whatever it holds, or as none. */
const objectSamples: readonly object[] = [{}, { toString: 1 }];

/** Null: more values than these could decide. */
export function attributeSamples(tests: readonly ValueTest[]): readonly unknown[] | null {
  const texts = textSamples(tests);
  return texts && [null, true, false, ...objectSamples, ...numberSamples(tests), ...texts];
}

function turnsOf(tests: readonly ValueTest[]): readonly Scalar[] {
  return tests.flatMap(({ turns }) => turns);
}
