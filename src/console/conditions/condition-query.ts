/**
 * Converts a condition to the tree of the visual builder, and back, without loss: values keep their spelling, members
 * their order, and parts without controls in the builder become rules that hold their source.
 */
import { type Node, parseTree } from 'jsonc-parser';
import { findGrammarIssue, positionAt } from '../parts/code/json-grammar.js';
import { prettyJson } from '../parts/code/pretty-json.js';
import { operatorOf, plainOperator } from './condition-operators.js';

/** `and`: all hold; `or`: any holds; `nor`: none holds; `not`: not all hold. */
export type Join = 'and' | 'or' | 'nor' | 'not';

export interface ConditionRule {
  id: string;
  field: string;
  /** `is`, `$gte`, …; `json`: `value` is a condition that the builder cannot show. */
  operator: string;
  /** JSON source. */
  value: string;
}

export interface ConditionGroup {
  id: string;
  combinator: Join;
  rules: ConditionNode[];
  /** Of `and`: written as `{"$and": [...]}`; left out, as members of one object. */
  isList?: boolean;
}

export type ConditionNode = ConditionRule | ConditionGroup;

/** The operator of a rule that is a condition as its source. */
export const jsonOperator = 'json';

const joinNames: ReadonlyMap<string, Join> = new Map([
  ['$and', 'and'],
  ['$or', 'or'],
  ['$nor', 'nor'],
  ['$not', 'not'],
]);

/** Deeper groups are shown as JSON: each level indents, and the server takes no more than 32. */
const groupLevelsMax = 8;

export interface ConditionIssue {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The query of a condition's source, or the reason why it is not one. */
export function readCondition(source: string): ConditionGroup | ConditionIssue {
  const issue = findGrammarIssue(source, { isStrict: true });
  if (issue !== null) return issueAt(source, issue.offset, issue.message);
  const tree = treeOf(source);
  if (tree === null) return issueAt(source, 0, 'This is nested too deeply.');
  if (tree === undefined) return issueAt(source, 0, 'Enter a condition; {} matches all players.');
  if (tree.type !== 'object') {
    return issueAt(source, tree.offset, 'A condition is an object, such as { "country": "DE" }.');
  }
  const reader = new Reader(source);
  const root = reader.condition(tree, 0);
  return 'rules' in root ? root : reader.group('and', [root]);
}

export function isIssue(read: ConditionGroup | ConditionIssue): read is ConditionIssue {
  return 'message' in read;
}

/**
 * One layout for all conditions, so that a comparison shows only real differences.
 * @param source JSON; what cannot be read stays as it is
 */
export function formatCondition(source: string): string {
  const read = readCondition(source);
  return isIssue(read) ? source : writeCondition(read);
}

const lineCharsMax = 88;

/** The source of a query. */
export function writeCondition(root: ConditionGroup): string {
  return prettyJson(conditionSource(root), lineCharsMax);
}

/** Undefined: the source is blank; null: it is nested deeper than the stack. */
function treeOf(source: string): Node | undefined | null {
  try {
    return parseTree(source, [], { disallowComments: true, allowEmptyContent: true });
  } catch {
    return null;
  }
}

function issueAt(source: string, offset: number, message: string): ConditionIssue {
  return { ...positionAt(source, offset), message };
}

class Reader {
  readonly #source: string;
  #ids = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** A whole condition, where one node stands for it. */
  condition(object: Node, level: number): ConditionNode {
    const nodes = this.#members(object, level);
    const [first] = nodes;
    return first !== undefined && nodes.length === 1 ? first : this.group('and', nodes);
  }

