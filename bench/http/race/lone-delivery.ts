/** A delivery process for questions that send their requests themselves, one by one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../../bench.js';
import type { Build } from '../../build.js';
import type { PlainContent } from '../../data/plain-response.js';
import { PublishedGame } from '../../data/published-game.js';
import { stop } from '../../measure/child.js';
import type { Server } from '../contenders/contender.js';
import { startOnServerCore } from '../contenders/loadout.js';
import { askOnce, type WireResponse } from './ask-once.js';
import { headersOf } from './scenario.js';

export interface LoneDelivery {
  readonly server: Server;
  readonly game: PublishedGame;
  ask(path: string, body: string, gzip?: boolean): Promise<WireResponse>;
}

/** @param connections kept open, at most */
export async function withDelivery<T>(
  build: Build,
  { native }: Pick<Bench, 'native'>,
  contents: readonly PlainContent[],
  connections: number,
  work: (delivery: LoneDelivery) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
  const publishedPath = join(folder, 'published.db');
  const game = await PublishedGame.create(build, publishedPath);
  game.put(contents);
  const server = await startOnServerCore(build, publishedPath, native);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const origin = `http://127.0.0.1:${server.port}`;
  const ask: LoneDelivery['ask'] = (path, body, gzip = false) =>
    askOnce(`${origin}${path}`, headersOf({ gzip }), body, { agent });
  try {
    return await work({ server, game, ask });
  } finally {
    agent.destroy();
    await stop(server.child);
    game.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
