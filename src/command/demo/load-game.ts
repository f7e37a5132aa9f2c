/** Puts the demo game into a running server over its admin API, the way a team would: staging first, then a sync. */

import { type AdminClient, adminPath } from '../admin-client.js';
import { jsonBody, strictJson } from '../json-body.js';
import type { DemoContent } from './demo-content.js';
import { demoContents } from './demo-game.js';
import { demoSegments } from './segments.js';

export const stagingName = 'staging';
export const productionName = 'production';

export interface LoadedGame {
  readonly contents: number;
  readonly segments: number;
  readonly stagingKey: string;
  readonly productionKey: string;
}

/** `nowMs`: milliseconds since the epoch; the game's time windows lie around it. */
export async function loadGame(client: AdminClient, nowMs: number): Promise<LoadedGame> {
  // Production is not protected: whoever tries the demo should be able to edit it at once.
  await createEnvironment(client, stagingName, 'Staging');
  await createEnvironment(client, productionName, 'Production');
  for (const segment of demoSegments) {
    const body = jsonBody({ description: segment.description }, { when: segment.when });
    await client.call('PUT', inStaging('segments', segment.name), body);
  }
  const contents = demoContents(nowMs);
  for (const content of contents) await putContent(client, content);
  const sync = JSON.stringify({ from: stagingName });
  await client.call('POST', adminPath('environments', productionName, 'sync'), sync);
  return {
    contents: contents.length,
    segments: demoSegments.length,
    stagingKey: await createKey(client, stagingName),
    productionKey: await createKey(client, productionName),
  };
}

async function createEnvironment(client: AdminClient, id: string, name: string): Promise<void> {
  const body = JSON.stringify({ id, name, protected: false });
  await client.call('POST', adminPath('environments'), body);
}

async function putContent(client: AdminClient, content: DemoContent): Promise<void> {
  const { id, description, tags, lines, mapping } = content;
  for (const [index, line] of lines.entries()) {
    // The mapping comes with the last line: it is checked against all lines there are.
    const last = index === lines.length - 1;
    const body = jsonBody(
      { text: line.text, appVersion: line.appVersion, description, tags, note: 'The demo game.' },
      { mapping: last && mapping !== null ? strictJson(mapping, id) : undefined },
    );
    await client.call('PUT', inStaging('contents', id), body);
  }
}

async function createKey(client: AdminClient, environment: string): Promise<string> {
  const body = JSON.stringify({ label: 'demo' });
  const answer = await client.call<{ key: string }>(
    'POST',
    adminPath('environments', environment, 'keys'),
    body,
  );
  return answer.value.key;
}

function inStaging(...parts: readonly string[]): string {
  return adminPath('environments', stagingName, ...parts);
}
