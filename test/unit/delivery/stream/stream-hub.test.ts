/** A hub with real contents, events and queue: what it selects for a page, and what a bug in one stream's turn costs the others. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Piscina } from 'piscina';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EvaluationContext } from '../../../../src/content/evaluation-context.js';
import { digestOf } from '../../../../src/content/hash.js';
import { SelectionBudget } from '../../../../src/content/selection-budget.js';
import { NO_VERSION } from '../../../../src/content/version.js';
import { Clock } from '../../../../src/delivery/clock.js';
import { EventLoopLag } from '../../../../src/delivery/event-loop-lag.js';
import type { ContentRequests } from '../../../../src/delivery/http/content-requests.js';
import type { Exchange } from '../../../../src/delivery/http/exchange.js';
import { UnsentResponses } from '../../../../src/delivery/http/unsent-responses.js';
import { streamBeatMsMax } from '../../../../src/delivery/limits.js';
import { Metrics } from '../../../../src/delivery/metrics.js';
import { Problem, problems } from '../../../../src/delivery/problems.js';
import {
  type PublishedIndex,
  ServedEnvironment,
} from '../../../../src/delivery/published/published-index.js';
import { renderBody } from '../../../../src/delivery/render/body-renderer.js';
import { chooseDocumentWork } from '../../../../src/delivery/render/document-work.js';
import type { PoolTask } from '../../../../src/delivery/render/render-task.js';
import { Renderer } from '../../../../src/delivery/render/renderer.js';
import { ServedContent } from '../../../../src/delivery/render/served-content.js';
import { StreamHub } from '../../../../src/delivery/stream/stream-hub.js';
import { parseStreamRequest } from '../../../../src/delivery/stream/stream-request.js';
import { eventually } from '../../../support/eventually.js';

const work = chooseDocumentWork('off');
const budget = new SelectionBudget(1e6, true);
const key = 'key';

function contentOf(id: string, json: string): ServedContent {
  const line = { version: '0.0.0', digest: json, hash: '0', bytes: Buffer.byteLength(json) };
  const row = { environment: 'e', id, lines: [line], mapping: null, mappingDigest: '', flags: [] };
  return new ServedContent(row, () => undefined, budget);
}

/** A pool that renders in this thread. */
const pool = {
  run: async (task: PoolTask) =>
    task.type === 'render'
      ? task.tasks.map((each) => renderBody(work, each, Buffer.from(each.bodyDigest), []))
      : new Promise(() => undefined),
} as unknown as Piscina;

interface Page {
  readonly contents: Readonly<Record<string, { readonly data: unknown }>>;
  readonly more: boolean;
}

/** One environment, whose edits are the test's to make. */
class Hub {
  readonly logged: unknown[] = [];
  readonly streams: StreamHub;
  readonly #environment = new ServedEnvironment('e');
  readonly #index = { sequence: 1, storeId: 'store', version: 1, keysVersion: 1 };

  constructor() {
    const served = { environment: this.#environment, expiresAtMs: Number.POSITIVE_INFINITY };
    const index = Object.assign(this.#index, {
      environment: () => this.#environment,
      key: (hash: string) => (hash === digestOf(key) ? served : undefined),
    });
    const log = (error: unknown) => this.logged.push(error);
    this.streams = new StreamHub({
      index: index as unknown as PublishedIndex,
      requests: { isStillAdmitted: () => true } as unknown as ContentRequests,
      renderer: new Renderer(pool, work, new EventLoopLag(), log),
      metrics: new Metrics(),
      clock: new Clock(),
      limits: { max: 100, perKey: 100, perNetwork: 100 },
      wakesPerSecond: 0,
      contextBytesMax: 1_000,
      unsent: new UnsentResponses(),
      log,
    });
  }

  put(id: string, json: string): void {
    this.#environment.put(id, contentOf(id, json));
    this.#index.sequence += 1;
    this.#index.version += 1;
    this.streams.applied();
  }

  open(u: string, body: Record<string, unknown> = {}): Client {
    const request = parseStreamRequest('', body);
    if (request instanceof Problem) throw new Error('The request is valid.');
    const client = new Client(this.#environment);
    const caller = new EvaluationContext(u, {}, '', NO_VERSION, 1e6);
    this.streams.open(client as unknown as Exchange, request, caller, 'network');
    return client;
  }
}

/** A request whose client takes everything at once. */
class Client {
  readonly environment: ServedEnvironment;
  readonly key = key;
  readonly sequenceMin = -1;
  corked = true;
  ended = false;
  problem: Problem | null = null;
  written = '';
  hasEnd = false;
  /** What the socket fails with; null: it does not. */
  broken: Error | null = null;

