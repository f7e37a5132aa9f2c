/** Bulk evaluations that take more than one turn: what they hold, what they copy, and what happens meanwhile. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Piscina } from 'piscina';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type EvaluationContext,
  makeEvaluationContext,
} from '../../../../src/content/evaluation-context.js';
import { evaluationWorkMax } from '../../../../src/content/evaluation-work.js';
import { indexWideContainers } from '../../../../src/content/flags/wide-containers.js';
import { SelectionBudget } from '../../../../src/content/selection-budget.js';
import { Clock } from '../../../../src/delivery/clock.js';
import { EventLoopLag } from '../../../../src/delivery/event-loop-lag.js';
import type { ContentRequests } from '../../../../src/delivery/http/content-requests.js';
import type { Exchange } from '../../../../src/delivery/http/exchange.js';
import {
  bulkBodiesBytesMax,
  bulksUnderWayBytesMax,
  inlineBytesMax,
} from '../../../../src/delivery/limits.js';
import { Metrics } from '../../../../src/delivery/metrics.js';
import { BodyIndexes } from '../../../../src/delivery/ofrep/body-indexes.js';
import { BulkRequests } from '../../../../src/delivery/ofrep/bulk-requests.js';
import { FlagResponses } from '../../../../src/delivery/ofrep/flag-responses.js';
import { asOfrepError } from '../../../../src/delivery/ofrep/ofrep-errors.js';
import { StreamTokens } from '../../../../src/delivery/ofrep/stream-token.js';
import type { ServedEnvironment } from '../../../../src/delivery/published/published-index.js';
import { renderBody } from '../../../../src/delivery/render/body-renderer.js';
import { chooseDocumentWork } from '../../../../src/delivery/render/document-work.js';
import type { FlagResponse } from '../../../../src/delivery/render/flag-response.js';
import type { RenderSlot } from '../../../../src/delivery/render/render-slot.js';
import { Coding, Form, type PoolTask } from '../../../../src/delivery/render/render-task.js';
import { Renderer } from '../../../../src/delivery/render/renderer.js';
import { ServedState } from '../../../../src/delivery/render/served-state.js';
import { exchangeWith, type NotedResponse } from '../../../support/exchange-in-process.js';

const work = chooseDocumentWork('off');
const MiB = 1024 * 1024;
const caller = () => makeEvaluationContext('u', {}, null);

/** Bulk evaluations of one environment, whose pool works in turns of its own. */
class Bulks {
  readonly logged: unknown[] = [];
  /** What the pool is indexing now, and the most that it has indexed at a time. */
  indexing = 0;
  indexingMost = 0;
  /** What keeping a response throws; null: nothing. */
  bug: Error | null = null;
  isAdmitted = true;
  readonly index = { sequence: 1 };
  /** How many bodies the pool does not find any more: an edit has passed their choice. */
  passes = 0;
  /** The content items whose bodies the pool was asked for at a time. */
  readonly rendered: (readonly string[])[] = [];
  /** Work that finding the caller's slices of ramps takes. */
  rampWork = 0;
  /** Bytes of all responses that were made from a body. */
  copied = 0;
  readonly renderer: Renderer;
  readonly #budget = new SelectionBudget(1e6, false);
  readonly #contents: ServedState[] = [];
  readonly #texts = new Map<string, Uint8Array>();
  readonly #bulks: BulkRequests;

