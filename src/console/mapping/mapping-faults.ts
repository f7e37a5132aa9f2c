/** Which rule and field a fault is about, and where that stands in the text. */
import { parseTree } from 'jsonc-parser';
import type { ValidationIssue } from '../../contract/problems.js';
import { jsonIssue } from '../draft/json-issue.js';
import type { CodeMark } from '../parts/code/code-marks.js';
import { membersOf } from './json-source.js';

export interface RuleFault {
  /** In the rule: `when.$and[1]`, `variants[0].groups`; empty: the rule itself. */
  readonly path: string;
  readonly message: string;
}

const rulePath = /^mapping\[(\d+)\]\.?(.*)$/s;

/** The faults of one rule. */
export function faultsOfRule(faults: readonly ValidationIssue[], rule: number): RuleFault[] {
  const found: RuleFault[] = [];
  for (const { path, message } of faults) {
    const match = rulePath.exec(path);
    if (match !== null && Number(match[1]) === rule) found.push({ path: match[2] ?? '', message });
  }
  return found;
}

/** Those that are about the mapping and none of its rules. */
export function faultsOfList(faults: readonly ValidationIssue[]): ValidationIssue[] {
  return faults.filter(({ path }) => path.startsWith('mapping') && !rulePath.test(path));
}

/** Null when there is none about the field, or anything in it. */
export function faultOfField(faults: readonly RuleFault[], field: string): string | null {
  const found = faults.filter(({ path }) => isIn(path, field));
  if (found.length === 0) return null;
  return found
    .map(({ path, message }) => sentence(path === field ? '' : path.slice(field.length), message))
    .join(' ');
}

/** Those that no field of a form shows. */
export function faultsElsewhere(
  faults: readonly RuleFault[],
  fields: readonly string[],
): RuleFault[] {
  return faults.filter(({ path }) => !fields.some((field) => isIn(path, field)));
}

function isIn(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}

/** The server's messages go on from a path: "must be a list". */
function sentence(path: string, message: string): string {
  const words = path === '' ? message : `${path.replace(leadingDot, '')}: ${message}`;
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return endOfSentence.test(text) ? text : `${text}.`;
}

const leadingDot = /^\./;
const endOfSentence = /[.!?]$/;

export function faultWords({ path, message }: RuleFault): string {
  return sentence(path, message);
}

/** Where a value of a mapping is not JSON; none when it is. Comments and trailing commas are not. */
export function jsonMarks(text: string, what: string): CodeMark[] {
  const fault = jsonIssue(text, what);
  if (fault === null) return [];
  const { message, line = 1, column = 1 } = fault;
  return [{ line, column, message, severity: 'error' }];
}

/** The server's faults, at their places in the whole mapping's text. */
export function mappingMarks(
  text: string,
  faults: readonly ValidationIssue[],
  severity: CodeMark['severity'],
): CodeMark[] {
  const tree = parseTree(text);
  return faults
    .filter(
      ({ path }) =>
        path === 'mapping' || path.startsWith('mapping[') || path.startsWith('mapping.'),
    )
    .map(({ path, message, line, column }) => {
      const place =
        line === undefined ? placeOf(text, offsetOf(path)) : { line, column: column ?? 1 };
      return { ...place, message: mappingWords(path, message), severity };
    });

  /** As deep as the path can be followed: names may hold dots and brackets. */
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

/** Rules are counted from 1 for people. */
export function mappingWords(path: string, message: string): string {
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

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - start + 1 };
}
