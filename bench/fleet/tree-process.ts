/**
 * Many servers that follow a server, in one process: each with the protocol's real client, its publisher and its published.db,
 * without delivery processes; those of a middle level are followed themselves. Says when all of them have a sequence.
 */
import { join } from 'node:path';
import { pino } from 'pino';
import { FollowHub } from '../../src/management/follow/follow-hub.js';
import { ParentRequests } from '../../src/management/follow/parent-requests.js';
import { ParentSession } from '../../src/management/follow/parent-session.js';
import { ParentStore } from '../../src/management/follow/parent-store.js';
import { RelayedReports } from '../../src/management/follow/relayed-reports.js';
import { PublishedFile } from '../../src/management/publishing/published-file.js';
import { Publisher } from '../../src/management/publishing/publisher.js';
import type {} from '../../src/management/tracing/request-spans.js';

export interface TreeOptions {
  readonly parents: readonly string[];
  readonly tokenFile: string;
  /** Null: nothing follows these. */
  readonly acceptFile: string | null;
  readonly folder: string;
  readonly name: string;
  readonly count: number;
}

/** All followers of the process have the sequence. */
export interface TreeReached {
  readonly sequence: number;
  readonly rssBytes: number;
  /** Where those of a middle level are followed. */
  readonly urls: readonly string[];
}

const options = JSON.parse(process.argv[2] ?? '{}') as TreeOptions;
const log = pino({ level: 'error' }, pino.destination(2));
const reached = new Array<number>(options.count).fill(-1);
const urls: string[] = [];
let reported = -1;
let isReady = false;

function reach(follower: number, sequence: number): void {
  reached[follower] = sequence;
  if (!isReady) return;
  const all = Math.min(...reached);
  if (all <= reported) return;
  reported = all;
  const { rss: rssBytes } = process.memoryUsage();
  const message: TreeReached = { sequence: all, rssBytes, urls };
  process.send?.(message);
}

async function follow(follower: number): Promise<void> {
  const name = `${options.name}-${follower}`;
  const publishedPath = join(options.folder, `${name}.db`);
  const file = new PublishedFile(publishedPath, log);
  const { parents, tokenFile, acceptFile } = options;
  const parent = parents[follower % parents.length] as string;
  const requests = new ParentRequests({ urls: [parent], tokenFile, caFile: null });
  const store = new ParentStore(requests, publishedPath, file.storeId);
  const relayed = new RelayedReports(log);
  const hub: FollowHub | null =
    acceptFile === null
      ? null
      : new FollowHub({
          ...{ file, publishedPath, acceptFile, log, max: 1_000, served: () => publisher.served },
          take: (taken) => relayed.addAll(taken),
          moved: () => session.moved(),
          damaged: (error) => publisher.repair(error),
        });
  const publisher: Publisher = new Publisher({
    ...{ store, file, log, acceptEmpty: false },
    announce: async () => hub?.published(),
    served: () => {
      hub?.followers.moved();
      session.moved();
      reach(follower, publisher.served.sequence);
    },
    isServed: () => true,
    withoutReaders: async (work) => work(),
  });
  const session: ParentSession = new ParentSession({
    ...{ requests, store, relayed, log },
    self: { id: name, name, address: '', version: 'bench' },
    served: () => publisher.served,
    serving: () => 1,
    below: () => {
      const { sequence, mark } = publisher.served;
      return hub?.followers.below ?? { tree: { sequence, mark }, live: 0, away: 0, names: [] };
    },
    pull: () => publisher.pull(),
    resume: () => publisher.resume(),
  });
  await publisher.start();
  if (hub !== null) urls.push(`http://127.0.0.1:${await hub.listen('127.0.0.1', 0)}`);
  session.start();
}

process.on('disconnect', () => process.exit(0));
for (let follower = 0; follower < options.count; follower += 1) await follow(follower);
isReady = true;
reach(0, reached[0] ?? -1);