  constructor(bytesMax: number) {
    const log = (error: unknown) => this.logged.push(error);
    const pool = { run: (task: PoolTask) => this.#pooled(task) } as unknown as Piscina;
    this.renderer = new Renderer(pool, work, new EventLoopLag(), log);
    const responses = new FlagResponses(this.renderer, log);
    const keep = responses.keep.bind(responses);
    responses.keep = (slot: RenderSlot, response: FlagResponse) => {
      if (this.bug !== null) throw this.bug;
      this.copied += response.bytes.byteLength;
      keep(slot, response);
    };
    this.#bulks = new BulkRequests({
      requests: {
        isStillAdmitted: () => this.isAdmitted,
        limitWork: () => false,
      } as unknown as ContentRequests,
      renderer: this.renderer,
      indexes: new BodyIndexes(work, this.renderer, log),
      responses,
      bytesMax,
      metrics: new Metrics(),
      clock: new Clock(),
      index: this.index,
      keys: { hashOf: () => '0123456789abcdef' },
      tokens: new StreamTokens(() => new Uint8Array(32)),
    });
  }

  put(id: string, json: string, flags: readonly string[]): void {
    this.#texts.set(id, Buffer.from(json));
    const bytes = Buffer.byteLength(json);
    const lines = [{ version: '0.0.0', digest: id, hash: '0', bytes }];
    const row = { lines, mapping: null, mappingDigest: '', flags };
    this.#contents.push(new ServedState(id, row, () => undefined, this.#budget));
  }

  /** Begins a bulk evaluation. */
  ask(): { exchange: Exchange; res: NotedResponse } {
    const asked = exchangeWith(this.logged);
    asked.exchange.problemForm = asOfrepError;
    asked.exchange.environment = {
      id: 'e',
      flaggedFor: (asking: EvaluationContext) => {
        asking.workLeft -= this.rampWork;
        return this.#contents;
      },
    } as unknown as ServedEnvironment;
    asked.exchange.guard(() => this.#bulks.respond(asked.exchange, '', caller()));
    return asked;
  }

  /** The slot of the first content item. */
  get slot(): RenderSlot {
    const [content] = this.#contents;
    return content?.slot(caller(), Form.Wrapped, Coding.Identity, 0) as RenderSlot;
  }

  async #pooled(task: PoolTask): Promise<unknown> {
    await nextTurn();
    if (task.type === 'render') {
      this.rendered.push(task.tasks.map(({ bodyDigest }) => bodyDigest));
      return task.tasks.map((each) => {
        this.passes -= 1;
        if (this.passes >= 0) return null;
        return renderBody(work, each, this.#texts.get(each.bodyDigest) as Uint8Array, []);
      });
    }
    if (task.type !== 'index') throw new Error('Nothing else is asked for.');
    this.indexing += 1;
    this.indexingMost = Math.max(this.indexingMost, this.indexing);
    await nextTurn();
    this.indexing -= 1;
    const document = work.index(task.json);
    return { nodes: document.nodes, wide: indexWideContainers(document, 1) };
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Each look at the clock is a quarter of a turn later than the one before. */
function makeTurnsShort(): void {
  let nowMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += 0.25;
    return nowMs;
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

const responseOf = async ({ exchange, res }: { exchange: Exchange; res: NotedResponse }) => {
  while (!exchange.ended) await nextTurn();
  return JSON.parse(res.bodies.join(''));
};

const members = (count: number) => Array.from({ length: count }, (_, at) => `name${at}`);
const wideJson = (count: number) =>
  JSON.stringify(Object.fromEntries(members(count).map((name, at) => [name, at])));

describe('a bulk evaluation', () => {
  it('copies no more than the flags may have together', async () => {
    const bulks = new Bulks(MiB);
    // Each flag is in the one before it: together they are a hundred times as long as the content item.
    const depth = 200;
    const json = `${'{"a":'.repeat(depth)}"${'x'.repeat(200_000)}"${'}'.repeat(depth)}`;
    bulks.put(
      'nested',
      json,
      Array.from({ length: depth }, (_, at) => '/a'.repeat(at)),
    );
    const { errorCode, errorDetails, metadata } = await responseOf(bulks.ask());
    expect([errorCode, metadata.code]).toEqual(['GENERAL', 'too_many_flags']);
    expect(errorDetails).toContain(`${MiB} bytes`);
    expect(bulks.copied).toBeGreaterThan(0);
    expect(bulks.copied).toBeLessThanOrEqual(MiB);
  });

  it('counts the work of finding the slices of the caller', async () => {
    const bulks = new Bulks(MiB);
    bulks.put('a', '{"a":1}', ['/a']);
    expect((await responseOf(bulks.ask())).flags).toHaveLength(1);
    bulks.rampWork = 100 * evaluationWorkMax;
    expect((await responseOf(bulks.ask())).errorDetails).toContain('more work');
  });

  it('has one large body indexed at a time, however many there are', async () => {
    const bulks = new Bulks(40 * MiB);
    const text = 'x'.repeat(inlineBytesMax);
    for (let at = 0; at < 40; at += 1) {
      bulks.put(`large${at}`, JSON.stringify({ text, at }), ['/at']);
    }
    const { flags } = await responseOf(bulks.ask());
    expect(flags.map(({ value }: { value: number }) => value)).toEqual([...Array(40).keys()]);
    expect(bulks.indexingMost).toBe(1);
  });

  it('goes on in other turns, and is the same as in one', async () => {
    const whole = new Bulks(MiB);
    const parted = new Bulks(MiB);
    for (const bulks of [whole, parted]) {
      for (const id of ['a', 'b', 'c']) {
        bulks.put(id, wideJson(100), [...members(50).map((name) => `/${name}`), '/none']);
      }
    }
    const expected = await responseOf(whole.ask());
    makeTurnsShort();
    const asked = parted.ask();
    let turns = 0;
    while (!asked.exchange.ended) {
      turns += 1;
      await nextTurn();
    }
    const { flags } = await responseOf(asked);
    expect(flags).toEqual(expected.flags);
    expect(flags.length).toBe(153);
    expect(turns).toBeGreaterThan(20);
    expect(parted.logged).toEqual([]);
  });

  it('goes on with what it has read where the memory of the body is given to another one', async () => {
    const bulks = new Bulks(MiB);
    bulks.put(
      'a',
      wideJson(100),
      members(100).map((name) => `/${name}`),
    );
    makeTurnsShort();
    const asked = bulks.ask();
    let filled = 0;
    while (!asked.exchange.ended) {
      await nextTurn();
      const raw = bulks.renderer.cached(bulks.slot, 0)?.raw ?? null;
      raw?.fill(0x20);
      filled += raw === null ? 0 : 1;
    }
    expect(filled).toBeGreaterThan(5);
    const { flags } = await responseOf(asked);
    expect(flags.map(({ value }: { value: number }) => value)).toEqual([...Array(100).keys()]);
  });

  it('ends with a key that is revoked meanwhile', async () => {
    const bulks = new Bulks(MiB);
    bulks.put(
      'a',
      wideJson(100),
      members(100).map((name) => `/${name}`),
    );
    makeTurnsShort();
    const asked = bulks.ask();
    while (bulks.copied === 0) await nextTurn();
    bulks.isAdmitted = false;
    expect((await responseOf(asked)).metadata.code).toBe('invalid_api_key');
    expect(asked.res.statuses).toEqual(['401 Unauthorized']);
  });

  it('makes nothing more for a client that is gone', async () => {
    const bulks = new Bulks(MiB);
    bulks.put(
      'a',
      wideJson(100),
      members(100).map((name) => `/${name}`),
    );
    makeTurnsShort();
    const { res } = bulks.ask();
    while (bulks.copied === 0) await nextTurn();
    const { copied } = bulks;
    res.abort();
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(bulks.copied).toBe(copied);
    expect(res.bodies).toEqual([]);
  });

  it('is rejected when others hold too much already, and no longer when these have ended', async () => {
    const bulks = new Bulks(40 * MiB);
    bulks.put('large', JSON.stringify('x'.repeat(30 * MiB)), ['']);
    bulks.put('other', '1', ['', '']);
    makeTurnsShort();
    const all = Array.from({ length: 12 }, () => bulks.ask());
    const responses = await Promise.all(all.map(responseOf));
    const codes = responses.map(({ metadata }) => metadata.code);
    expect(codes).toContain('overloaded');
    expect(codes).toContain(undefined);
    expect((await responseOf(bulks.ask())).flags.length).toBe(3);
  });

  it('leaves nothing behind once its client is gone', async () => {
    const bulks = new Bulks(MiB);
    bulks.put('a', wideJson(100), ['/name0']);
    const ask = () => {
      const { exchange, res } = bulks.ask();
      res.abort();
      return new WeakRef(exchange);
    };
    const asked = ask();
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    collectGarbage();
    expect(bulks.rendered.length).toBe(1);
    expect(asked.deref()).toBeUndefined();
  });

  it('counts the bodies that it copies while it waits for others', async () => {
    const bulks = new Bulks(40 * MiB);
    // Too large to be kept as a flag, so that each evaluation needs the body.
    const length = 7 * MiB;
    bulks.put('cached', JSON.stringify('x'.repeat(length)), ['']);
    await responseOf(bulks.ask());
    bulks.put('edited', '1', ['']);
    const all = Array.from({ length: 60 }, () => bulks.ask());
    const underWay = all.filter(({ exchange }) => !exchange.ended);
    expect(underWay.length).toBeGreaterThan(1);
    expect(underWay.length * length).toBeLessThanOrEqual(bulksUnderWayBytesMax);
    for (const { res } of all) res.abort();
    expect((await responseOf(bulks.ask())).flags).toMatchObject([{}, { value: 1 }]);
  });

  it('has a body rendered alone that is larger than a portion', async () => {
    const bulks = new Bulks(40 * MiB);
    bulks.put('small', '1', ['']);
    bulks.put('large', JSON.stringify('x'.repeat(bulkBodiesBytesMax)), ['']);
    bulks.put('last', '2', ['']);
    expect((await responseOf(bulks.ask())).flags.length).toBe(3);
    expect(bulks.rendered).toEqual([['small'], ['large'], ['last']]);
  });

  it('that begins again names the sequence that it is made from in the end', async () => {
    const bulks = new Bulks(MiB);
    bulks.put('a', '1', ['']);
    bulks.passes = 1;
    const asked = bulks.ask();
    asked.exchange.sequence = bulks.index.sequence;
    bulks.index.sequence += 1;
    const { metadata } = await responseOf(asked);
    expect([metadata.sequence, asked.exchange.sequence]).toEqual([2, 2]);
  });

  it.each([
    ['the pool has rendered the body', 'x'],
    ['the pool has indexed it', 'x'.repeat(inlineBytesMax)],
  ])('that meets a bug after %s is a 500, logged once, and ends nothing else', async (_, text) => {
    const bulks = new Bulks(MiB);
    bulks.put('a', JSON.stringify({ text, at: 1 }), ['/at']);
    bulks.bug = new Error('a bug');
    const asked = bulks.ask();
    const { errorCode, metadata } = await responseOf(asked);
    expect([errorCode, metadata.code]).toEqual(['GENERAL', 'internal']);
    expect(asked.res.statuses).toEqual(['500 Internal Server Error']);
    expect(bulks.logged).toEqual([bulks.bug]);
    bulks.bug = null;
    expect((await responseOf(bulks.ask())).flags).toMatchObject([{ value: 1 }]);
  });
});
