/** What is typed as the text that players of a variant get, as the smallest change of the base. Pure. */
import { type Derived, deriveMutation } from '../../../content/derive/derive-mutation.js';
import { formedText } from '../../../content/derive/formed-text.js';
import { lineEffect } from '../../../content/derive/line-effects.js';
import { NotApplicable } from '../../../content/derive/plain-mutation.js';
import { readPlain } from '../../../content/derive/plain-text.js';
import { type PlainValue, printPlain, samePlain } from '../../../content/derive/plain-value.js';
import { TextIssue } from '../../../content/json/text-issue.js';
import { prettyJson } from '../../parts/code/pretty-json.js';
import { counted } from '../../parts/counted.js';
import { mutationLabels } from '../rules/rule-view.js';
import type { GridArm, GridLine } from './grid-model.js';
import { describeConversion } from './grid-words.js';

export type SeenEdit =
  | { readonly kind: 'issue'; readonly message: string }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'derived';
      readonly derived: Derived;
      /** Source of the mutation, laid out. */
      readonly source: string;
      /** What a person should know before it is applied. */
      readonly notices: readonly string[];
    };

const width = 72;

/** The text as players of the arm get it, in the form of the line's text. */
export function seenText(arm: GridArm, line: GridLine, index: number): string {
  const result = arm.columns[index]?.result ?? null;
  const { text, base } = line;
  if (base === null || result === null || result instanceof NotApplicable) return text;
  return formedText(text, base, result) ?? prettyJson(printPlain(result));
}

/** @param index of the version line that it was typed on */
export function deriveSeen(
  typed: string,
  arm: GridArm,
  lines: readonly GridLine[],
  index: number,
): SeenEdit {
  const wanted = readPlain(typed);
  if (wanted instanceof TextIssue) {
    const { line, column, message } = wanted;
    return { kind: 'issue', message: `Line ${line}, column ${column}: ${message}` };
  }
  const base = lines[index]?.base ?? null;
  if (base === null) return { kind: 'issue', message: 'The text of this version has an error.' };
  const result = arm.columns[index]?.result;
  if (result !== undefined && !(result instanceof NotApplicable) && samePlain(result, wanted)) {
    return { kind: 'unchanged' };
  }
  const derived = deriveMutation(base, wanted, arm.mutation);
  const source = prettyJson(printPlain(derived.mutation.value), width);
  return { kind: 'derived', derived, source, notices: noticesOf(derived, arm, lines, index, base) };
}

function noticesOf(
  derived: Derived,
  arm: GridArm,
  lines: readonly GridLine[],
  index: number,
  base: PlainValue,
): string[] {
  const notices: string[] = [];
  const { converted, mutation } = derived;
  if (converted !== null) notices.push(describeConversion(converted, arm.name));
  const foreign = arm.columns[index]?.foreign.length ?? 0;
  if (foreign > 0) {
    notices.push(
      `${counted(foreign, 'operation')} of ${arm.name} that the grid cannot show will be replaced by ${foreign === 1 ? 'its' : 'their'} current result.`,
    );
  }
  if (mutation.kind === 'replace') {
    notices.push(
      `${arm.name} replaces the whole text (${mutationLabels.replace}), on every version line.`,
    );
    return notices;
  }
  for (const [at, line] of lines.entries()) {
    if (at === index || line.base === null) continue;
    const edit = { before: arm.mutation, after: mutation };
    const effect = lineEffect(base, line.base, edit);
    if (effect.kind === 'different') {
      notices.push(`On version ${line.appVersion} it changes different places or values.`);
    } else if (effect.kind === 'missed') {
      notices.push(
        `It does not apply to version ${line.appVersion}: ${effect.reason}. Its players would get the text without it.`,
      );
    }
  }
  return notices;
}
