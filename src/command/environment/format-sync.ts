/** Words for people what a sync did or would do: a line for each content, then what changes in it. */

import type { SyncedContent, SyncedSegment, SyncReport } from '../../contract/operations/sync.js';
import { oneLine } from '../terminal/output.js';
import { formatChange } from './format-change.js';

/** `+` added, `~` changed, `!` an edit in the target that is covered; then the counts. */
export function formatSync(report: SyncReport): string {
  const out: string[] = [];
  for (const segment of report.segments) out.push(...formatSegment(segment));
  for (const content of report.added) {
    out.push(`+ ${content.id} (revision ${content.fromRevision})`);
  }
  for (const content of report.changed) out.push(...formatChanged(content));
  for (const id of report.onlyHere) out.push(`  ${id} is only here and stays`);
  const counts = `${report.added.length} added, ${report.changed.length} changed, ${report.unchanged.length} unchanged`;
  out.push(report.dryRun ? `Would be: ${counts}. Nothing was changed.` : `Done: ${counts}.`);
  return `${out.join('\n')}\n`;
}

/** How many edits of the target a sync would cover. */
export function countConflicts({ added, changed, segments }: SyncReport): number {
  return [...added, ...changed, ...segments].filter(({ conflict }) => conflict).length;
}

function formatSegment(segment: SyncedSegment): string[] {
  const { name, change, before, after } = segment;
  const what =
    change === 'added' ? `+ segment ${name}: ${after}` : `~ segment ${name}: ${before} -> ${after}`;
  return [oneLine(what), ...formatConflict(segment)];
}

function formatChanged(content: SyncedContent): string[] {
  const { id, fromRevision, toRevision } = content;
  const head = `~ ${id} (revision ${fromRevision} over ${toRevision ?? 'none'})`;
  return [head, ...formatConflict(content), ...formatChange(content)];
}

function formatConflict({
  conflict,
  edited,
}: Pick<SyncedContent, 'conflict' | 'edited'>): string[] {
  if (!conflict) return [];
  const who = edited === null ? '' : ` by ${edited.author}, ${edited.at}`;
  return [oneLine(`    ! edited here${who}: the sync covers it`)];
}
