import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Piscina } from 'piscina';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { SelectionBudget } from '../../../src/content/selection-budget.js';
import { Clock } from '../../../src/delivery/clock.js';
import { EventLoopLag } from '../../../src/delivery/event-loop-lag.js';
import { ContentRequests } from '../../../src/delivery/http/content-requests.js';
import type { Exchange } from '../../../src/delivery/http/exchange.js';
import { parseCombineQuery } from '../../../src/delivery/http/query.js';
import {
  batchTasksMax,
  combineBytesMaxDefault,
  inlineTurnBytesMax,
  renderedFreshBytesMax,
  turnBehindMsMax,
} from '../../../src/delivery/limits.js';
import type { Metrics } from '../../../src/delivery/metrics.js';
import { Problem, problems } from '../../../src/delivery/problems.js';
import type { ApiKeys } from '../../../src/delivery/published/api-keys.js';
import type { SequenceWaits } from '../../../src/delivery/published/sequence-waits.js';
import { chooseDocumentWork } from '../../../src/delivery/render/document-work.js';
import { Form, type PoolTask } from '../../../src/delivery/render/render-task.js';
import { Renderer } from '../../../src/delivery/render/renderer.js';
import { ServedContent } from '../../../src/delivery/render/served-content.js';
import type { ServedState } from '../../../src/delivery/render/served-state.js';

const work = chooseDocumentWork('off');
const budget = new SelectionBudget(1e6, true);
const filler = 'x'.repeat(200_000);
/** Each request has its own: what rules do for it is charged to it. */
const anyone = () => makeEvaluationContext('u', {}, null);

/** A content of 200 KB whose one rule writes `mark`. */
function contentOf(id: string, mark: string): ServedContent {
  const json = jsonOf(id);
  const mapping = Buffer.from(JSON.stringify([{ segment: 's', when: {}, merge: { mark } }]));
  const line = { version: '0.0.0', digest: id, hash: id, bytes: json.byteLength };
  const row = {
    environment: 'e',
    id,
    lines: [line],
    mapping,
    mappingDigest: mark,
    flags: [],
    candidate: null,
  };
  return new ServedContent(row, () => undefined, budget);
}

function jsonOf(id: string): Buffer {
  return Buffer.from(JSON.stringify({ id, filler }));
}

it('a combined response keeps what was at hand while it waits for the rest', async () => {
  // However long the others take, no body that is waited for is given up.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const asked: { readonly task: PoolTask; readonly finish: (reply: unknown) => void }[] = [];
  const pool = {
    run: (task: PoolTask) => new Promise((finish) => asked.push({ task, finish })),
  } as unknown as Piscina;
  const renderer = new Renderer(pool, work, new EventLoopLag(), (error) => {
    throw error;
  });
  const contents = new Map<string, ServedContent>();
  const exchange = (respond: (bytes: Uint8Array) => void): Exchange =>
    ({
      environment: { content: (id: string) => contents.get(id) },
      sequenceMin: -1,
      accepts: 0,
      choosingAtMs: 0,
      ended: false,
      goOn: (work: () => void) => work(),
      respond,
      reject: ignore,
    }) as unknown as Exchange;
  const metrics = { rulesMissed: 0, utcOffsetsMissing: 0 } as Metrics;
  const requests = new ContentRequests(
    {} as ApiKeys,
    renderer,
    {} as SequenceWaits,
    metrics,
    new Clock(),
    new EventLoopLag(),
    combineBytesMaxDefault,
  );
  const finishDocuments = async (): Promise<void> => {
    for (const { task, finish } of asked) {
      if (task.type === 'document') finish(work.index(jsonOf(task.bodyDigest)));
    }
    await nextTurn();
  };

  contents.set('ready', contentOf('ready', 'mine'));
  requests.respondToOne(exchange(ignore), 'ready', anyone(), Form.Wrapped);
  await finishDocuments();

  contents.set('late', contentOf('late', 'late'));
  const query = parseCombineQuery('c=["ready","late"]&dynamic=true', 100);
  if (query instanceof Problem) throw new Error('the query is valid');
  let response = '';
  requests.respondToMany(
    exchange((bytes) => {
      response = Buffer.from(bytes).toString();
    }),
    query,
    anyone(),
  );
  await nextTurn();
  // Others pass through the cache meanwhile, until the memory of the first is theirs.
  for (let at = 0; at < (2 * renderedFreshBytesMax) / filler.length; at += 1) {
    contents.set('ready', contentOf('ready', `other-${at}`));
    requests.respondToOne(exchange(ignore), 'ready', anyone(), Form.Wrapped);
    if (at % 4 === 0) await nextTurn();
  }
  const late = asked.find(
    ({ task }) =>
      task.type === 'render' && task.tasks.some(({ bodyDigest }) => bodyDigest === 'late'),
  );
  late?.finish([rendered('late')]);
  await nextTurn();
  const parsed = JSON.parse(response) as Record<string, { data: { id: string; mark: string } }>;
  expect(parsed['ready']?.data).toEqual({ id: 'ready', filler, mark: 'mine' });
  expect(parsed['late']?.data.id).toBe('late');
});

