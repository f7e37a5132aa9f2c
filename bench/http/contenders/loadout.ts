/** Contender `loadout`: the real delivery process, started as the control process starts it. */
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import {
  type DeliveryMetrics,
  type DeliveryOptions,
  deliveryEnvironment,
  type FromDelivery,
} from '../../../src/published/barrier.js';
import type { NativeChoice } from '../../bench.js';
import type { Build } from '../../build.js';
import { messageOf, moveHelpers, serverCore, startNode } from '../../measure/child.js';
import type { Server, ServerInput } from './contender.js';

const msMax = 30_000;

/** What of it Loadout needs. */
interface LoadoutInput
  extends Pick<
    ServerInput,
    'build' | 'publishedPath' | 'certificate' | 'core' | 'poolAside' | 'native' | 'port'
  > {
  /** With the folders of event files in it; absent: events are off. */
  readonly eventsFolder?: string;
}

/** Over plain HTTP on a free port, alone on the servers' core. */
export function startOnServerCore(
  build: Build,
  publishedPath: string,
  native: NativeChoice,
): Promise<Server> {
  const core = serverCore();
  return startLoadout({
    ...{ build, publishedPath, native, core },
    ...{ certificate: null, poolAside: true, port: 0 },
  });
}

export async function startLoadout(input: LoadoutInput): Promise<Server> {
  const port = input.port === 0 ? await freePort() : input.port;
  const options: DeliveryOptions = {
    publishedPath: input.publishedPath,
    host: '127.0.0.1',
    port,
    workers: 1,
    tlsCert: input.certificate?.certPath ?? null,
    tlsKey: input.certificate?.keyPath ?? null,
    corsOrigins: ['*'],
    lenientCatalog: false,
    bodyBytesMax: 64 * 1024,
    idsMax: 100,
    combineBytesMax: 40 * 1024 * 1024,
    refreshBytesMax: 1024 * 1024,
    streamsMax: null,
    streamsPerKey: null,
    streamsPerAddress: 1_000_000,
    streamWakesPerSecond: null,
    trustedProxies: [],
    keyRateMax: null,
    keysUsedEveryMs: 30_000,
    logLevel: 'warn',
    native: input.native,
    events:
      input.eventsFolder === undefined ? null : { folder: input.eventsFolder, attributes: [] },
  };
  const script = resolve(input.build.root, 'dist/delivery-process.js');
  const child = startNode(script, [JSON.stringify(options)], {
    core: input.core,
    env: { ...deliveryEnvironment },
  });
  const receive = <T>(pick: (message: FromDelivery) => T | undefined): Promise<T> =>
    messageOf(child, msMax, (message) => pick(message as FromDelivery));

  await receive((message) => (message.type === 'applied' ? true : undefined));
  child.send({ type: 'open' });
  await receive((message) => {
    if (message.type === 'refused') throw new Error(message.detail);
    return message.type === 'listening' ? true : undefined;
  });
  const pid = child.pid!;
  if (input.poolAside) moveHelpers(pid, true);

  let asked = 0;
  const measure = (): Promise<DeliveryMetrics> => {
    asked += 1;
    const id = asked;
    child.send({ type: 'measure', id });
    return receive((message) =>
      message.type === 'measured' && message.id === id ? message.measures : undefined,
    );
  };
  const publish = async (sequence: number): Promise<void> => {
    child.send({ type: 'published', sequence });
    await receive((message) =>
      message.type === 'applied' && message.sequence >= sequence ? true : undefined,
    );
  };
  return { child, pid, port, delivery: { measure, publish } };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