  group(combinator: Join, rules: ConditionNode[], isList = false): ConditionGroup {
    const group: ConditionGroup = { id: this.#id(), combinator, rules };
    if (isList) group.isList = true;
    return group;
  }

  #members(object: Node, level: number): ConditionNode[] {
    const members = membersOf(object);
    // A repeated name means its last value, which no list of rules says.
    if (hasRepeats(members)) return [this.#json(this.#sourceOf(object))];
    return members.flatMap((member) => this.#member(member, level));
  }

  #member(member: Member, level: number): ConditionNode[] {
    const { name, value } = member;
    const join = joinNames.get(name);
    if (join !== undefined) {
      const group = level < groupLevelsMax ? this.#joined(join, value, level + 1) : null;
      return [group ?? this.#memberAsJson(member)];
    }
    const operators = value.type === 'object' ? operatorsOf(value) : null;
    if (operators === null) {
      const isPlain = !name.startsWith('$') && !holdsOperator(value);
      return isPlain ? [this.#rule(name, plainOperator, value)] : [this.#memberAsJson(member)];
    }
    const isKnown =
      operators.every((one) => operatorOf(one.name) !== undefined) &&
      !hasRepeats(operators) &&
      operatorOf(name) === undefined;
    if (!isKnown) return [this.#memberAsJson(member)];
    return operators.map((one) => this.#rule(name, one.name, one.value));
  }

  #joined(join: Join, operand: Node, level: number): ConditionGroup | null {
    if (join === 'not') {
      return operand.type === 'object' ? this.group('not', this.#members(operand, level)) : null;
    }
    const elements = operand.type === 'array' ? (operand.children ?? []) : null;
    if (elements === null || elements.some(({ type }) => type !== 'object')) return null;
    const rules = elements.map((element) => this.condition(element, level));
    return this.group(join, rules, join === 'and');
  }

  #rule(field: string, operator: string, value: Node): ConditionRule {
    return { id: this.#id(), field, operator, value: this.#sourceOf(value) };
  }

  #memberAsJson({ node }: Member): ConditionRule {
    return this.#json(`{ ${this.#sourceOf(node)} }`);
  }

  #json(value: string): ConditionRule {
    return { id: this.#id(), field: '', operator: jsonOperator, value };
  }

  #sourceOf({ offset, length }: Node): string {
    return this.#source.slice(offset, offset + length);
  }

  #id(): string {
    return `c${this.#ids++}`;
  }
}

interface Member {
  readonly name: string;
  readonly node: Node;
  readonly value: Node;
}

function membersOf(object: Node): Member[] {
  return (object.children ?? []).flatMap((node) => {
    const [key, value] = node.children ?? [];
    return key === undefined || value === undefined
      ? []
      : [{ name: String(key.value), node, value }];
  });
}

function hasRepeats(members: readonly Member[]): boolean {
  return new Set(members.map(({ name }) => name)).size < members.length;
}

/** The operators of an object that holds nothing else; null for a value to be equal to. */
function operatorsOf(object: Node): Member[] | null {
  const members = membersOf(object);
  return members.length > 0 && members.every(({ name }) => name.startsWith('$')) ? members : null;
}

/** The server rejects operators beside members: they are shown as JSON, so that they can be fixed. */
function holdsOperator(value: Node): boolean {
  return value.type === 'object' && membersOf(value).some(({ name }) => name.startsWith('$'));
}

/** A member's value: its source, or the operators of an attribute with their sources. */
type MemberValue = string | readonly (readonly [operator: string, source: string])[];
type WrittenMember = readonly [name: string, value: MemberValue];

/** A whole condition, as an object. */
function conditionSource(node: ConditionNode): string {
  if ('rules' in node && node.combinator === 'and' && node.isList !== true) {
    return membersSource(node.rules);
  }
  if (!('rules' in node) && node.operator === jsonOperator) return node.value;
  return objectSource([memberOf(node)]);
}

function memberOf(node: ConditionNode): WrittenMember {
  if (!('rules' in node)) {
    const { field, operator, value } = node;
    return [field, operator === plainOperator ? value : [[operator, value]]];
  }
  if (node.combinator === 'not') return ['$not', membersSource(node.rules)];
  return [`$${node.combinator}`, listSource(node.rules)];
}

/** All of some nodes as one object; as a list if names would repeat, because the last one would win. */
function membersSource(nodes: readonly ConditionNode[]): string {
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) return conditionSource(only);
  const members = new Map<string, MemberValue>();
  for (const node of nodes) {
    const member = asMember(node);
    if (member === null || !join(members, member)) return `{ "$and": ${listSource(nodes)} }`;
  }
  return objectSource([...members]);
}

function listSource(nodes: readonly ConditionNode[]): string {
  return `[${nodes.map(conditionSource).join(', ')}]`;
}

function objectSource(members: readonly WrittenMember[]): string {
  const parts = members.map(([name, value]): string => {
    const source = typeof value === 'string' ? value : objectSource(value);
    return `${JSON.stringify(name)}: ${source}`;
  });
  return `{${parts.join(', ')}}`;
}

/** Joins two operators on one attribute: `{"level": {"$gte": 5, "$lt": 10}}`. */
function join(members: Map<string, MemberValue>, [name, value]: WrittenMember): boolean {
  const known = members.get(name);
  if (known === undefined) {
    members.set(name, value);
    return true;
  }
  if (typeof known === 'string' || typeof value === 'string') return false;
  const operators = new Map([...known, ...value]);
  members.set(name, [...operators]);
  return operators.size === known.length + value.length;
}

/** Null: it is not a single member. */
function asMember(node: ConditionNode): WrittenMember | null {
  if ('rules' in node || node.operator !== jsonOperator) return memberOf(node);
  const tree = parseTree(node.value);
  const members = tree?.type === 'object' ? membersOf(tree) : [];
  const [only] = members;
  if (only === undefined || members.length !== 1) return null;
  const { offset, length } = only.value;
  return [only.name, node.value.slice(offset, offset + length)];
}

export function countRules(node: ConditionNode): number {
  return 'rules' in node ? node.rules.reduce((sum, rule) => sum + countRules(rule), 0) : 1;
}
