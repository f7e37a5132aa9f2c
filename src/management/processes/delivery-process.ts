/** One delivery process as its supervisor sees it: its states, its messages, its end (D3). */
import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { compileCacheEnvironment } from '../../compile-cache.js';
import { programFolder } from '../../program-folder.js';
import {
  type AssignedReport,
  type DeliveryMetrics,
  type DeliveryOptions,
  deliveryEnvironment,
  type FromDelivery,
  type KeyUse,
  type ReceiptBatch,
  type ToDelivery,
} from '../../published/barrier.js';
import type { RequestReport } from '../../published/request-report.js';
import type { SeenTraffic } from '../../published/traffic.js';
import { relayLines } from './relay-lines.js';

/**
 * starting: loads what is published, serves no request. opening: asked to open its port, may serve any moment.
 * serving: its port is open. draining: finishes what it has. ended: the process is gone.
 */
type ProcessState = 'starting' | 'opening' | 'serving' | 'draining' | 'ended';

interface ProcessEvents {
  /** It acknowledged a sequence, or its state changed. */
  readonly moved: (child: DeliveryProcess) => void;
  readonly ended: (child: DeliveryProcess, reason: string) => void;
  /** It reports which keys were used. */
  readonly used: (keys: readonly KeyUse[]) => void;
  /** It reports what requests carried. */
  readonly traffic: (seen: readonly SeenTraffic[]) => void;
  /** It reports players of ramps that have started a game. */
  readonly receipts: (batches: readonly ReceiptBatch[]) => void;
  /** It reports users of experiments that run. */
  readonly assigned: (report: AssignedReport) => void;
  /** It reports requests, and why some were rejected. */
  readonly requests: (report: RequestReport) => void;
  /** It ended without having written so many events that it had taken. */
  readonly eventsLost: (count: number) => void;
  /** It found published.db damaged. */
  readonly damaged: (detail: string) => void;
  /** A line that it wrote to its standard error: its log. */
  readonly logged: (line: string) => void;
}

/**
 * Room for short-lived request objects: V8's young generation takes up to three times as much, MiB. With 64 requests cost
 * no less, and a process that opens 18,000 streams takes 26 MB more (bench/README.md, "Streams").
 */
const semiSpaceMiB = 16;

export class DeliveryProcess {
  readonly slot: number;
  readonly startedAtMs: number = Date.now();
  readonly #child: ChildProcess;
  readonly #events: ProcessEvents;
  readonly #ended: Promise<void>;
  readonly #measuring = new Map<number, (measures: DeliveryMetrics | null) => void>();
  state: ProcessState = 'starting';
  /** The newest sequence it has acknowledged; -1 before it has loaded. */
  sequence = -1;
  /** Why it can read no newer sequence from published.db: the file is damaged. Null: it can. */
  damage: string | null = null;
  /** Whether it has ever loaded what is published. */
  hasLoaded = false;
  /** Whether it has published.db closed, since `release` asked for it. */
  released = false;
  /** Whether its supervisor ended it because it hung. */
  wasKilled = false;
  /** Why it could not open its port, or ''. */
  failure = '';
  #measureId = 0;

  constructor(slot: number, options: DeliveryOptions, events: ProcessEvents) {
    this.slot = slot;
    this.#events = events;
    this.#child = fork(new URL('delivery-process.js', programFolder), [JSON.stringify(options)], {
      execArgv: [`--max-semi-space-size=${semiSpaceMiB}`],
      // Nothing else of our own environment goes along: the owner's token may be in it.
      env: { ...deliveryEnvironment, ...compileCacheEnvironment(), TMPDIR: tmpdir() },
      // Its log goes through this process: an open file that is shared with it would be set to blocking by each fork.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (this.#child.stderr !== null) relayLines(this.#child.stderr, events.logged);
    this.#child.on('message', (message) => this.#received(message as FromDelivery));
    this.#ended = new Promise((resolve) => {
      const end = (reason: string): void => {
        if (this.state === 'ended') return;
        this.state = 'ended';
        for (const settle of this.#measuring.values()) settle(null);
        resolve();
        events.ended(this, this.failure === '' ? reason : this.failure);
      };
      this.#child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
      this.#child.on('error', (error) => end(error.message));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Whether it may respond to requests: then an edit must reach it. */
  get mayServe(): boolean {
    return this.state === 'opening' || this.state === 'serving' || this.state === 'draining';
  }

  announce(sequence: number): void {
    this.#send({ type: 'published', sequence });
  }

  /** Has it close published.db until the next `announce`, with which it must load everything again. */
  release(): void {
    this.released = false;
    this.#send({ type: 'release' });
  }

  open(): void {
    this.state = 'opening';
    this.#send({ type: 'open' });
  }

  /** Has its health check say that it is going to end; it goes on serving. */
  leave(): void {
    this.#send({ type: 'leave' });
  }

  /** Resolves when it has finished its requests and is gone; after `msMax` it is killed. */
  async drain(msMax: number): Promise<void> {
    if (this.state === 'ended') return;
    this.state = 'draining';
    this.#send({ type: 'drain' });
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), msMax);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Ends it at once; resolves when it is gone. */
  async kill(): Promise<void> {
    this.wasKilled = true;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** What it counted; null when it does not respond within `msMax`. */
  measure(msMax: number): Promise<DeliveryMetrics | null> {
    if (this.state === 'ended') return Promise.resolve(null);
    const id = this.#measureId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(null), msMax);
      const settle = (measures: DeliveryMetrics | null): void => {
        clearTimeout(timer);
        this.#measuring.delete(id);
        resolve(measures);
      };
      this.#measuring.set(id, settle);
      this.#send({ type: 'measure', id });
    });
  }

  #send(message: ToDelivery): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #received(message: FromDelivery): void {
    switch (message.type) {
      case 'applied':
        this.sequence = message.sequence;
        this.hasLoaded = true;
        this.#events.moved(this);
        return;
      case 'listening':
        if (this.state === 'opening') this.state = 'serving';
        this.#events.moved(this);
        return;
      case 'released':
        // Whatever it said before was about the file that it has closed.
        this.released = true;
        this.damage = null;
        this.sequence = -1;
        this.#events.moved(this);
        return;
      case 'damaged':
        if (message.isStuck) this.damage = message.detail;
        this.#events.damaged(message.detail);
        this.#events.moved(this);
        return;
      case 'refused':
        this.failure = message.detail;
        this.#child.kill('SIGKILL');
        return;
      case 'used':
        this.#events.used(message.keys);
        return;
      case 'traffic':
        this.#events.traffic(message.seen);
        return;
      case 'receipts':
        this.#events.receipts(message.batches);
        return;
      case 'assigned':
        this.#events.assigned(message.report);
        return;
      case 'requests':
        this.#events.requests(message.report);
        return;
      case 'events-lost':
        this.#events.eventsLost(message.count);
        return;
      case 'measured':
        this.#measuring.get(message.id)?.(message.measures);
        return;
    }
  }
}
