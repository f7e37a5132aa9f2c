/** Words for people what a caller is given and why; the data is shown as it is delivered, cut where it is long. */

import type { Evaluation, RuleResult } from '../../contract/operations/evaluate.js';
import type { ClientResponse } from '../client/admin-client.js';
import { rawMember } from '../terminal/json-body.js';
import { oneLine } from '../terminal/output.js';
import { formatBytes } from '../terminal/progress.js';
import { type Column, formatTable } from '../terminal/table.js';

/** Fits a screen. */
const shownCharsMax = 2_000;

const columns: readonly Column<RuleResult>[] = [
  { title: 'RULE', text: (rule) => rule.segment },
  { title: 'APPLIED', text: (rule) => (rule.applied ? 'yes' : 'no') },
  { title: 'VARIANT', text: (rule) => rule.variant ?? '' },
  { title: 'GROUP', text: (rule) => (rule.group === null ? '' : String(rule.group)) },
  { title: 'WHY', text: (rule) => rule.reason },
];

export function formatEvaluation({ value, text }: ClientResponse<Evaluation>): string {
  const { line, lineReason, sizes } = value;
  const what = formatTriedOut(value);
  if (line === null || sizes === null) return `${what}: delivery answers 404. ${lineReason}\n`;
  const data = `${formatBytes(sizes.jsonBytes)}, ${formatBytes(sizes.dataBytes)} for this caller`;
  return [
    `${what}, line ${line}: ${data}\n\n`,
    formatTable(columns, value.rules, 'It has no rules.'),
    `\n${formatDelivered(text)}\n`,
  ].join('');
}

/** `shop, revision 4 with unsaved edits`. */
export function formatTriedOut(tried: {
  readonly id: string;
  readonly revision: number | null;
  readonly unsaved: boolean;
}): string {
  const { id, revision, unsaved } = tried;
  if (revision === null) return `${id}, not saved yet`;
  return `${id}, revision ${revision}${unsaved ? ' with unsaved edits' : ''}`;
}

/** `segment vip, revision 2`. */
export function formatSegment({ name, revision }: Evaluation['segments'][number]): string {
  return oneLine(`segment ${name}, revision ${revision}`);
}

/** Whether a time that was asked for is over: what was live then is shown. */
export function isPast(at: string | undefined): boolean {
  return at !== undefined && Date.parse(at) < Date.now();
}

/** The response of delivery. Cut out of the text, not printed from the value: 1.10 must not turn into 1.1. */
export function formatDelivered(text: string): string {
  const json = rawMember(text, 'answer');
  if (json.length <= shownCharsMax) return json;
  const left = json.length - shownCharsMax;
  return `${json.slice(0, shownCharsMax)}… (${left} characters more; --json prints all)`;
}
