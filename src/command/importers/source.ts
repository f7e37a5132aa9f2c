/** Reads the JSON of an export: what is no JSON, repeats a name or nests too deep is rejected before anything is converted. */

import { pointerText } from '../../content/json/pointer-text.js';
import { TextIssue } from '../../content/json/text-issue.js';
import { parseTextTree, type TextNode, type TextTree } from '../../content/json/text-tree.js';
import { ConversionIssue } from './conversion.js';
import type { ReportBuilder } from './conversion-report.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Levels of objects and lists: no vendor's format has more than a dozen, but values may be JSON. */
const sourceLevelsMax = 200;

export interface Source {
  readonly value: JsonObject;
  /** The text of the value at a path that is there: its numbers keep their digits. */
  readonly textAt: (path: readonly string[]) => string;
}

/** @throws ConversionIssue */
export function parseSource(text: string): JsonObject {
  return readSource(text).value;
}

/** @throws ConversionIssue */
export function readSource(text: string): Source {
  const tree = parseTextTree(text, sourceLevelsMax);
  if (tree instanceof TextIssue) {
    throw new ConversionIssue(
      `It is not JSON: line ${tree.line}, column ${tree.column}: ${tree.message}`,
    );
  }
  rejectRepeatedNames(tree);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConversionIssue(`It is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (!isObject(value)) throw new ConversionIssue('It is no JSON object.');
  return { value, textAt: (path) => textOf(tree, path) };
}

function textOf({ text, root }: TextTree, path: readonly string[]): string {
  let node: TextNode | undefined = root;
  for (const name of path) node = childOf(node, name);
  return node === undefined ? 'null' : text.slice(node.start, node.end);
}

function childOf(node: TextNode | undefined, name: string): TextNode | undefined {
  if (node?.kind === 'array') return node.children[Number(name)];
  return node?.children.find((child) => child.name === name);
}

/** `JSON.parse` keeps the last of them: a parameter would be lost without a word. */
function rejectRepeatedNames({ text, root }: TextTree): void {
  const open: TextNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const names = new Set<string>();
    for (const child of node.children) {
      if (child.name !== null && names.has(child.name)) {
        const line = text.slice(0, child.keyStart).split('\n').length;
        throw new ConversionIssue(
          `It repeats the name ${JSON.stringify(child.name)} (line ${line}).`,
        );
      }
      if (child.name !== null) names.add(child.name);
      if (child.children.length > 0) open.push(child);
    }
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member as an object; absent and null: an empty one. */
export function objectIn(parent: JsonObject, name: string, path: readonly string[]): JsonObject {
  const value = parent[name] ?? {};
  if (!isObject(value)) throw mustBe([...path, name], 'an object');
  return value;
}

/** The member as a list of objects; absent and null: an empty one. */
export function objectsIn(
  parent: JsonObject,
  name: string,
  path: readonly string[],
): readonly JsonObject[] {
  const value = parent[name] ?? [];
  if (!Array.isArray(value) || !value.every(isObject)) {
    throw mustBe([...path, name], 'a list of objects');
  }
  return value;
}

export function textIn(parent: JsonObject, name: string, path: readonly string[]): string {
  const value = parent[name];
  if (typeof value !== 'string') throw mustBe([...path, name], 'a string');
  return value;
}

export function mustBe(path: readonly string[], wanted: string): ConversionIssue {
  return new ConversionIssue(`${pointerText(path)} must be ${wanted}.`);
}

/** What becomes of a member of the vendor's schema: the converter carries or reports it, or players get nothing of it. */
export type MemberUse = 'converted' | 'no-effect';

/** Reports members that the converter does not look at, and those that the vendor's schema did not have. */
export function checkMembers(
  value: JsonObject,
  known: Readonly<Record<string, MemberUse>>,
  name: string,
  path: readonly string[],
  report: ReportBuilder,
): void {
  for (const member of Object.keys(value)) {
    const use = Object.hasOwn(known, member) ? known[member] : undefined;
    const place = pointerText([...path, member]);
    if (use === undefined) {
      const message = `${member} is not in the schema that this converter follows; it is ignored`;
      report.add('left-out', name, place, message);
    } else if (use === 'no-effect') {
      report.add('no-effect', name, place, `${member} decides nothing that players get`);
    }
  }
}
