/** Refreshes beside what happens while their bodies are made: edits, revocations, failures. The pool is held by the test. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Piscina } from 'piscina';
import { describe, expect, it } from 'vitest';
import { EvaluationContext } from '../../../src/content/evaluation-context.js';
import { NO_VERSION } from '../../../src/content/version.js';
import { Clock } from '../../../src/delivery/clock.js';
import { EventLoopLag } from '../../../src/delivery/event-loop-lag.js';
import { ContentRequests } from '../../../src/delivery/http/content-requests.js';
import type { Exchange } from '../../../src/delivery/http/exchange.js';
import { refreshContents } from '../../../src/delivery/http/refresh-contents.js';
import {
  parseRefreshRequest,
  type RefreshRequest,
} from '../../../src/delivery/http/refresh-request.js';
import { RefreshRequests } from '../../../src/delivery/http/refresh-requests.js';
import {
  combineBytesMaxDefault,
  heldListsMax,
  refreshRestartsMax,
} from '../../../src/delivery/limits.js';
import type { Metrics } from '../../../src/delivery/metrics.js';
import { Problem } from '../../../src/delivery/problems.js';
import type { ApiKeys } from '../../../src/delivery/published/api-keys.js';
import { ServedEnvironment } from '../../../src/delivery/published/published-index.js';
import { SequenceWaits } from '../../../src/delivery/published/sequence-waits.js';
import { ReceiptCounts } from '../../../src/delivery/receipts/receipt-counts.js';
import { ReceiptIssue } from '../../../src/delivery/receipts/receipt-issue.js';
import { ReceiptTokens } from '../../../src/delivery/receipts/receipt-tokens.js';
import { renderBody } from '../../../src/delivery/render/body-renderer.js';
import { chooseDocumentWork } from '../../../src/delivery/render/document-work.js';
import type { PoolTask, RenderTask } from '../../../src/delivery/render/render-task.js';
import { Renderer } from '../../../src/delivery/render/renderer.js';
import { servedContentOf } from '../../support/served-content.js';

const work = chooseDocumentWork('off');

const rendered = (task: RenderTask) => renderBody(work, task, Buffer.from(task.bodyDigest), []);
const gone = () => null;
const failed = () => ({ failure: 'The body cannot be made.', damaged: false });

function requestOf(body: Record<string, unknown>): RefreshRequest {
  const request = parseRefreshRequest('', body);
  if (request instanceof Problem) throw new Error('The request is valid.');
  return request;
}

/** One environment, whose edits and whose pool are the test's to make and to finish. */
class Refreshes {
  readonly environment = new ServedEnvironment('e');
  readonly index = { sequence: 1, storeId: 'store' };
  readonly logged: unknown[] = [];
  readonly #keys = { version: 1, isGood: true };
  readonly #waiting: { readonly task: PoolTask; readonly finish: (reply: unknown) => void }[] = [];
  readonly #refreshes: RefreshRequests;

