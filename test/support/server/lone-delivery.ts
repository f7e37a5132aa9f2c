/** A delivery process alone, on a published.db that the test writes: for what the admin API is not needed for. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestOf } from '../../../src/content/hash.js';
import {
  type AssignedReport,
  type DeliveryOptions,
  deliveryEnvironment,
  type FromDelivery,
} from '../../../src/published/barrier.js';
import type { PublishedChange } from '../../../src/published/change.js';
import {
  type EnvironmentSettings,
  noSettings,
} from '../../../src/published/environment-settings.js';
import { PublishedWriter } from '../../../src/published/writer.js';
import { freeLoopbackPort } from '../wire/loopback-port.js';
import { Environment } from './environment.js';
import { RunningServer } from './server-process.js';

const program = fileURLToPath(new URL('../../../dist/delivery-process.js', import.meta.url));

/** As `serve` starts it, without limits that a test of many clients on one machine would meet. */
const options = {
  ...{ host: '127.0.0.1', workers: 1, tlsCert: null, tlsKey: null, corsOrigins: ['*'] },
  ...{ lenientCatalog: false, bodyBytesMax: 65_536, idsMax: 100 },
  ...{ combineBytesMax: 40 * 1024 * 1024, refreshBytesMax: 1024 * 1024 },
  ...{ streamsMax: null, streamsPerKey: null, streamsPerAddress: 1_000, streamWakesPerSecond: 0 },
  ...{ trustedProxies: [], keyRateMax: null, keysUsedEveryMs: 30_000 },
  ...{ logLevel: 'warn', native: 'auto', events: null },
} as const satisfies Omit<DeliveryOptions, 'publishedPath' | 'port'>;

export class LoneDelivery {
  readonly server: RunningServer;
  /** The store's secret, which it publishes. */
  readonly streamKey: Uint8Array;
  /** What the process has reported of users of experiments so far. */
  readonly assigned: AssignedReport[] = [];
  readonly #writer: PublishedWriter;
  readonly #child: ChildProcess;
  readonly #folder: string;
  #sequence = 0;

  static async start(): Promise<LoneDelivery> {
    const folder = mkdtempSync(join(tmpdir(), 'loadout-lone-'));
    const publishedPath = join(folder, 'published.db');
    const writer = new PublishedWriter(publishedPath, Date.now);
    const streamKey = randomBytes(32);
    writer.setStore({ id: 'lone', streamKey: streamKey.toString('base64url') });
    const port = await freeLoopbackPort();
    const child = fork(program, [JSON.stringify({ ...options, publishedPath, port })], {
      env: { ...process.env, ...deliveryEnvironment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await received(child, ({ type }) => type === 'applied');
    child.send({ type: 'open' });
    await received(child, ({ type }) => type === 'listening');
    return new LoneDelivery(folder, writer, streamKey, child, port);
  }

  private constructor(
    folder: string,
    writer: PublishedWriter,
    streamKey: Uint8Array,
    child: ChildProcess,
    port: number,
  ) {
    this.#folder = folder;
    this.#writer = writer;
    this.streamKey = streamKey;
    this.#child = child;
    child.on('message', (message: FromDelivery) => {
      if (message.type === 'assigned') this.assigned.push(message.report);
    });
    const deliveryUrl = `http://127.0.0.1:${port}`;
    this.server = new RunningServer({
      deliveryUrl,
      adminUrl: deliveryUrl,
      pid: child.pid ?? -1,
    });
  }

  /** Publishes in one sequence, which it returns once requests see it. */
  async publish(changes: readonly PublishedChange[]): Promise<number> {
    this.#sequence += 1;
    const sequence = this.#sequence;
    this.#writer.apply({ sequence, mark: '' }, changes);
    const applied = received(this.#child, (message) => {
      return message.type === 'applied' && message.sequence >= sequence;
    });
    this.#child.send({ type: 'published', sequence });
    await applied;
    return sequence;
  }

  /** Publishes an environment with a key. */
  async environment(id: string, settings: EnvironmentSettings = noSettings): Promise<Environment> {
    const key = `lone-${randomBytes(16).toString('hex')}`;
    await this.publish([
      { kind: 'environment', environment: id, settings },
      { kind: 'key', environment: id, keyHash: digestOf(key), expiresAtMs: null, purpose: 'game' },
    ]);
    return new Environment(this.server, id, { id: '', key });
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.send({ type: 'drain' });
    await exit;
    this.#writer.close();
    rmSync(this.#folder, { recursive: true });
  }
}

/** Resolves with the first message of that kind; rejects when the process refuses or ends before. */
function received(child: ChildProcess, isIt: (message: FromDelivery) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (message: FromDelivery): void => {
      if (message.type === 'refused') finish(new Error(message.detail));
      else if (isIt(message)) finish(null);
    };
    const gone = (): void => finish(new Error('the delivery process has ended'));
    const finish = (error: Error | null): void => {
      child.off('message', take);
      child.off('exit', gone);
      if (error === null) resolve();
      else reject(error);
    };
    child.on('message', take);
    child.on('exit', gone);
  });
}
