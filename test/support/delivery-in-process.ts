/** Delivery from the choice of a body to the bytes of the response, in one thread: without a socket, and with a pool that works at once. */
import { gunzipSync } from 'node:zlib';
import type { Piscina } from 'piscina';
import {
  type EvaluationContext,
  makeEvaluationContext,
} from '../../src/content/evaluation-context.js';
import { parseMapping } from '../../src/content/mapping/mapping.js';
import { Selection } from '../../src/content/selection.js';
import { SelectionBudget } from '../../src/content/selection-budget.js';
import { Clock } from '../../src/delivery/clock.js';
import { EventLoopLag } from '../../src/delivery/event-loop-lag.js';
import { Accepts } from '../../src/delivery/http/accept-encoding.js';
import { ContentRequests } from '../../src/delivery/http/content-requests.js';
import type { Exchange } from '../../src/delivery/http/exchange.js';
import { parseCombineQuery } from '../../src/delivery/http/query.js';
import { combineBytesMaxDefault } from '../../src/delivery/limits.js';
import type { Metrics } from '../../src/delivery/metrics.js';
import { Problem } from '../../src/delivery/problems.js';
import type { ApiKeys } from '../../src/delivery/published/api-keys.js';
import type { SequenceWaits } from '../../src/delivery/published/sequence-waits.js';
import { renderBody } from '../../src/delivery/render/body-renderer.js';
import { chooseDocumentWork } from '../../src/delivery/render/document-work.js';
import {
  Coding,
  Form,
  type PoolTask,
  type RenderTask,
} from '../../src/delivery/render/render-task.js';
import { Renderer } from '../../src/delivery/render/renderer.js';
import { ServedContent } from '../../src/delivery/render/served-content.js';

const work = chooseDocumentWork('off');

/** A rule that applies to callers with these attributes. */
export interface TestRule {
  readonly segment: string;
  readonly when: object;
  readonly merge?: object;
}

export interface TestContent {
  readonly id: string;
  readonly json: string;
  /** 16 hex digits. */
  readonly hash: string;
  readonly rules: readonly TestRule[];
}

export interface TestResponse {
  /** Decompressed. */
  readonly text: string;
  readonly coding: Coding;
  /** Length of the response as it was sent. */
  readonly bytes: number;
}

export class DeliveryInProcess {
  /** Everything that the pool was asked to do. */
  readonly poolTasks: PoolTask[] = [];
  readonly renderer: Renderer;
  readonly #budget = new SelectionBudget(1e6, true);
  readonly #contents = new Map<string, ServedContent>();
  readonly #texts = new Map<string, Uint8Array>();
  readonly #mappings = new Map<string, Uint8Array>();
  readonly #requests: ContentRequests;
  #held = '';
  #hold: Promise<void> = Promise.resolve();
  releasePool: () => void = () => undefined;

  constructor() {
    const pool = { run: (task: PoolTask) => this.#pooled(task) } as unknown as Piscina;
    const turns = new EventLoopLag();
    this.renderer = new Renderer(pool, work, turns, (error) => {
      throw error;
    });
    this.#requests = new ContentRequests(
      {} as ApiKeys,
      this.renderer,
      {} as SequenceWaits,
      { rulesMissed: 0, utcOffsetsMissing: 0 } as Metrics,
      new Clock(),
      turns,
      combineBytesMaxDefault,
    );
  }

  /** Publishes a content, or replaces it. Equal texts and equal mappings share their digests, as in published.db. */
  put({ id, json, hash, rules }: TestContent): void {
    const text = Buffer.from(json);
    const mapping = Buffer.from(JSON.stringify(rules));
    const [digest, mappingDigest] = [json, mapping.toString()];
    this.#texts.set(digest, text);
    this.#mappings.set(mappingDigest, mapping);
    const lines = [{ version: '0.0.0', digest, hash, bytes: text.byteLength }];
    const row = { environment: 'e', id, lines, mapping, mappingDigest, flags: [], candidate: null };
    this.#contents.set(id, new ServedContent(row, () => undefined, this.#budget));
  }

  /** The response to a single content's request. */
  one(id: string, caller: EvaluationContext, form: Form, gzip: boolean): Promise<TestResponse> {
    return this.#respond(gzip, (exchange) =>
      this.#requests.respondToOne(exchange, id, caller, form),
    );
  }

  /** The response to a wrapped or plain combine call. */
  many(
    ids: readonly string[],
    caller: EvaluationContext,
    form: Form,
    gzip: boolean,
  ): Promise<TestResponse> {
    const dynamic = form === Form.Plain ? '' : '&dynamic=true';
    const serialized = form === Form.Serialized ? '&responseType=serialized' : '';
    const query = parseCombineQuery(`c=${JSON.stringify(ids)}${dynamic}${serialized}`, 100);
    if (query instanceof Problem) throw new Error('The query is valid.');
    return this.#respond(gzip, (exchange) => this.#requests.respondToMany(exchange, query, caller));
  }

  /** Bodies that the pool was asked for so far. */
  get rendered(): readonly RenderTask[] {
    return this.poolTasks.flatMap((task) => (task.type === 'render' ? task.tasks : []));
  }

  #respond(gzip: boolean, ask: (exchange: Exchange) => void): Promise<TestResponse> {
    return new Promise((resolve, reject) => {
      const exchange = {
        environment: { content: (id: string) => this.#contents.get(id) },
        sequenceMin: -1,
        accepts: gzip ? Accepts.Gzip : 0,
        choosingAtMs: performance.now(),
        ended: false,
        corked: true,
        goOn: (work: () => void) => work(),
        reject: (problem: Problem) => reject(new Error(JSON.stringify(problem))),
        respond: (bytes: Uint8Array, coding: Coding) => {
          const whole = coding === Coding.Gzip ? gunzipSync(bytes) : Buffer.from(bytes);
          resolve({ text: whole.toString(), coding, bytes: bytes.byteLength });
        },
      } satisfies Partial<Record<keyof Exchange, unknown>>;
      ask(exchange as unknown as Exchange);
    });
  }

  /** Has the pool keep bodies of this text to itself until `releasePool`. */
  holdPool(json: string): void {
    this.#held = json;
    this.#hold = new Promise((release) => {
      this.releasePool = release;
    });
  }

  async #pooled(task: PoolTask): Promise<unknown> {
    const isHeld = task.type === 'render' && task.tasks.some((t) => t.bodyDigest === this.#held);
    if (isHeld) await this.#hold;
    return this.#run(task);
  }

  #run(task: PoolTask): unknown {
    this.poolTasks.push(task);
    if (task.type === 'compress') throw new Error('The catalog is not asked for.');
    if (task.type === 'index') throw new Error('No large flag is asked for.');
    if (task.type === 'document') return work.index(this.#text(task.bodyDigest));
    return task.tasks.map((each) => this.#render(each));
  }

  #render(task: RenderTask): unknown {
    const text = this.#text(task.bodyDigest);
    if (task.mappingDigest === '') return renderBody(work, task, text, []);
    const parsed = parseMapping(this.#mappings.get(task.mappingDigest) as Uint8Array);
    if (!parsed.ok) throw new Error('The mapping is valid.');
    const { mutations } = new Selection(parsed.rules, task.choices);
    return renderBody(work, task, work.index(text), mutations);
  }

  #text(digest: string): Uint8Array {
    return this.#texts.get(digest) as Uint8Array;
  }
}

export const callerWith = (p: Record<string, unknown>, u = 'u'): EvaluationContext =>
  makeEvaluationContext(u, p, null);
