/** `loadout segment rollback`: saves an old condition again. */

import type { Command } from 'commander';
import type { AdminClient } from '../client/admin-client.js';
import { confirmDangerous } from '../client/confirm-dangerous.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
  withFleetWait,
  withYes,
} from '../client/connection.js';
import { printWarnings } from '../content/saved-content.js';
import { rawMember } from '../terminal/json-body.js';
import { parseRevision } from '../terminal/parse-option.js';
import { formatNames, planPut } from './segment-put.js';

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
  await confirmDangerous({
    client,
    env,
    name,
    yes,
    describe: () => describeReach(client, env, name, old),
  });
  const response = await client.request('POST /environments/:env/segments/:name/rollback', {
    params: { env, name },
    body: { revision: old },
  });
  printResponse(options, response, ({ value: { revision, reaches } }) => {
    const held = revision === old ? '' : `, with the condition of revision ${old}`;
    return `${name}: revision ${revision} is current${held}. It reaches ${formatNames(reaches)}.\n`;
  });
  printWarnings(response.value.warnings);
}

/** What of the live contents the old condition would change; null: nothing. */
async function describeReach(
  client: AdminClient,
  env: string,
  name: string,
  old: number,
): Promise<string | null> {
  const { text } = await client.request(
    'GET /environments/:env/segments/:name/revisions/:revision',
    {
      params: { env, name, revision: String(old) },
    },
  );
  const plan = await planPut(client, { env, name }, {}, { when: rawMember(text, 'when') });
  const { changed, reaches } = plan.value;
  if (!changed || reaches.length === 0) return null;
  return `This changes ${name}, which reaches what is live: ${formatNames(reaches)}.`;
}
