/** Assigns the server's issues to rules, their fields and their places in the text. */
import { parseTree } from 'jsonc-parser';
import type { ValidationIssue } from '../../contract/problems.js';
import { isJson } from '../api/raw-json.js';
import type { CodeMark } from '../parts/code/code-marks.js';
import { findGrammarIssue, positionAt } from '../parts/code/json-grammar.js';
import { membersOf } from './rules/json-source.js';

export interface RuleIssue {
  /** In the rule: `when.$and[1]`, `variants[0].groups`; empty: the rule itself. */
  readonly path: string;
  readonly message: string;
}

const rulePath = /^mapping\[(\d+)\]\.?(.*)$/s;

/** The issues of one rule. */
export function issuesOfRule(issues: readonly ValidationIssue[], rule: number): RuleIssue[] {
  const found: RuleIssue[] = [];
  for (const { path, message } of issues) {
    const match = rulePath.exec(path);
    if (match !== null && Number(match[1]) === rule) found.push({ path: match[2] ?? '', message });
  }
  return found;
}

/** The issues of the list itself, not of a rule in it. */
export function issuesOfList(issues: readonly ValidationIssue[]): ValidationIssue[] {
  return issues.filter(({ path }) => path.startsWith('mapping') && !rulePath.test(path));
}

/** The messages of a field and of anything in it; null: there are none. */
export function errorOfField(issues: readonly RuleIssue[], field: string): string | null {
  const found = issues.filter(({ path }) => isIn(path, field));
  if (found.length === 0) return null;
  return found
    .map(({ path, message }) => sentence(path === field ? '' : path.slice(field.length), message))
    .join(' ');
}

/** The issues that no field of a form shows. */
export function issuesElsewhere(
  issues: readonly RuleIssue[],
  fields: readonly string[],
): RuleIssue[] {
  return issues.filter(({ path }) => !fields.some((field) => isIn(path, field)));
}

function isIn(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}

/** The server's messages continue a path: "must be a list". */
function sentence(path: string, message: string): string {
  const words = path === '' ? message : `${path.replace(leadingDot, '')}: ${message}`;
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return endOfSentence.test(text) ? text : `${text}.`;
}

const leadingDot = /^\./;
const endOfSentence = /[.!?]$/;

export function describeIssue({ path, message }: RuleIssue): string {
  return sentence(path, message);
}

/** A mark where a value is not JSON, which has neither comments nor trailing commas; empty when it is. */
export function jsonMarks(text: string): CodeMark[] {
  if (isJson(text)) return [];
  const { offset, message } = findGrammarIssue(text, { isStrict: true }) ?? {
    offset: 0,
    message: text.trim() === '' ? 'Missing value.' : 'This is not JSON.',
  };
  return [{ ...positionAt(text, offset), message, severity: 'error' }];
}

/** The server's issues at their places in the text of all rules. */
export function mappingMarks(
  text: string,
  issues: readonly ValidationIssue[],
  severity: CodeMark['severity'],
): CodeMark[] {
  const tree = parseTree(text);
  return issues
    .filter(({ path }) => isIn(path, 'mapping'))
    .map(({ path, message, line, column }) => {
      const place =
        line === undefined ? positionAt(text, offsetOf(path)) : { line, column: column ?? 1 };
      return { ...place, message: describeMappingIssue(path, message), severity };
    });

  /** Follows the path as far as possible: names may contain dots and brackets. */
  function offsetOf(path: string): number {
    let node = tree;
    let rest = path.slice('mapping'.length);
    while (node !== undefined && rest !== '') {
      const [inner, step] = stepInto(node, rest);
      if (inner === undefined) break;
      node = inner;
      rest = rest.slice(step);
    }
    return node?.offset ?? 0;
  }
}

/** Counts rules from 1, as people do. */
export function describeMappingIssue(path: string, message: string): string {
  const match = rulePath.exec(path);
  if (match === null) return sentence('', message);
  const place = `Rule ${Number(match[1]) + 1}`;
  return sentence(match[2] ? `${place}, ${match[2]}` : place, message);
}

const elementStep = /^\[(\d+)\]/;
type JsonNode = NonNullable<ReturnType<typeof parseTree>>;

function stepInto(node: JsonNode, rest: string): readonly [JsonNode | undefined, number] {
  const index = elementStep.exec(rest);
  if (node.type === 'array' && index !== null) {
    return [node.children?.[Number(index[1])], index[0].length];
  }
  let found: JsonNode | undefined;
  let length = 0;
  for (const [name, { value }] of membersOf(node)) {
    if (name.length + 1 > length && isIn(rest, `.${name}`)) {
      found = value;
      length = name.length + 1;
    }
  }
  return [found, length];
}
