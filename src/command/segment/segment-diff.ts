/** `loadout segment diff`: shows what changed between two conditions of a segment. */

import type { Command } from 'commander';
import type {
  SegmentDiff,
  SegmentRevisionSummary,
} from '../../contract/operations/segment-history.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { formatPointers } from '../content/format-diff.js';
import { oneLine } from '../terminal/output.js';
import { parseRevision } from '../terminal/parse-option.js';

interface DiffOptions extends EnvironmentOptions {
  readonly from?: number;
  readonly to?: number;
  readonly text: boolean;
}

export function addSegmentDiff(segments: Command): void {
  withEnvironment(segments.command('diff <segment>'))
    .description('show what changed between two revisions of a condition')
    .option('--from <revision>', 'the older one; without it the one before', parseRevision)
    .option('--to <revision>', 'the newer one; without it the newest', parseRevision)
    .option('--text', 'the conditions as they were saved, as a unified diff', false)
    .action(showDiff);
}

async function showDiff(name: string, options: DiffOptions): Promise<void> {
  const { env, from, to } = options;
  const response = await openClient(options).request('GET /environments/:env/segments/:name/diff', {
    params: { env, name },
    query: { from, to },
  });
  printResponse(options, response, ({ value }) => formatSegmentDiff(value, options.text));
}

/** @param withText the unified diff in place of the JSON pointers */
export function formatSegmentDiff(diff: SegmentDiff, withText: boolean): string {
  const { name, from, to, pointers, pointersCut, text, textCut } = diff;
  const out = [`${name}: ${sideName(from)} -> ${sideName(to)}`];
  // Of the first revision there are no pointers: nothing was there to point into.
  if (withText || from === null) {
    if (text !== '') out.push(...text.split('\n').map((line) => `  ${oneLine(line)}`));
    if (textCut) out.push('  … and more');
  } else {
    out.push(...formatPointers(pointers, pointersCut));
    if (out.length === 1 && text !== '') out.push('Only the spelling changed: --text shows it.');
  }
  if (out.length === 1) out.push('No difference.');
  return `${out.join('\n')}\n`;
}

function sideName(side: SegmentRevisionSummary | null): string {
  if (side === null) return 'nothing';
  const current = side.current ? ' (current)' : '';
  const by = side.author === '' ? '' : ` by ${side.author}`;
  return oneLine(`revision ${side.revision}${current}${by}`);
}
