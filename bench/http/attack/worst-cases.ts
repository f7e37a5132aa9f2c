/** The requests of at most 64 KiB that cost the most, each against the rules that it is worst for. */
import { gameContent, type JsonObject } from '../../data/game-content.js';
import {
  type BenchRule,
  callerOfVariant,
  player,
  switchesOff,
  threeRules,
  twelveRules,
} from '../../data/mappings.js';
import type { PlainContent } from '../../data/plain-response.js';
import { benchContent } from '../../data/published-game.js';

export interface WorstCase {
  readonly name: string;
  /** What is published, and nothing else: collecting the garbage of all these rules would be most of what is measured. */
  readonly contents: () => readonly PlainContent[];
  /** A request like the others of its case, but not the same. */
  readonly request: (round: number) => { readonly path: string; readonly body: string };
}

const units = 60_000;
const manyCount = 100;
const largeBytes = 100 * 1024;

const rulesOf = (count: number, when: (rule: number) => JsonObject): BenchRule[] =>
  Array.from({ length: count }, (_, rule) => ({ segment: `r${rule}`, when: when(rule) }));
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Rules, by the id of the content that has them. */
const mappings: Readonly<Record<string, readonly BenchRule[]>> = {
  ordinary: threeRules,
  'list-text': rulesOf(10, (rule) => ({ a: `${rule}`, b: { $vgte: `1.${rule}.0` } })),
  patterns: rulesOf(32, (rule) => ({
    $or: times(32, (at) => ({ a: { $regex: `[x-z]${rule}${at}$` } })),
  })),
  hostile: rulesOf(10, (rule) => ({ a: { $regex: `[ab]*a[ab]{${900 + rule}}[cd]` } })),
  members: rulesOf(500, (rule) => ({ a: { $in: [-rule - 1, 'x'] } })),
  elements: rulesOf(500, (rule) => ({ a: { $elemMatch: { $regex: `^[x-z]${rule}` } } })),
  folded: rulesOf(500, (rule) => ({ a: { $ini: [`x${rule}`] } })),
  versions: rulesOf(10, (rule) => ({ a: { $vgte: `1.${rule}.0` } })),
  objects: rulesOf(500, (rule) => ({ a: { b: rule } })),
  paths: rulesOf(500, () => ({ [times(400, () => 'a').join('.')]: 1 })),
  tests: rulesOf(500, (rule) => ({ $or: times(900, (at) => ({ a: { $gt: rule + at } })) })),
  salted: times(500, (rule) => ({
    segment: `r${rule}`,
    when: {},
    salt: `salt-${rule}`,
    variants: [{ name: 'v', groups: [0, 999] }],
  })),
};

const small = (id: string) => (): PlainContent[] => [
  benchContent(id, gameContent(1, 1_024), mappings[id]!),
];

function many(): PlainContent[] {
  const rules = rulesOf(12, (rule) => ({ a: { $in: [-rule - 1, 'x'] } }));
  return times(manyCount, (at) => benchContent(`many-${at}`, { at }, rules));
}

function large(): PlainContent[] {
  return times(manyCount, (at) => {
    const value = { ...gameContent(at, largeBytes), switches: switchesOff() };
    return benchContent(`large-${at}`, value, twelveRules);
  });
}

const one = (id: string, p: unknown, u = 'player'): ReturnType<WorstCase['request']> => ({
  path: `/api/v1/config/${id}/dynamic`,
  body: JSON.stringify({ u, p, v: '1.5.2' }),
});
const combined = (ids: readonly string[], body: string): ReturnType<WorstCase['request']> => ({
  path: `/api/v1/combine/?dynamic=true&c=${encodeURIComponent(JSON.stringify(ids))}`,
  body,
});
const spellings = (id: string, count: number): string[] =>
  times(count, (code) => [...id].map((c, at) => ((code >> at) & 1 ? c.toUpperCase() : c)).join(''));

let seed = 1;
/** Five characters that were not sent before. */
function fresh(): string {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
  return (seed >>> 7).toString(36).padStart(5, '0').slice(-5);
}
const coin = (): string => (fresh() < 'i' ? 'a' : 'b');
const numbers = (round: number): number[] => times(units / 2, (at) => (at + round) % 10);