  constructor(environment: ServedEnvironment) {
    this.environment = environment;
  }

  get pages(): Page[] {
    return [...this.written.matchAll(/^data: (.*)$/gm)].map(([, json]) =>
      JSON.parse(json as string),
    );
  }

  reject(problem: Problem): void {
    this.problem = problem;
  }

  whenAborted(): void {}

  beginStream(begin: (res: HttpResponse) => void): void {
    begin({
      cork: (write: () => void) => write(),
      onAborted: () => undefined,
      write: (bytes: Uint8Array) => {
        if (this.broken !== null) throw this.broken;
        this.written += Buffer.from(bytes).toString();
        return true;
      },
      end: () => {
        if (this.broken !== null) throw this.broken;
        this.hasEnd = true;
      },
    } as unknown as HttpResponse);
  }
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const inTime = (what: string, isTrue: () => boolean) => eventually(what, 5_000, isTrue);

describe('an answer in pages', () => {
  it('selects each content item once: the next page goes on where the last one ended', async () => {
    const hub = new Hub();
    const ids = Array.from({ length: 9 }, (_, at) => `item-${at}`);
    for (const id of ids) hub.put(id, `"${id.padEnd(900, 'x')}"`);
    const selected: string[] = [];
    const { slot } = ServedContent.prototype;
    vi.spyOn(ServedContent.prototype, 'slot').mockImplementation(function (
      this: ServedContent,
      ...of
    ) {
      selected.push(this.id);
      return slot.apply(this, of);
    });
    const client = hub.open('u', { bytesMax: 2_200 });
    await inTime('the last page', () => client.pages.at(-1)?.more === false);
    const pages = client.pages.map(({ contents }) => Object.keys(contents));
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.flat()).toEqual(ids);
    expect(selected).toEqual(ids);
  });
});

describe('a bug in the turn of one stream', () => {
  const bug = new Error('a bug');

  /** Selecting fails for one user. */
  function failFor(u: string): void {
    const { slot } = ServedContent.prototype;
    vi.spyOn(ServedContent.prototype, 'slot').mockImplementation(function (
      this: ServedContent,
      ...of
    ) {
      if (of[0].u === u) throw bug;
      return slot.apply(this, of);
    });
  }

  it('ends that stream and is logged; the others have the edit', async () => {
    const hub = new Hub();
    hub.put('shop', '1');
    const clients = ['a', 'b', 'c'].map((u) => hub.open(u));
    await inTime('first events', () => clients.every(({ pages }) => pages.length === 1));
    failFor('b');
    hub.put('shop', '2');
    const [a, b, c] = clients as [Client, Client, Client];
    await inTime('the edit', () => a.pages.length === 2 && c.pages.length === 2 && b.hasEnd);
    expect([a, c].map(({ pages }) => pages[1]?.contents['shop']?.data)).toEqual([2, 2]);
    expect(b.pages.length).toBe(1);
    expect(hub.logged).toEqual([bug]);
    expect(hub.streams.counts).toMatchObject({ streams: 2, streamsWaiting: 0 });
    expect(new Map(hub.streams.counts.streamsEnded).get('failed')).toBe(1);
  });

  it('rejects the request of one that opens', async () => {
    const hub = new Hub();
    hub.put('shop', '1');
    failFor('b');
    const [b, a] = [hub.open('b'), hub.open('a')];
    await inTime('the first event', () => a.pages.length === 1);
    expect(b.problem).toBe(problems.internal);
    expect(hub.logged).toEqual([bug]);
    expect(hub.streams.counts.streams).toBe(1);
  });

  it('is logged, and ends no other stream, where the connection is what fails, at an event or at a comment', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] });
    const hub = new Hub();
    hub.put('shop', '1');
    const [a, b, c] = ['a', 'b', 'c'].map((u) => hub.open(u)) as [Client, Client, Client];
    await inTime('first events', () => [a, b, c].every(({ pages }) => pages.length === 1));
    b.broken = bug;
    hub.put('shop', '2');
    await inTime('the edit', () => a.pages.length === 2 && c.pages.length === 2);
    await inTime('one stream less', () => hub.streams.counts.streams === 2);
    c.broken = bug;
    vi.advanceTimersByTime(streamBeatMsMax + 1_000);
    expect(hub.streams.counts.streams).toBe(1);
    expect(a.written).toContain('\n\n:\n\n');
    expect(hub.logged.length).toBeGreaterThanOrEqual(2);
    expect(new Set(hub.logged)).toEqual(new Set([bug]));
  });
});
