/**
 * Goal: what a cohort says of a player at each moment is what looking the player up at that moment says. Method: random edits at
 * random times of the store's clock; spans against lookups a millisecond around each of their ends.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexDocument } from '../../../../src/content/json/document.js';
import { parsePointer } from '../../../../src/content/mutation/json-pointer.js';
import { Problem } from '../../../../src/contract/problems.js';
import { contextOf } from '../../../../src/management/evaluation/read-context.js';
import type { Work } from '../../../../src/management/jobs/work.js';
import { readState } from '../../../../src/management/players/cohort/evaluate-cohort.js';
import { evaluatePage, stateOf } from '../../../../src/management/players/cohort/evaluate-page.js';
import { loadState, planPeriods } from '../../../../src/management/players/cohort/plan-periods.js';
import {
  type WalkedState,
  walkPeriods,
} from '../../../../src/management/players/cohort/walk-periods.js';
import { type Harness, openStore, startApi, startMs, workHere } from '../harness.js';

const minuteMs = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();
const players = Array.from({ length: 5 }, (_, at) => ({
  u: `player-${at}`,
  p: { country: at % 2 === 0 ? 'DE' : 'CA', utcOffset: (at - 2) * 120 },
}));

interface Played {
  readonly api: Harness;
  readonly endMs: number;
}

/** Some of what is tried is refused, as it is to people: nothing changes then. */
const edits = (nowMs: number, open: { release: number }) => ({
  text: (api: Harness, n: number) => api.dev('PUT', '/contents/shop', { text: `{"price":${n}}` }),
  draft: async (api: Harness, n: number) => {
    await api.dev('PUT', '/contents/shop', { text: `{"price":${n}}`, publish: false });
    const body = {
      ...{ title: 'Price', changes: [{ kind: 'content', id: 'shop' }] },
      steps: [{ percent: 50, holdMinutes: 600 }],
    };
    const made = await api.dev('POST', '/releases', body);
    if (made.status < 300) open.release = made.body.release;
  },
  start: (api: Harness) => api.dev('POST', `/releases/${open.release}/start`, {}),
  stop: (api: Harness) => api.dev('POST', `/releases/${open.release}/stop`, {}),
  live: (api: Harness) => api.dev('POST', `/releases/${open.release}/live`, {}),
  segment: (api: Harness, n: number) =>
    api.dev('PUT', '/segments/home', { when: { country: n % 2 === 0 ? 'DE' : 'CA' } }),
  segmentRule: (api: Harness, n: number) =>
    api.dev('PUT', '/contents/shop', { mapping: [{ segment: 'home', merge: { price: n } }] }),
  windows: (api: Harness, n: number) => {
    const at = nowMs + n * 13 * minuteMs;
    const give = { when: { country: 'CA' }, merge: { price: 2 } };
    const wall = (ms: number) => iso(ms).slice(0, 19);
    const mapping = [
      { segment: 'a', ...give, from: iso(at), until: iso(at + 90 * minuteMs) },
      { segment: 'b', ...give, from: wall(at), until: wall(at + 30 * minuteMs) },
    ];
    return api.dev('PUT', '/contents/shop', { mapping });
  },
  layers: (api: Harness, n: number) =>
    api.dev('PUT', '/layers', { layers: [{ name: 'shop', salt: `${n}` }], holdout: null }),
  layerRule: (api: Harness, n: number) => {
    const rule = { segment: 'half', when: {}, layer: 'shop', slice: [0, 499], salt: 'own' };
    const variants = [{ name: 'a', groups: [0, 999], merge: { price: n } }];
    return api.dev('PUT', '/contents/shop', { mapping: [{ ...rule, variants }] });
  },
  remove: (api: Harness) => api.dev('DELETE', '/contents/shop'),
  restore: (api: Harness) => api.dev('POST', '/contents/shop/restore'),
});

type EditName = keyof ReturnType<typeof edits>;

interface Step {
  readonly name: EditName;
  readonly n: number;
  readonly minutes: number;
}

async function play(steps: readonly Step[]): Promise<Played> {
  let nowMs = startMs;
  const store = await openStore(undefined, () => nowMs);
  const api = await startApi({}, { store, now: () => nowMs });
  const open = { release: 0 };
  await api.dev('PUT', '/segments/home', { when: { country: 'DE' } });
  await api.dev('PUT', '/layers', { layers: [{ name: 'shop', salt: 'first' }], holdout: null });
  nowMs += minuteMs;
  await api.dev('PUT', '/contents/shop', { text: '{"price":1}' });
  for (const { name, n, minutes } of steps) {
    nowMs += minutes * minuteMs;
    await edits(nowMs, open)[name](api, n);
  }
  nowMs += 180 * minuteMs;
  return { api, endMs: nowMs };
}

const wanted = (() => {
  const pointer = parsePointer('/price');
  if (typeof pointer === 'string') throw new Error(pointer);
  return { pointer, equals: indexDocument(new TextEncoder().encode('2.0')) };
})();

/** Spans of a player: [from, until, whether the value was given]. */
async function spansOf({ api, endMs }: Played) {
  const range = { environment: 'dev', id: 'shop', fromMs: startMs, toMs: endMs };
  const plan = await planPeriods(api.store, range);
  if (plan instanceof Problem) throw plan;
  const states: (WalkedState | null)[] = [];
  for (const source of plan.states) {
    states.push(readState(stateOf(await loadState(api.store, range, source)), wanted, 64));
  }
  const walk = (player: object) => {
    const caller = contextOf(player);
    if (typeof caller === 'string') throw new Error(caller);
    const spans: { fromMs: number; untilMs: number; outcome: string }[] = [];
    walkPeriods(plan.periods, states, caller, (outcome, _, fromMs, untilMs) => {
      spans.push({ fromMs, untilMs, outcome });
    });
    return spans;
  };
  return { walk, plan, range };
}