export const worstCases: readonly WorstCase[] = [
  {
    name: 'an ordinary request, for comparison',
    contents: small('ordinary'),
    request: (round) => ({
      path: '/api/v1/config/ordinary/dynamic',
      body: JSON.stringify({ ...player, u: `player-${round}` }),
    }),
  },
  {
    name: '10 rules on 60 KB of attributes, in 100 spellings',
    contents: small('list-text'),
    request: (round) => {
      const p = { a: numbers(round).slice(0, units / 4), b: '1.'.repeat(units / 5) };
      return combined(spellings('list-text', 100), JSON.stringify({ u: 'u', p }));
    },
  },
  {
    name: '1,024 patterns on a list of 60 KB',
    contents: small('patterns'),
    request: (round) => one('patterns', { a: numbers(round) }),
  },
  {
    name: '1,024 patterns on a text of 150 characters',
    contents: small('patterns'),
    request: () => one('patterns', { a: times(30, () => fresh()).join('') }),
  },
  {
    name: '10 counted repetitions on a hostile text of 60 KB',
    contents: small('hostile'),
    request: () => one('hostile', { a: times(units, coin).join('') }),
  },
  {
    name: 'the same on one of 500 characters',
    contents: small('hostile'),
    request: () => one('hostile', { a: times(500, coin).join('') }),
  },
  {
    name: '500 $in on a list of 30,000',
    contents: small('members'),
    request: (round) => one('members', { a: numbers(round) }),
  },
  {
    name: '500 $elemMatch with a pattern on a list of 30,000',
    contents: small('elements'),
    request: (round) => one('elements', { a: numbers(round) }),
  },
  {
    name: '500 $ini on a list of 15,000 texts',
    contents: small('folded'),
    request: (round) =>
      one('folded', { a: times(units / 4, (at) => 'ABCDEFGHIJ'[(at + round) % 10]) }),
  },
  {
    name: '10 version comparisons with a text of 60 KB',
    contents: small('versions'),
    request: (round) => one('versions', { a: `${round}.`.repeat(units / 3) }),
  },
  {
    name: '500 rules that compare an object of 5,500 members',
    contents: small('objects'),
    request: () => one('objects', { a: Object.fromEntries(times(5_000, () => [fresh(), 1])) }),
  },
  {
    name: '500 paths of 400 names',
    contents: small('paths'),
    request: (round) => ({
      path: '/api/v1/config/paths/dynamic',
      body: `{"p":${'{"a":'.repeat(400)}${round + 2}${'}'.repeat(400)}}`,
    }),
  },
  {
    name: '450,000 plain tests',
    contents: small('tests'),
    request: (round) => one('tests', { a: -round }),
  },
  {
    name: '500 salted tests, a user id of 60 KB',
    contents: small('salted'),
    request: (round) => one('salted', {}, `${round}`.padEnd(units, 'x')),
  },
  {
    name: '100 contents of 12 $in each, a list of 30,000',
    contents: many,
    request: (round) => {
      const ids = times(manyCount, (at) => `many-${at}`);
      return combined(ids, JSON.stringify({ p: { a: numbers(round) } }));
    },
  },
  {
    name: '100 contents of 100 KB, each in a new variant',
    contents: large,
    request: (round) => {
      const ids = times(manyCount, (at) => `large-${at}`);
      return combined(ids, JSON.stringify(callerOfVariant(1 + round * 7)));
    },
  },
  {
    name: 'the same when all are cached: a response of 10 MB',
    contents: large,
    request: () => {
      const ids = times(manyCount, (at) => `large-${at}`);
      return combined(ids, JSON.stringify(callerOfVariant(1)));
    },
  },
  {
    name: '400 unknown ids of 60 characters',
    contents: small('ordinary'),
    request: () => combined(spellings(`${fresh()}-${'x'.repeat(54)}`, 400), '{}'),
  },
  {
    name: 'a body of 5,000 objects, each with a name of its own',
    contents: small('ordinary'),
    request: () => one('ordinary', { a: times(5_000, () => ({ [fresh()]: 1 })) }),
  },
  {
    name: 'a body of 6,000 names in one object',
    contents: small('ordinary'),
    request: () => one('ordinary', Object.fromEntries(times(5_900, () => [fresh(), 1]))),
  },
  {
    name: 'a body of 30,000 nested lists',
    contents: small('ordinary'),
    request: () => ({
      path: '/api/v1/config/ordinary/dynamic',
      body: `{"p":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
    }),
  },
];
