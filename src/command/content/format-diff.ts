/** Formats the difference between two revisions of a content. */

import type {
  ContentDiff,
  DiffSide,
  LineDiff,
  RuleDiff,
} from '../../contract/operations/history/content-history.js';
import { formatDiffLine, formatPointers } from '../client/format-change.js';
import { oneLine } from '../terminal/output.js';

/** @param withText the unified diff of each line's text in place of its JSON pointers */
export function formatDiff(
  { id, from, to, lines, mapping, flags }: ContentDiff,
  withText: boolean,
): string {
  const out = [`${id}: ${sideName(from)} -> ${sideName(to)}`];
  for (const line of lines) out.push(...formatLine(line, withText));
  if (mapping.change !== 'same') out.push(`mapping ${mapping.change}`);
  for (const rule of mapping.rules) out.push(...formatRule(rule));
  out.push(...formatFlags(flags));
  if (out.length === 1) out.push('No difference.');
  return `${out.join('\n')}\n`;
}

/** @param flags undefined: a server of an earlier version does not say */
function formatFlags(flags: ContentDiff['flags'] | undefined): string[] {
  if (flags === undefined || flags.change === 'same') return [];
  const { change, added, removed } = flags;
  const isMoved = added.length + removed.length === 0;
  return [
    `flags ${isMoved ? 'in another order' : change}`,
    ...added.map((flag) => oneLine(`  + ${JSON.stringify(flag)}`)),
    ...removed.map((flag) => oneLine(`  - ${JSON.stringify(flag)}`)),
  ];
}

function sideName(side: DiffSide | null): string {
  if (side === null) return 'nothing';
  return oneLine(`revision ${side.revision}${side.live ? ' (live)' : ''} by ${side.author}`);
}

function formatLine(line: LineDiff, withText: boolean): string[] {
  const sameJson = line.change === 'changed' && line.oldHash === line.newHash;
  const what = sameJson ? 'only comments or white space changed' : line.change;
  const out = [`line ${line.appVersion}: ${what}`];
  if (withText) {
    out.push(...line.text.split('\n').map(formatDiffLine));
    if (line.textCut) out.push('  … and more');
  } else {
    out.push(...formatPointers(line.pointers, line.pointersCut));
  }
  return out;
}

function formatRule(rule: RuleDiff): string[] {
  const sign = { added: '+', changed: '~', moved: '>', removed: '-' }[rule.change];
  const place = [rule.from, rule.to].map((index) => (index === null ? '' : `#${index}`));
  const where = rule.from === rule.to ? place[0] : place.filter((text) => text !== '').join(' -> ');
  const head = oneLine(`  ${sign} rule ${rule.segment} (${where})`);
  return [head, ...formatPointers(rule.pointers, rule.pointersCut).map((line) => `  ${line}`)];
}
