/** `loadout segment rollback`: saves an old condition again. */

import type { Command } from 'commander';
import { adminPath } from './admin-client.js';
import type { SegmentSavedAnswer } from './answers.js';
import {
  type EnvironmentOptions,
  openClient,
  printAnswer,
  withEnvironment,
  withFleetWait,
} from './connection.js';
import { parseRevision } from './parse-option.js';
import { printWarnings } from './saved-content.js';
import { formatNames } from './segment-put.js';

export function addSegmentRollback(segments: Command): void {
  withFleetWait(withEnvironment(segments.command('rollback <segment>')))
    .description('save an old condition again, as a new revision; undoes a deletion, too')
    .argument('<revision>', 'its number', parseRevision)
    .action(rollBackSegment);
}

async function rollBackSegment(
  name: string,
  old: number,
  options: EnvironmentOptions,
): Promise<void> {
  const path = adminPath('environments', options.env, 'segments', name, 'rollback');
  const body = JSON.stringify({ revision: old });
  const answer = await openClient(options).call<SegmentSavedAnswer>('POST', path, body);
  printAnswer(options, answer, ({ value: { revision, reaches } }) => {
    const held = revision === old ? '' : `, with the condition of revision ${old}`;
    return `${name}: revision ${revision} is current${held}. It reaches ${formatNames(reaches)}.\n`;
  });
  printWarnings(answer.value.warnings);
}
