/** `loadout segment rollback`: saves an old condition again. */

import type { Command } from 'commander';
import { type AdminClient, adminPath } from './admin-client.js';
import type { SegmentPlanAnswer, SegmentSavedAnswer } from './answers.js';
import { confirmDangerous } from './confirm-dangerous.js';
import {
  type EnvironmentOptions,
  openClient,
  printAnswer,
  withEnvironment,
  withFleetWait,
  withYes,
} from './connection.js';
import { jsonBody, rawMember } from './json-body.js';
import { parseRevision } from './parse-option.js';
import { printWarnings } from './saved-content.js';
import { formatNames } from './segment-put.js';

interface RollbackOptions extends EnvironmentOptions {
  readonly yes: boolean;
}

export function addSegmentRollback(segments: Command): void {
  withYes(withFleetWait(withEnvironment(segments.command('rollback <segment>'))))
    .description('save an old condition again, as a new revision; undoes a deletion, too')
    .argument('<revision>', 'its number', parseRevision)
    .action(rollBackSegment);
}

async function rollBackSegment(name: string, old: number, options: RollbackOptions): Promise<void> {
  const { env, yes } = options;
  const client = openClient(options);
  const path = adminPath('environments', env, 'segments', name, 'rollback');
  await confirmDangerous({
    client,
    env,
    yes,
    describe: () => describeReach(client, env, name, old),
  });
  const body = JSON.stringify({ revision: old });
  const answer = await client.call<SegmentSavedAnswer>('POST', path, body);
  printAnswer(options, answer, ({ value: { revision, reaches } }) => {
    const held = revision === old ? '' : `, with the condition of revision ${old}`;
    return `${name}: revision ${revision} is current${held}. It reaches ${formatNames(reaches)}.\n`;
  });
  printWarnings(answer.value.warnings);
}

/** What of the live contents the old condition would change; null: nothing. */
async function describeReach(
  client: AdminClient,
  env: string,
  name: string,
  old: number,
): Promise<string | null> {
  const path = adminPath('environments', env, 'segments', name);
  const { text } = await client.call<unknown>('GET', `${path}/revisions/${old}`);
  const wish = jsonBody({ dryRun: true }, { when: rawMember(text, 'when') });
  const { changed, reaches } = (await client.call<SegmentPlanAnswer>('PUT', path, wish)).value;
  if (!changed || reaches.length === 0) return null;
  return `This changes ${name}, which reaches what is live: ${formatNames(reaches)}.`;
}
