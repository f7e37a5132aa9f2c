/** Words for people what an import did or would do: a line for each content, then what changes in it. */

import type { ImportReport } from '../../contract/operations/transfer.js';
import { formatProblemError } from '../client/problem.js';
import { formatChange } from '../environment/format-change.js';
import { oneLine } from '../terminal/output.js';

const signs = { added: '+', changed: '~', removed: '-' } as const;

/** `+` added, `~` changed, `-` removed; then the counts, and what can hardly be meant. */
export function formatImport(report: ImportReport): string {
  const out: string[] = [];
  for (const { name, change } of report.segments)
    out.push(oneLine(`${signs[change]} segment ${name}`));
  for (const content of report.contents) {
    out.push(`${signs[content.change]} ${content.id}`);
    if (content.change === 'changed') out.push(...formatChange(content));
  }
  if (report.contentsCut) out.push('  … and more');
  for (const warning of report.warnings) out.push(`warning: ${formatProblemError(warning)}`);
  const { added, changed, unchanged, removed } = report.counts;
  const counts = `${added} added, ${changed} changed, ${unchanged} unchanged, ${removed} removed`;
  out.push(report.dryRun ? `Would be: ${counts}. Nothing was changed.` : `Done: ${counts}.`);
  return `${out.join('\n')}\n`;
}