/** Requests to contents of a few bytes, as far as choosing goes: what is chosen is rejected or cached. */
function requestsTo(
  contents: Readonly<Record<string, ServedContent>>,
  pool = { run: () => new Promise(() => undefined) } as unknown as Piscina,
  turns = new EventLoopLag(),
) {
  const renderer = new Renderer(pool, work, turns, (error) => {
    throw error;
  });
  const metrics = { rulesMissed: 0, utcOffsetsMissing: 0 } as Metrics;
  const [keys, waits] = [{} as ApiKeys, {} as SequenceWaits];
  const limit = combineBytesMaxDefault;
  const requests = new ContentRequests(keys, renderer, waits, metrics, new Clock(), turns, limit);
  const rejected: Problem[] = [];
  const responses: string[] = [];
  const exchange = {
    environment: { content: (id: string) => contents[id.toLowerCase()] },
    sequenceMin: -1,
    accepts: 0,
    get choosingAtMs() {
      return performance.now();
    },
    ended: false,
    goOn: (work: () => void) => work(),
    reject: (problem: Problem) => rejected.push(problem),
    respond: (bytes: Uint8Array) => responses.push(Buffer.from(bytes).toString()),
  } as unknown as Exchange;
  return { requests, renderer, exchange, rejected, responses };
}

it('a combined response selects once for all spellings of an id', () => {
  const content = contentOf('shop', 'm');
  const slot = vi.spyOn(content.stateFor(anyone()) as ServedState, 'slot');
  const { requests, exchange } = requestsTo({ shop: content });
  const query = parseCombineQuery('c=["shop","SHOP","Shop","sHop"]&dynamic=true', 100);
  if (query instanceof Problem) throw new Error('the query is valid');
  requests.respondToMany(exchange, query, anyone());
  expect(slot).toHaveBeenCalledTimes(1);
});

it('a combined response of many large contents is spliced in several turns', async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `large-${at}`);
  const contents = Object.fromEntries(ids.map((id) => [id, contentOf(id, 'mine')]));
  const asked: { readonly task: PoolTask; readonly finish: (reply: unknown) => void }[] = [];
  const pool = {
    run: (task: PoolTask) => new Promise((finish) => asked.push({ task, finish })),
  } as unknown as Piscina;
  const { requests, renderer, exchange, rejected, responses } = requestsTo(contents, pool);
  for (const id of ids) requests.respondToOne(exchange, id, anyone(), Form.Wrapped);
  for (const { task, finish } of asked) {
    if (task.type === 'document') finish(work.index(jsonOf(task.bodyDigest)));
  }
  await nextTurn();

  const query = parseCombineQuery(`c=${JSON.stringify(ids)}&dynamic=true`, 100);
  if (query instanceof Problem) throw new Error('the query is valid');
  const inTurns: number[] = [];
  let before = renderer.inline;
  requests.respondToMany(exchange, query, anyone());
  for (let turn = 0; turn < 20 && responses.length === 0; turn += 1) {
    inTurns.push(renderer.inline - before);
    before = renderer.inline;
    await nextTurn();
  }
  inTurns.push(renderer.inline - before);
  expect(rejected).toEqual([]);
  expect(inTurns.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
  const perTurnMax = Math.ceil(inlineTurnBytesMax / filler.length);
  expect(Math.max(...inTurns)).toBeLessThanOrEqual(perTurnMax);
  const parsed = JSON.parse(responses[0] ?? '') as Record<string, { data: object }>;
  for (const id of ids) expect(parsed[id]?.data).toEqual({ id, filler, mark: 'mine' });
});

