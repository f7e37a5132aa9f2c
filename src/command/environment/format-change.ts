/** Words for people what a sync or import changes in one content, below the line that names it. */

import type { SyncedContent } from '../../contract/operations/sync.js';
import { formatPointers } from '../content/format-diff.js';

/** Each line indented by four; without the pointers where the server has not compared the texts. */
export function formatChange({
  lines,
  mapping,
  about,
}: Pick<SyncedContent, 'lines' | 'mapping' | 'about'>): string[] {
  const out: string[] = [];
  for (const line of lines) {
    const sameJson = line.change === 'changed' && line.oldHash === line.newHash;
    const what = sameJson ? 'only comments or white space' : line.change;
    out.push(`    line ${line.appVersion}: ${what}`);
    for (const pointer of formatPointers(line.pointers, line.pointersCut && !sameJson)) {
      out.push(`    ${pointer}`);
    }
  }
  if (mapping !== 'same') out.push(`    mapping ${mapping}`);
  if (about.length > 0) out.push(`    ${about.join(', ')}`);
  return out;
}
