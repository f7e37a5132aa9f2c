/** Conditions that converters put together, as JSON values. Absence never matches: that is what the vendors' SDKs agree on. */

import { compileCondition } from '../../content/condition/condition.js';

export type Condition = Readonly<Record<string, unknown>>;

export const always: Condition = {};
export const never: Condition = { $not: {} };

/** Written as one object where no name stands twice. */
export function allOf(conditions: readonly Condition[]): Condition {
  const parts = conditions.filter((each) => Object.keys(each).length > 0);
  const names = parts.flatMap((each) => Object.keys(each));
  if (new Set(names).size === names.length) return Object.assign({}, ...parts);
  return { $and: parts };
}

/** An empty `$or` would hold for everyone. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const [first] = conditions;
  if (first === undefined) return never;
  return conditions.length === 1 ? first : { $or: conditions };
}

export function not(condition: Condition): Condition {
  return { $not: condition };
}

export function present(attribute: string): Condition {
  return { [attribute]: { $exists: true } };
}

/** The attribute's text is one of `texts`. A number or boolean counts as its text, as it does for the vendors. */
export function textIsIn(attribute: string, texts: readonly string[]): Condition {
  const others = texts.filter((text) => attribute !== '@u' && isWord(text));
  return { [attribute]: { $in: [...texts, ...others.map((text) => JSON.parse(text))] } };
}

/** Whether a number or boolean has this text. */
function isWord(text: string): boolean {
  const isNumber = text !== '' && String(Number(text)) === text && Number.isFinite(Number(text));
  return isNumber || text === 'true' || text === 'false';
}

/** The attribute's text contains a match of one of `patterns`, in the syntax of RE2. */
export function textMatches(attribute: string, patterns: readonly string[]): Condition {
  const tests = patterns.map((pattern) => ({ [attribute]: { $exists: true, $regex: pattern } }));
  return anyOf(tests);
}

const special = /[\\^$.*+?()[\]{}|]/g;

export function escapePattern(text: string): string {
  return text.replace(special, '\\$&');
}

/** A pattern longer than this is split: a condition takes 1,000 characters in each. */
const patternCharsMax = 800;

/** One pattern that any of the texts matches, or several where they are long. */
export function patternsOf(texts: readonly string[], before = '', after = ''): readonly string[] {
  const patterns: string[] = [];
  let open: string[] = [];
  let chars = 0;
  const close = (): void => {
    const inside = open.length === 1 ? (open[0] ?? '') : `(?:${open.join('|')})`;
    if (open.length > 0) patterns.push(`${before}${inside}${after}`);
    open = [];
    chars = 0;
  };
  for (const text of texts.map(escapePattern)) {
    if (chars + text.length > patternCharsMax) close();
    open.push(text);
    chars += text.length + 1;
  }
  close();
  return patterns;
}

/** Why Loadout would not admit the condition; null: it does. */
export function conditionProblem(condition: Condition): string | null {
  const warnings: { readonly message: string }[] = [];
  const compiled = compileCondition(condition, warnings as Parameters<typeof compileCondition>[1]);
  if (typeof compiled !== 'function') return compiled[0]?.message ?? 'it is rejected';
  return warnings[0]?.message ?? null;
}
