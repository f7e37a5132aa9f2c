/** A stream hub with real contents, events and queue in the process of the test, whose requests and sockets are the test's. */
import type { HttpResponse } from 'uWebSockets.js';
import type { Piscina } from 'piscina';
import { EvaluationContext } from '../../../src/content/evaluation-context.js';
import { digestOf } from '../../../src/content/hash.js';
import { NO_VERSION } from '../../../src/content/version.js';
import { Clock } from '../../../src/delivery/clock.js';
import { EventLoopLag } from '../../../src/delivery/event-loop-lag.js';
import type { ContentRequests } from '../../../src/delivery/http/content-requests.js';
import type { Exchange } from '../../../src/delivery/http/exchange.js';
import { UnsentResponses } from '../../../src/delivery/http/unsent-responses.js';
import { Metrics } from '../../../src/delivery/metrics.js';
import { Problem } from '../../../src/delivery/problems.js';
import {
  type PublishedIndex,
  ServedEnvironment,
} from '../../../src/delivery/published/published-index.js';
import { renderBody } from '../../../src/delivery/render/body-renderer.js';
import { chooseDocumentWork } from '../../../src/delivery/render/document-work.js';
import type { PoolTask } from '../../../src/delivery/render/render-task.js';
import { Renderer } from '../../../src/delivery/render/renderer.js';
import { StreamHub } from '../../../src/delivery/stream/stream-hub.js';
import { parseStreamRequest } from '../../../src/delivery/stream/stream-request.js';
import { servedContentOf } from '../served-content.js';

const work = chooseDocumentWork('off');
const key = 'key';

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
export class HubInProcess {
  readonly logged: unknown[] = [];
  readonly streams: StreamHub;
  readonly #environment = new ServedEnvironment('e');
  readonly #index = { sequence: 1, storeId: 'store', version: 1, keysVersion: 1 };

  constructor() {
    const served = {
      environment: this.#environment,
      expiresAtMs: Number.POSITIVE_INFINITY,
      purpose: 'game',
    } as const;
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
      receipts: { receiptOf: () => '' },
      limits: { max: 100, perKey: 100, perNetwork: 100 },
      wakesPerSecond: 0,
      contextBytesMax: 1_000,
      unsent: new UnsentResponses(),
      log,
    });
  }

  put(id: string, json: string): void {
    this.#environment.put(id, servedContentOf(id, json));
    this.#index.sequence += 1;
    this.#index.version += 1;
    this.streams.applied();
  }

  open(u: string, body: Record<string, unknown> = {}): ClientInProcess {
    const request = parseStreamRequest('', body);
    if (request instanceof Problem) throw new Error('The request is valid.');
    const client = new ClientInProcess(this.#environment);
    const caller = new EvaluationContext(u, {}, '', NO_VERSION, 1e6);
    this.streams.open(client as unknown as Exchange, request, caller, 'network');
    return client;
  }
}

/** A request whose client takes everything at once, unless it is slow. */
export class ClientInProcess {
  readonly environment: ServedEnvironment;
  readonly key = key;
  readonly sequenceMin = -1;
  corked = true;
  ended = false;
  problem: Problem | null = null;
  written = '';
  hasEnd = false;
  /** The socket takes no more at once. */
  isSlow = false;
  /** The socket takes more. */
  takesMore: () => boolean = () => true;
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
        return !this.isSlow;
      },
      onWritable: (takesMore: () => boolean) => {
        this.takesMore = takesMore;
      },
      close: () => {
        this.hasEnd = true;
      },
      end: () => {
        if (this.broken !== null) throw this.broken;
        this.hasEnd = true;
      },
    } as unknown as HttpResponse);
  }
}
