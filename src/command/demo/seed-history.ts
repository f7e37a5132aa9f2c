/** Fills the demo's store with what the team of its game has done in the last weeks, in the order in which it was done (D42). */

import type { KnownRoute } from '../../contract/client.js';
import { AdminClient } from '../client/admin-client.js';
import { type DemoGame, readDemoGame } from './demo-game.js';
import { type DemoTime, demoTimeMs } from './demo-time.js';
import { type PastOptions, startPastServer } from './past-server.js';
import { seedEvents } from './seed-events.js';
import { productionName, stagingName, Team } from './team.js';
import { startReceiver } from './webhook-receiver.js';

const startedAt: DemoTime = '25d 08:55';
/** From then on the receiver of `brokenPath` fails. */
const brokenSince: DemoTime = '330min';

interface SeedOptions extends Omit<PastOptions, 'startMs'> {
  /** When the history ends: milliseconds since the epoch. */
  readonly nowMs: number;
}

export type SeededGame = Awaited<ReturnType<typeof seedHistory>>;

/** @throws CommandFailure, and what opening a data folder and its store throws */
export async function seedHistory({ nowMs, ...options }: SeedOptions) {
  const game = await readDemoGame(nowMs);
  const receiver = await startReceiver(demoTimeMs(nowMs, brokenSince));
  const server = await startPastServer({ ...options, startMs: demoTimeMs(nowMs, startedAt) });
  try {
    const { url } = server;
    const ownerToken = server.ownerToken ?? options.adminToken;
    const team = new Team({ game, nowMs, url, ownerToken, receiverUrl: receiver.url });
    for (const step of game.steps) {
      await server.passTo(demoTimeMs(nowMs, step.at));
      await team.perform(step);
      await server.settle();
    }
    await server.passTo(nowMs);
    const client = new AdminClient(url, ownerToken);
    const { streamKey } = server;
    const environment = productionName;
    const seeding = { client, environment, data: options.data, nowMs, streamKey };
    await server.recordAssigned(await seedEvents(seeding));
    const userOf = (person: string) => ({
      name: game.people[person]?.name ?? '',
      token: team.tokens.get(person) ?? '',
    });
    return {
      requests: game.requests,
      /** How many in staging, without deleted ones. */
      contents: game.contents.size - deletedIn(game, stagingName),
      segments: game.segments.size,
      /** null: the operator has it already. */
      ownerToken: server.ownerToken,
      /** Path of the file that has it, where it is not to be printed. */
      ownerTokenFile: server.ownerTokenFile,
      editor: userOf('mei'),
      viewer: userOf('jonas'),
      stagingKey: team.keys.get('Studio devices')?.key ?? '',
      productionKey: team.keys.get('Live clients')?.key ?? '',
      /** Receives the webhooks: it must go on, and is to be closed at the end. */
      receiver,
    };
  } finally {
    await server.close();
  }
}

function deletedIn({ steps }: DemoGame, environment: string): number {
  const route: KnownRoute = 'DELETE /environments/:env/contents/:id';
  return steps.filter(
    (step) => 'request' in step && step.request === route && step.params?.['env'] === environment,
  ).length;
}