  constructor() {
    const pool = {
      run: (task: PoolTask) =>
        task.type === 'render'
          ? new Promise((finish) => this.#waiting.push({ task, finish }))
          : new Promise(() => undefined),
    } as unknown as Piscina;
    const turns = new EventLoopLag();
    const renderer = new Renderer(pool, work, turns, (error) => this.logged.push(error));
    const keys = this.#keys;
    const apiKeys = {
      get version() {
        return keys.version;
      },
      renew: () => (keys.isGood ? this.environment : null),
    } as unknown as ApiKeys;
    const metrics = { rulesMissed: 0, utcOffsetsMissing: 0 } as Metrics;
    const clock = new Clock();
    const waits = new SequenceWaits(this.index as never);
    const limit = combineBytesMaxDefault;
    const requests = new ContentRequests(apiKeys, renderer, waits, metrics, clock, turns, limit);
    const receipts = new ReceiptIssue(
      new ReceiptTokens(() => new Uint8Array(32)),
      new ReceiptCounts(),
    );
    const { index } = this;
    this.#refreshes = new RefreshRequests(requests, index, renderer, metrics, clock, receipts);
  }

  put(id: string, json: string): void {
    this.environment.put(id, servedContentOf(id, json));
    this.index.sequence += 1;
  }

  revoke(): void {
    this.#keys.version += 1;
    this.#keys.isGood = false;
  }

  /** The pool replies to all that it was asked for by now. Resolves when that has been taken in. */
  async reply(reply: (task: RenderTask) => unknown): Promise<number> {
    await nextTurn();
    const asked = this.#waiting.splice(0);
    for (const { task, finish } of asked) {
      if (task.type === 'render') finish(task.tasks.map(reply));
    }
    await nextTurn();
    return asked.length;
  }

  ask(body: Record<string, unknown> = {}, sequenceMin = -1) {
    const exchange = {
      environment: this.environment,
      key: 'key',
      keysVersion: this.#keys.version,
      sequenceMin,
      sequence: -1,
      accepts: 0,
      choosingAtMs: performance.now(),
      ended: false,
      corked: true,
      goOn(work: () => void) {
        if (!this.ended) work();
      },
      problem: null as Problem | null,
      response: null as string | null,
      reject(problem: Problem) {
        this.ended = true;
        this.problem = problem;
      },
      respond(bytes: Uint8Array) {
        this.ended = true;
        this.response = Buffer.from(bytes).toString();
      },
    };
    const caller = new EvaluationContext('u', {}, '', NO_VERSION, 1e6);
    this.#refreshes.respond(exchange as unknown as Exchange, requestOf(body), caller);
    return exchange;
  }
}

describe('an edit that passes what a refresh has chosen', () => {
  it('has it chosen again, with the sequence of the edit in the response and in X-Sequence', async () => {
    const game = new Refreshes();
    game.put('shop', '"before"');
    const { sequence } = game.index;
    const exchange = game.ask({}, sequence);
    game.put('shop', '"after"');
    expect(await game.reply(gone)).toBe(1);
    expect(exchange.ended).toBe(false);
    await game.reply(rendered);
    const response = JSON.parse(exchange.response ?? '');
    expect(response).toMatchObject({ sequence: sequence + 1, gone: [], more: false });
    expect(response.contents.shop.data).toBe('after');
    expect(exchange.sequence).toBe(sequence + 1);
  });

  it('leaves X-Sequence out where the client did not ask for a sequence', async () => {
    const game = new Refreshes();
    game.put('shop', '"before"');
    const exchange = game.ask();
    game.put('shop', '"after"');
    await game.reply(gone);
    await game.reply(rendered);
    expect(exchange.response).toContain('"after"');
    expect(exchange.sequence).toBe(-1);
  });

  it('has it chosen again a bounded number of times, then rejected: 503, and nothing is gone', async () => {
    const game = new Refreshes();
    game.put('shop', '0');
    const exchange = game.ask();
    let restarts = 0;
    for (; !exchange.ended; restarts += 1) {
      game.put('shop', String(restarts + 1));
      expect(await game.reply(gone)).toBe(1);
    }
    expect(restarts).toBe(refreshRestartsMax + 1);
    expect(exchange.problem).toMatchObject({ status: 503, code: 'content_unavailable' });
  });

  it('lists an item as gone that the edit has deleted', async () => {
    const game = new Refreshes();
    game.put('shop', '0');
    game.put('news', '1');
    const exchange = game.ask({ have: { shop: '', news: '' } });
    game.environment.put('shop', null);
    await game.reply(({ bodyDigest, ...task }) =>
      bodyDigest === '0' ? null : rendered({ bodyDigest, ...task }),
    );
    await game.reply(rendered);
    const response = JSON.parse(exchange.response ?? '');
    expect(response.gone).toEqual(['shop']);
    expect(Object.keys(response.contents)).toEqual(['news']);
  });
});

describe('a refresh whose bodies are being made is rejected', () => {
  it('when its key is revoked meanwhile: 401', async () => {
    const game = new Refreshes();
    game.put('shop', '1');
    const exchange = game.ask();
    game.revoke();
    await game.reply(rendered);
    expect(exchange.response).toBe(null);
    expect(exchange.problem).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it('when its key is revoked, and an edit has passed what it chose: 401', async () => {
    const game = new Refreshes();
    game.put('shop', '1');
    const exchange = game.ask();
    game.revoke();
    game.put('shop', '2');
    await game.reply(gone);
    expect(exchange.problem).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it('when one of them fails, and the others are there: 503, with nothing listed as gone', async () => {
    const game = new Refreshes();
    game.put('shop', '1');
    game.put('news', '2');
    const exchange = game.ask();
    await game.reply((task) => (task.bodyDigest === '2' ? failed() : rendered(task)));
    expect(exchange.response).toBe(null);
    expect(exchange.problem).toMatchObject({
      status: 503,
      code: 'content_unavailable',
      retry: true,
    });
    expect(game.logged.length).toBe(1);
  });
});

describe('lists of held ids', () => {
  const environment = new ServedEnvironment('e');
  for (const id of ['a', 'b', 'c']) environment.put(id, servedContentOf(id, '1'));
  const contentsFor = (have: Record<string, string>) =>
    refreshContents(environment, requestOf({ have }));

  it('are looked up once, whatever tags are held', () => {
    const first = contentsFor({ b: 'x', A: 'y' });
    expect(first).toMatchObject({ names: ['b', 'A', 'c'], listed: 2, tags: ['x', 'y'] });
    const second = contentsFor({ b: '', A: 'z' });
    expect(second.contents).toBe(first.contents);
    expect(second.tags).toEqual(['', 'z']);
    expect(contentsFor({ b: '', a: '' }).contents).not.toBe(first.contents);
    expect(contentsFor({ A: '', b: '' }).names).toEqual(['A', 'b', 'c']);
  });

  it('are looked up again after any edit', () => {
    const before = contentsFor({ a: '' });
    const content = servedContentOf('a', '2');
    environment.put('a', content);
    const after = contentsFor({ a: '' });
    expect(after.contents).not.toBe(before.contents);
    expect(after.contents[0]).toBe(content);
    environment.put('a', null);
    expect(contentsFor({ a: '' })).toMatchObject({ unknown: ['a'], names: ['b', 'c'] });
  });

  it('are forgotten when others come, and not kept where an id is unknown', () => {
    const first = contentsFor({ b: '' });
    for (let at = 0; at < 20; at += 1) contentsFor({ [`unknown-${at}`]: '' });
    expect(contentsFor({ b: '' }).contents).toBe(first.contents);
    for (const ids of [['c'], ['b', 'c'], ['c', 'b'], ['C']].slice(0, heldListsMax)) {
      contentsFor(Object.fromEntries(ids.map((id) => [id, ''])));
    }
    expect(contentsFor({ b: '' }).contents).not.toBe(first.contents);
  });
});
