/** `loadout release diff`: what each change of a release does to what is live. */

import type { Command } from 'commander';
import type { ReleaseChange } from '../../contract/schemas/release.js';
import type { AdminClient } from '../client/admin-client.js';
import { type ConnectionOptions, openClient, printResponse } from '../client/connection.js';
import { formatDiff } from '../content/format-diff.js';
import { formatSegmentDiff } from '../segment/format-segment-diff.js';
import { rawMember } from '../terminal/json-body.js';
import { formatChange } from './format-release.js';
import { addReleaseCommand, paramsOf, readRelease } from './release-options.js';

interface DiffOptions extends ConnectionOptions {
  readonly text: boolean;
}

/** What one change does: as text for people, and the server's response (`null` where it has none). */
interface ShownChange {
  readonly text: string;
  readonly json: string;
}

type ContentChange = Extract<ReleaseChange, { readonly kind: 'content' }>;
type SegmentChange = Extract<ReleaseChange, { readonly kind: 'segment' }>;

export function addReleaseDiff(releases: Command): void {
  addReleaseCommand(releases, 'diff', 'show what each change does to what is live')
    .option('--text', 'compare the texts with their comments, as unified diffs', false)
    .action(diffRelease);
}

async function diffRelease(env: string, number: number, options: DiffOptions): Promise<void> {
  const client = openClient(options);
  const { changes } = (await readRelease(client, paramsOf(env, number))).value;
  const shown: ShownChange[] = [];
  for (const change of changes) shown.push(await showChange(client, env, change, options.text));
  const items = shown.map(
    ({ json }, at) => `{"change":${JSON.stringify(changes[at])},"diff":${json}}`,
  );
  const text = `{"changes":[${items.join(',')}]}`;
  printResponse(options, { value: null, text }, () =>
    shown.length === 0 ? 'No changes.\n' : shown.map((one) => one.text).join('\n'),
  );
}

async function showChange(
  client: AdminClient,
  env: string,
  change: ReleaseChange,
  withText: boolean,
): Promise<ShownChange> {
  const conflict = change.conflict ? `${formatChange(change)}\n` : '';
  const { text, json } = await diffChange(client, env, change, withText);
  return { text: conflict + text, json };
}

async function diffChange(
  client: AdminClient,
  env: string,
  change: ReleaseChange,
  withText: boolean,
): Promise<ShownChange> {
  if (change.kind === 'segment') return diffSegment(client, env, change, withText);
  if (change.kind === 'content' && change.revision !== null) {
    return diffContent(client, env, { ...change, revision: change.revision }, withText);
  }
  return { text: `${formatChange(change)}\n`, json: 'null' };
}

async function diffContent(
  client: AdminClient,
  env: string,
  { id, live, revision }: ContentChange & { readonly revision: number },
  withText: boolean,
): Promise<ShownChange> {
  const response = await client.request('GET /environments/:env/contents/:id/diff', {
    params: { env, id },
    query: { from: live ?? 0, to: revision },
  });
  return { text: formatDiff(response.value, withText), json: response.text };
}

/** A segment that is not live has nothing to compare with: its condition is shown. */
async function diffSegment(
  client: AdminClient,
  env: string,
  { name, live, revision }: SegmentChange,
  withText: boolean,
): Promise<ShownChange> {
  if (live === null) {
    const { text } = await client.request(
      'GET /environments/:env/segments/:name/revisions/:revision',
      { params: { env, name, revision: String(revision) } },
    );
    return {
      text: `${name}: nothing -> revision ${revision}\n  ${rawMember(text, 'when')}\n`,
      json: text,
    };
  }
  const response = await client.request('GET /environments/:env/segments/:name/diff', {
    params: { env, name },
    query: { from: live, to: revision },
  });
  return { text: formatSegmentDiff(response.value, withText), json: response.text };
}
