/** Writes contents and targeting rules as texts: values stay byte for byte as the vendor stored them, and a diff reads well. */

import { pointerText } from '../../content/json/pointer-text.js';
import type { Condition } from './conditions.js';

/** What a rule does to one member of the content: gives it a value (JSON text), or removes it (null). */
export interface MemberChange {
  readonly name: string;
  readonly json: string | null;
}

export interface RuleVariant {
  readonly name: string;
  /** First and last bucket. */
  readonly groups: readonly [number, number];
  readonly changes: readonly MemberChange[];
}

/** A rule has `changes` or `variants`. */
export interface RuleParts {
  readonly segment: string;
  /** Null: the saved segment of that name. */
  readonly when: Condition | null;
  /** Milliseconds since the epoch; null: open. */
  readonly fromMs?: number | null;
  readonly untilMs?: number | null;
  readonly salt?: string | null;
  readonly changes?: readonly MemberChange[];
  readonly variants?: readonly RuleVariant[];
}

export function mappingText(rules: readonly RuleParts[]): string | null {
  if (rules.length === 0) return null;
  return `[\n${rules.map((rule) => `  ${ruleText(rule)}`).join(',\n')}\n]`;
}

function ruleText(rule: RuleParts): string {
  const members: string[] = [`"segment": ${JSON.stringify(rule.segment)}`];
  if (rule.when !== null) members.push(`"when": ${JSON.stringify(rule.when)}`);
  if (typeof rule.fromMs === 'number') members.push(`"from": "${isoOf(rule.fromMs)}"`);
  if (typeof rule.untilMs === 'number') members.push(`"until": "${isoOf(rule.untilMs)}"`);
  if (typeof rule.salt === 'string') members.push(`"salt": ${JSON.stringify(rule.salt)}`);
  if (rule.variants !== undefined) {
    const variants = rule.variants.map(({ name, groups, changes }) => {
      const parts = [`"name": ${JSON.stringify(name)}`, `"groups": [${groups.join(', ')}]`];
      return `      { ${[...parts, ...changesText(changes)].join(', ')} }`;
    });
    members.push(`"variants": [\n${variants.join(',\n')}\n    ]`);
  }
  members.push(...changesText(rule.changes ?? []));
  return `{\n    ${members.join(',\n    ')}\n  }`;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * As a merge where it says exactly this, which people read best. An object would be merged into the value that is there, and null
 * would remove it: those are written as a patch. It removes a member by adding it first, since there may be none.
 */
function changesText(changes: readonly MemberChange[]): string[] {
  if (changes.length === 0) return [];
  if (changes.every(({ json }) => json === null || isMergeable(json))) {
    const members = changes.map(({ name, json }) => `${JSON.stringify(name)}: ${json ?? 'null'}`);
    return [`"merge": { ${members.join(', ')} }`];
  }
  const operations = changes.flatMap(({ name, json }) => {
    const path = JSON.stringify(pointerText([name]));
    const add = `{ "op": "add", "path": ${path}, "value": ${json ?? 'null'} }`;
    return json === null ? [add, `{ "op": "remove", "path": ${path} }`] : [add];
  });
  return [`"patch": [${operations.join(', ')}]`];
}

function isMergeable(json: string): boolean {
  const first = json.trimStart()[0];
  return first !== '{' && first !== 'n';
}

export interface ContentMember {
  readonly name: string;
  /** JSON text. */
  readonly json: string;
  /** Becomes a comment. */
  readonly description: string;
}

const lineBreaks = /[\r\n\u2028\u2029]+/g;

export function contentText(members: readonly ContentMember[]): string {
  if (members.length === 0) return '{}\n';
  const lines = members.map(({ name, json, description }, index) => {
    const comment = description === '' ? '' : `  // ${description.replace(lineBreaks, ' ')}\n`;
    const comma = index === members.length - 1 ? '' : ',';
    return `${comment}  ${JSON.stringify(name)}: ${json}${comma}\n`;
  });
  return `{\n${lines.join('')}}\n`;
}