async function lookUp(api: Harness, player: object, atMs: number): Promise<string> {
  const { body } = await api.dev('POST', '/players/lookup', {
    ...{ ...player, at: iso(atMs), ids: ['shop'] },
  });
  const [item] = body.items;
  if (item.outcome === 'not_known') return 'not_known';
  return item.answer?.data.price === 2 ? 'given' : 'other';
}

const names = Object.keys(edits(0, { release: 0 })) as EditName[];
const stepOf = fc.record({
  name: fc.constantFrom(...names),
  n: fc.integer({ min: 1, max: 3 }),
  minutes: fc.integer({ min: 0, max: 60 }),
});
const sure: readonly Step[] = [
  { name: 'segmentRule', n: 2, minutes: 5 },
  { name: 'segment', n: 1, minutes: 5 },
  { name: 'windows', n: 1, minutes: 5 },
  { name: 'draft', n: 2, minutes: 180 },
  { name: 'start', n: 1, minutes: 5 },
  { name: 'layerRule', n: 2, minutes: 5 },
  { name: 'layers', n: 1, minutes: 5 },
  { name: 'stop', n: 1, minutes: 5 },
  { name: 'remove', n: 1, minutes: 5 },
];

describe('a cohort', () => {
  it('says of each moment what a lookup of that moment says', async () => {
    const seen = new Set<string>();
    let compared = 0;
    const check = async (steps: readonly Step[]) => {
      const played = await play(steps);
      const { walk } = await spansOf(played);
      for (const player of players) {
        const spans = walk(player);
        expect(spans[0]?.fromMs).toBe(startMs);
        expect(spans.at(-1)?.untilMs).toBe(played.endMs);
        for (const [at, { fromMs, untilMs, outcome }] of spans.entries()) {
          expect(spans[at + 1]?.fromMs ?? untilMs).toBe(untilMs);
          for (const atMs of new Set([fromMs, Math.min(fromMs + 1, untilMs - 1), untilMs - 1])) {
            expect([iso(atMs), await lookUp(played.api, player, atMs)]).toEqual([
              iso(atMs),
              outcome,
            ]);
            compared++;
          }
          seen.add(outcome);
        }
      }
    };
    await check(sure);
    await fc.assert(fc.asyncProperty(fc.array(stepOf, { minLength: 4, maxLength: 12 }), check), {
      numRuns: 3,
    });
    expect([...seen].sort()).toEqual(['given', 'other']);
    expect(compared).toBeGreaterThan(250);
  }, 120_000);

  it('does not know what is not kept, and says why', async () => {
    const { api, endMs } = await play(sure);
    await api.store.write({ userId: '', name: 'system', role: 'owner', address: '' }, ({ db }) =>
      db.deleteFrom('revisions').where('number', '=', 1).execute(),
    );
    const body = { id: 'shop', path: '/price', equals: 7, from: iso(startMs), to: iso(endMs) };
    const { body: found } = await api.dev('POST', '/players/cohort', { ...body, players });
    expect(found.counts).toEqual({ given: 0, notGiven: 0, notKnown: 5, rejected: 0 });
    expect(found.players[0]).toMatchObject({
      notKnownMs: 5 * minuteMs,
      detail: expect.stringContaining('Revision 1 of "shop"'),
    });
  });

  it('ends a page early where it takes long, and goes on with the rest', async () => {
    const played = await play(sure);
    const { plan, range } = await spansOf(played);
    const signal = new AbortController().signal;
    const deps = { store: played.api.store, work: workHere, levelsMax: 64, signal };
    const page = (from: number) => ({
      ...{ ...range, ...plan, path: '/price', equals: new TextEncoder().encode('2') },
      players: new TextEncoder().encode(JSON.stringify(players.slice(from))),
      count: players.length - from,
    });
    const ample = { pageMsMax: 60_000, taskMsMax: 60_000 };
    const { players: whole } = await evaluatePage({ ...deps, ...ample }, page(0));
    const tight = { pageMsMax: 0, taskMsMax: 0 };
    const joined = [];
    while (joined.length < players.length) {
      const { players: some } = await evaluatePage({ ...deps, ...tight }, page(joined.length));
      expect(some).toHaveLength(1);
      joined.push(...some);
    }
    expect(joined).toEqual(whole);
    expect(new Set(whole.map(({ givenMs }) => givenMs)).size).toBeGreaterThan(1);
  });

  it('stops when its client has gone', async () => {
    const played = await play(sure);
    const { plan, range } = await spansOf(played);
    const gone = new AbortController();
    let tasks = 0;
    const work: Pick<Work, 'run'> = {
      run: (name, input, options) => {
        tasks++;
        if (tasks === 2) gone.abort();
        return workHere.run(name, input, options);
      },
    };
    const limits = { levelsMax: 64, pageMsMax: 60_000, taskMsMax: 0 };
    const page = {
      ...{ ...range, ...plan, path: '/price', equals: null, count: players.length },
      players: new TextEncoder().encode(JSON.stringify(players)),
    };
    const deps = { store: played.api.store, work, signal: gone.signal, ...limits };
    const { players: done } = await evaluatePage(deps, page);
    expect([tasks, done.length]).toEqual([2, 1]);
  });
});
