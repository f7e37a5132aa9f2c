/**
 * Many followers in one process: each is what a node is to the database (its store, its session, its published.db), without
 * the delivery processes behind it. Says when all of them have a sequence.
 */
import { join } from 'node:path';
import { pino } from 'pino';
import { SharedStoreServer } from '../../src/management/fleet/shared-store-server.js';
import { PublishedFile } from '../../src/management/publishing/published-file.js';
import { Publisher } from '../../src/management/publishing/publisher.js';
import { postgresStore } from '../../src/management/store/postgres/postgres.js';
import { parseDatabaseUrl } from '../../src/management/store/postgres/url.js';
import { Store } from '../../src/management/store/store.js';

export interface FollowersOptions {
  readonly url: string;
  readonly folder: string;
  readonly from: number;
  readonly count: number;
}

/** All followers of the process have the sequence. */
export interface Reached {
  readonly sequence: number;
  readonly cpuSeconds: number;
}

const options = JSON.parse(process.argv[2] ?? '{}') as FollowersOptions;
const log = pino({ level: 'error' }, pino.destination(2));
const url = parseDatabaseUrl(options.url);
const reached = new Array<number>(options.count).fill(-1);
let reported = -1;

function reach(follower: number, sequence: number): void {
  reached[follower] = sequence;
  const all = Math.min(...reached);
  if (all <= reported) return;
  reported = all;
  const { user, system } = process.cpuUsage();
  const message: Reached = { sequence: all, cpuSeconds: (user + system) / 1e6 };
  process.send?.(message);
}

async function follow(follower: number): Promise<void> {
  const id = `follower-${options.from + follower}`;
  const store = await Store.open(postgresStore(url), Date.now);
  const writer = new PublishedFile(join(options.folder, `${id}.db`), log);
  const publisher = new Publisher({
    ...{ store, file: writer, log, acceptEmpty: false },
    announce: async (sequence) => reach(follower, sequence),
    isServed: () => true,
    withoutReaders: async (work) => work(),
  });
  await publisher.start();
  const server = new SharedStoreServer({
    ...{ url, store, log, storeAvailable: true },
    nodeId: { id, keep: () => undefined },
    self: { name: id, address: '', version: 'bench' },
    state: () => ({ ...publisher.served, serving: 1 }),
    connected: async () => publisher.resume(),
    wentBack: () => publisher.resume(),
    pull: () => publisher.pull(),
    publish: (sequence) => publisher.publish(sequence),
    leaderJobs: { start: async () => undefined, stop: async () => undefined },
  });
  server.start();
}

process.on('disconnect', () => process.exit(0));
for (let follower = 0; follower < options.count; follower += 1) await follow(follower);
reach(0, reached[0] ?? -1);