it('a combined response waits for all bodies that the pool makes, however it responds', async () => {
  const ids = Array.from({ length: batchTasksMax + 1 }, (_, at) => `part-${at}`);
  const contents = Object.fromEntries(ids.map((id) => [id, contentOf(id, 'mine')]));
  const replies: (() => void)[] = [];
  const pool = {
    run: (task: PoolTask) =>
      new Promise((finish) => {
        if (task.type !== 'render') return;
        replies.push(() => finish(task.tasks.map(({ bodyDigest }) => rendered(bodyDigest))));
      }),
  } as unknown as Piscina;
  const { requests, exchange, responses } = requestsTo(contents, pool);
  const query = parseCombineQuery(`c=${JSON.stringify(ids)}&dynamic=true`, 100);
  if (query instanceof Problem) throw new Error('the query is valid');
  requests.respondToMany(exchange, query, anyone());
  await nextTurn();
  expect(replies.length).toBeGreaterThan(1);
  for (const reply of replies) {
    expect(responses).toEqual([]);
    reply();
    await nextTurn();
  }
  expect(responses).toHaveLength(1);
  const parsed = JSON.parse(responses[0] ?? '') as Record<string, { data: { id: string } }>;
  for (const id of ids) expect(parsed[id]?.data.id).toBe(id);
});

it('a turn that has gone on for too long selects what is cheap, and rejects what is not', async () => {
  const rules = [{ segment: 's', when: { list: { $in: [2, 3] } }, merge: { n: 1 } }];
  const line = { version: '0.0.0', digest: 'd', hash: 'h', bytes: 2 };
  const mapping = Buffer.from(JSON.stringify(rules));
  const row = {
    environment: 'e',
    id: 'c',
    lines: [line],
    mapping,
    mappingDigest: 'm',
    flags: [],
    candidate: null,
  };
  const content = new ServedContent(row, () => undefined, budget);
  const list = Array.from({ length: 25_000 }, () => 1);
  const turns = new EventLoopLag();
  const { requests, exchange, rejected } = requestsTo({ c: content }, undefined, turns);
  const costly = () => makeEvaluationContext('u', { list }, null);
  const query = parseCombineQuery('c=["c"]&dynamic=true', 100);
  if (query instanceof Problem) throw new Error('the query is valid');

  requests.respondToOne(exchange, 'c', costly(), Form.Wrapped);
  expect(rejected).toEqual([]);
  const until = performance.now() + turnBehindMsMax + 1;
  while (performance.now() < until);
  requests.respondToOne(exchange, 'c', costly(), Form.Wrapped);
  requests.respondToMany(exchange, query, costly());
  expect(rejected).toEqual([problems.overloaded, problems.overloaded]);
  requests.respondToOne(
    exchange,
    'c',
    makeEvaluationContext('u', { list: [2] }, null),
    Form.Wrapped,
  );
  requests.respondToOne(exchange, 'c', costly(), Form.Plain);
  expect(rejected).toHaveLength(2);
  await vi.waitUntil(() => !turns.isBehind());
  requests.respondToOne(exchange, 'c', costly(), Form.Wrapped);
  expect(rejected).toHaveLength(2);
});

const ignore = (): void => undefined;

/** What the pool would return, without the mutation. */
function rendered(id: string): unknown {
  const raw = Buffer.from(`{"data":${jsonOf(id)}${' '.repeat(200)}`);
  const rawLength = raw.byteLength - 200;
  return { raw, rawLength, packed: null, packedLength: 0, crc: 0, crcShift: 0, missed: [] };
}
