/** Words for people what a caller is given and why; the data is shown as it is delivered, cut where it is long. */

import type { RuleVerdict } from '../management/authoring/explain-rules.js';
import type { Answer } from './admin-client.js';
import type { EvaluationAnswer } from './answers.js';
import { rawMember } from './json-body.js';
import { formatBytes } from './progress.js';
import { type Column, formatTable } from './table.js';

/** Fits a screen. */
const shownCharsMax = 2_000;

const columns: readonly Column<RuleVerdict>[] = [
  { title: 'RULE', text: (rule) => rule.segment },
  { title: 'APPLIED', text: (rule) => (rule.applied ? 'yes' : 'no') },
  { title: 'VARIANT', text: (rule) => rule.variant ?? '' },
  { title: 'GROUP', text: (rule) => (rule.group === null ? '' : String(rule.group)) },
  { title: 'WHY', text: (rule) => rule.reason },
];

export function formatEvaluation({ value, text }: Answer<EvaluationAnswer>): string {
  const { id, revision, line, sizes } = value;
  if (line === null || sizes === null) {
    return `${id}, revision ${revision}: no line admits this app version, so delivery answers 404.\n`;
  }
  const data = `${formatBytes(sizes.jsonBytes)}, ${formatBytes(sizes.dataBytes)} for this caller`;
  return [
    `${id}, revision ${revision}, line ${line}: ${data}\n\n`,
    formatTable(columns, value.rules, 'It has no rules.'),
    // Cut out of the text, not printed from the value: 1.10 must not turn into 1.1.
    `\n${shorten(rawMember(text, 'answer'))}\n`,
  ].join('');
}

function shorten(text: string): string {
  if (text.length <= shownCharsMax) return text;
  const left = text.length - shownCharsMax;
  return `${text.slice(0, shownCharsMax)}… (${left} characters more; --json prints all)`;
}
