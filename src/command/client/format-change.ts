/** Formats changes of contents and segments for diffs, syncs and imports. */

import type { SyncedContent } from '../../contract/operations/sync.js';
import type { PointerChange } from '../../contract/schemas/changes.js';
import { coloured, type Tone } from '../terminal/colour.js';
import { oneLine } from '../terminal/output.js';

/** Below the line that names the content; without pointers where the server has not compared the texts. */
export function formatChange({
  lines,
  mapping,
  flags,
  about,
}: Pick<SyncedContent, 'lines' | 'mapping' | 'flags' | 'about'>): string[] {
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
  // A server of an earlier version does not say.
  if (flags !== undefined && flags !== 'same') out.push(`    flags ${flags}`);
  if (about.length > 0) out.push(`    ${about.join(', ')}`);
  return out;
}

const changeTones: Readonly<Record<string, Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'attention',
};

/** A line of a unified diff, indented by two. */
export function formatDiffLine(line: string): string {
  const tone = line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : null;
  return `  ${coloured(tone, oneLine(line))}`;
}

/** A line for each pointer, indented by two. */
export function formatPointers(pointers: readonly PointerChange[], cut: boolean): string[] {
  const out = pointers.map(
    (pointer) => `  ${coloured(changeTones[pointer.change] ?? null, formatPointer(pointer))}`,
  );
  if (cut) out.push('  … and more');
  return out;
}

/** `~ /gems: 100 -> 120`. */
export function formatPointer({ path, change, before, after }: PointerChange): string {
  const where = path === '' ? '(the whole document)' : path;
  if (change === 'added') return oneLine(`+ ${where}: ${after}`);
  if (change === 'removed') return oneLine(`- ${where}: ${before}`);
  return oneLine(`~ ${where}: ${before} -> ${after}`);
}
