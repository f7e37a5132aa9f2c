/** Formats an evaluation: what a player gets and why. The data is shown as delivered, cut where it is long. */

import type { Evaluation } from '../../contract/operations/evaluate.js';
import type { RuleOutcome, RuleResult } from '../../contract/schemas/rule-result.js';
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
  if (line === null || sizes === null)
    return `${what}: delivery responds with 404. ${lineReason}\n`;
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
function formatDelivered(text: string): string {
  const json = rawMember(text, 'answer');
  if (json.length <= shownCharsMax) return json;
  const left = json.length - shownCharsMax;
  return `${json.slice(0, shownCharsMax)}… (${left} characters more; --json prints all)`;
}

export function formatExplanation({ value, text }: ClientResponse<Evaluation>): string {
  const { line, lineReason, uid, mod, at, rules, sizes } = value;
  const lines = [
    `${formatTriedOut(value)}, at ${at}`,
    line === null ? `Delivery responds with 404. ${lineReason}` : `Line ${line}. ${lineReason}`,
    `The user's number is ${uid}, so the group is ${mod} where a rule has no salt.`,
    '',
    ...(rules.length === 0 && line !== null ? ['It has no rules.', ''] : rules.flatMap(formatRule)),
  ];
  if (sizes !== null) {
    const { textBytes, jsonBytes, dataBytes, answerBytes, gzipBytes } = sizes;
    lines.push(
      `Text ${formatBytes(textBytes)}; plain response ${formatBytes(jsonBytes)}; with the rules ${formatBytes(dataBytes)}, wrapped ${formatBytes(answerBytes)}, compressed about ${formatBytes(gzipBytes)}.`,
      '',
      formatDelivered(text),
    );
  }
  return `${lines.join('\n')}\n`;
}

function formatRule(rule: RuleResult): string[] {
  const variant = rule.variant === null ? '' : `, variant ${oneLine(rule.variant)}`;
  const title = `${rule.rule + 1}. ${oneLine(rule.segment)}: ${outcomeTexts[rule.outcome]}${variant}`;
  return [title, `   ${oneLine(rule.reason)}`, ''];
}

const outcomeTexts: Readonly<Record<RuleOutcome, string>> = {
  applied: 'applied',
  condition_failed: 'not applied, its condition does not match',
  not_open_yet: 'not applied, it is not open yet',
  closed: 'not applied, it is over',
  layer_missing: 'not applied, its layer is missing',
  no_user_id: 'not applied, a layer has no users without an id',
  outside_slice: 'not applied, the user is outside its slice of the layer',
  held_out: 'not applied, the user is held out',
  segment_missing: 'not applied, its segment is missing',
  group_not_in_test: "not applied, no variant takes the user's group",
  mutation_missed: 'left out, its change could not apply',
};
