/** Formats the difference between two revisions of a segment's condition. */

import type {
  SegmentDiff,
  SegmentRevisionSummary,
} from '../../contract/operations/history/segment-history.js';
import { formatDiffLine, formatPointers } from '../client/format-change.js';
import { oneLine } from '../terminal/output.js';

/** @param withText a unified diff in place of JSON pointers */
export function formatSegmentDiff(diff: SegmentDiff, withText: boolean): string {
  const { name, from, to, pointers, pointersCut, text, textCut } = diff;
  const out = [`${name}: ${sideName(from)} -> ${sideName(to)}`];
  // The first revision has no pointers, because there is nothing before it to point into.
  if (withText || from === null) {
    if (text !== '') out.push(...text.split('\n').map(formatDiffLine));
    if (textCut) out.push('  … and more');
  } else {
    out.push(...formatPointers(pointers, pointersCut));
    if (out.length === 1 && text !== '') out.push('Only the formatting changed: --text shows it.');
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
