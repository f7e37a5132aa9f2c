/** Fills the demo's store with what the team of its game has done in the last weeks, in the order in which it was done (D42). */

import { aroundSteps, brokenSince, liveKey, studioKey } from './around-steps.js';
import { contentSteps } from './content-steps.js';
import { demoContents } from './game/demo-game.js';
import { storyTimeMs } from './game/story-time.js';
import { startPastServer } from './past-server.js';
import { segmentSaves } from './segments.js';
import { type StoryStep, Team } from './team.js';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.js';

export interface ToldGame {
  /** In staging, those that are not deleted. */
  readonly contents: number;
  readonly segments: number;
  /** null: the operator has it already. */
  readonly ownerToken: string | null;
  /** Path of the file that has it, where it is not to be printed. */
  readonly ownerTokenFile: string | null;
  readonly editorToken: string;
  readonly viewerToken: string;
  readonly stagingKey: string;
  readonly productionKey: string;
  /** What the webhooks call: it must go on, and is to be closed at the end. */
  readonly receiver: WebhookReceiver;
}

export interface TellOptions {
  readonly data: string;
  /** LOADOUT_ADMIN_TOKEN. */
  readonly adminToken: string | null;
  /** See `PastOptions`. */
  readonly ownerTokenToFile?: boolean;
  /** When the story ends: milliseconds since the epoch. */
  readonly nowMs: number;
}

/** @throws CommandFailure, and what opening a data folder and its store throws */
export async function tellStory({ nowMs, ...options }: TellOptions): Promise<ToldGame> {
  const receiver = await startReceiver(storyTimeMs(nowMs, brokenSince));
  const server = await startPastServer({ ...options, startMs: storyTimeMs(nowMs, '25d 08:55') });
  try {
    const { url, ownerToken } = server;
    const place = {
      url,
      ownerToken: ownerToken ?? options.adminToken,
      receiverUrl: receiver.url,
    };
    const contents = demoContents(nowMs);
    const steps: StoryStep[] = [
      ...aroundSteps(place, nowMs),
      ...contents.flatMap((content) => contentSteps(content, nowMs)),
    ];
    const team = new Team();
    for (const { atMs, does } of steps.sort((a, b) => a.atMs - b.atMs)) {
      await server.passTo(atMs);
      await does(team);
      await server.settle();
    }
    await server.passTo(nowMs);
    return {
      contents: contents.filter(({ deleted }) => deleted === undefined).length,
      segments: new Set(segmentSaves.map(({ name }) => name)).size,
      ownerToken,
      ownerTokenFile: server.ownerTokenFile,
      editorToken: team.secret('token of mei'),
      viewerToken: team.secret('token of jonas'),
      stagingKey: team.secret(`key ${studioKey}`),
      productionKey: team.secret(`key ${liveKey}`),
      receiver,
    };
  } finally {
    await server.close();
  }
}
