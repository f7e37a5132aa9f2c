/** Tells people in sentences why a caller is given what they are given, rule by rule. */

import type { Evaluation, RuleOutcome, RuleResult } from '../../contract/operations/evaluate.js';
import type { ClientResponse } from '../client/admin-client.js';
import { oneLine } from '../terminal/output.js';
import { formatBytes } from '../terminal/progress.js';
import { formatDelivered, formatTriedOut } from './format-evaluation.js';

export function formatExplanation({ value, text }: ClientResponse<Evaluation>): string {
  const { line, lineReason, uid, mod, at, rules, sizes } = value;
  const lines = [
    `${formatTriedOut(value)}, at ${at}`,
    line === null ? `Delivery answers 404. ${lineReason}` : `Line ${line}. ${lineReason}`,
    `The user's number is ${uid}, so the group is ${mod} where a rule has no salt.`,
    '',
    ...(rules.length === 0 && line !== null ? ['It has no rules.', ''] : rules.flatMap(formatRule)),
  ];
  if (sizes !== null) {
    const { textBytes, jsonBytes, dataBytes, answerBytes, gzipBytes } = sizes;
    lines.push(
      `Text ${formatBytes(textBytes)}; plain answer ${formatBytes(jsonBytes)}; with the rules ${formatBytes(dataBytes)}, wrapped ${formatBytes(answerBytes)}, compressed about ${formatBytes(gzipBytes)}.`,
      '',
      formatDelivered(text),
    );
  }
  return `${lines.join('\n')}\n`;
}

function formatRule(rule: RuleResult): string[] {
  const variant = rule.variant === null ? '' : `, variant ${oneLine(rule.variant)}`;
  const title = `${rule.rule + 1}. ${oneLine(rule.segment)}: ${outcomeWords[rule.outcome]}${variant}`;
  return [title, `   ${oneLine(rule.reason)}`, ''];
}

const outcomeWords: Readonly<Record<RuleOutcome, string>> = {
  applied: 'applied',
  condition_failed: 'not applied, its condition does not match',
  not_open_yet: 'not applied, it has not begun',
  closed: 'not applied, it is over',
  segment_missing: 'not applied, its segment is missing',
  group_not_in_test: "not applied, no variant takes the user's group",
  mutation_missed: 'left out, its change could not apply',
};
