/** Words for people what a sync did or would do: a line for each content, then what changes in it. */

import type { LineChange } from '../management/authoring/diff-content.js';
import type { PointerChange } from '../management/authoring/diff-pointers.js';
import type { SyncedContent, SyncReport } from '../management/authoring/sync.js';
import { oneLine } from './output.js';

/** `+` added, `~` changed; then the counts. */
export function formatSync(report: SyncReport, dryRun: boolean): string {
  const lines: string[] = [];
  for (const segment of report.segments) {
    lines.push(`${segment.change === 'added' ? '+' : '~'} segment ${segment.name}`);
  }
  for (const content of report.added) {
    lines.push(`+ ${content.id} (revision ${content.fromRevision})`);
  }
  for (const content of report.changed) lines.push(...formatChanged(content));
  for (const id of report.onlyHere) lines.push(`  ${id} is only here and stays`);
  const counts = `${report.added.length} added, ${report.changed.length} changed, ${report.unchanged.length} unchanged`;
  lines.push(dryRun ? `Would be: ${counts}. Nothing was changed.` : `Done: ${counts}.`);
  return `${lines.join('\n')}\n`;
}

function formatChanged(content: SyncedContent): string[] {
  const { id, fromRevision, toRevision, mapping } = content;
  const lines = [`~ ${id} (revision ${fromRevision} over ${toRevision ?? 'none'})`];
  for (const line of content.lines) lines.push(...formatLine(line));
  if (mapping !== 'same') lines.push(`    mapping ${mapping}`);
  return lines;
}

function formatLine(line: LineChange): string[] {
  const sameJson = line.change === 'changed' && line.oldHash === line.newHash;
  const what = sameJson ? 'only comments or white space' : line.change;
  const lines = [`    line ${line.appVersion}: ${what}`];
  for (const pointer of line.pointers) lines.push(`      ${formatPointer(pointer)}`);
  if (line.pointersCut) lines.push('      … and more');
  return lines;
}

function formatPointer({ path, change }: PointerChange): string {
  const sign = { added: '+', changed: '~', removed: '-' }[change];
  return oneLine(`${sign} ${path === '' ? '(the whole document)' : path}`);
}
