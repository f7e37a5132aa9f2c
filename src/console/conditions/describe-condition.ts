/** Describes a condition as a sentence, for lists: `country is one of US, CA and level is at least 10`. */
import { elementSources } from '../api/raw-json.js';
import { operatorOf, plainOperator, playerFields } from './condition-operators.js';
import {
  type ConditionGroup,
  type ConditionNode,
  type ConditionRule,
  isIssue,
  type Join,
  jsonOperator,
  readCondition,
} from './condition-query.js';
import { textOfSource } from './operand-source.js';

const elementsMax = 4;
const valueCharsMax = 40;

export function describeCondition(source: string): string {
  const read = readCondition(source);
  return isIssue(read) ? source : describeGroup(read, true);
}

const joins: Readonly<Record<Join, { readonly empty: string; readonly word: string }>> = {
  and: { empty: 'all players', word: ' and ' },
  or: { empty: 'all players', word: ' or ' },
  nor: { empty: 'no players', word: ' or ' },
  not: { empty: 'no players', word: ' and ' },
};

function describeGroup({ combinator, rules }: ConditionGroup, isRoot: boolean): string {
  const { empty, word } = joins[combinator];
  if (rules.length === 0) return empty;
  const text = rules.map((rule) => describeNode(rule)).join(word);
  if (combinator === 'nor' || combinator === 'not') return `not (${text})`;
  return isRoot || rules.length === 1 ? text : `(${text})`;
}

function describeNode(node: ConditionNode): string {
  return 'rules' in node ? describeGroup(node, false) : describeRule(node);
}

function describeRule({ field, operator, value }: ConditionRule): string {
  if (operator === jsonOperator) return cut(value);
  const name = playerFields.find((known) => known.name === field)?.label.split(',', 1)[0] ?? field;
  if (operator === '$not')
    return describeNot(field, value) ?? `${name} is not any of ${cut(value)}`;
  if (operator === '$elemMatch') return `${name} has an element ${describeElement(value)}`;
  const label = labelOf(field, operator);
  if (operator === '$exists' && (value === 'true' || value === 'false')) {
    return `${name} ${value === 'true' ? 'exists' : 'does not exist'}`;
  }
  return `${name} ${label} ${formatValue(value)}`;
}

/** The app version does not need the word version twice. */
function labelOf(field: string, operator: string): string {
  const label = operatorOf(operator)?.label ?? operator;
  return field === '@v' ? label.replace(versionPrefix, '') : label;
}

const versionPrefix = /^version /;

/** `not (level is at least 5)`; null: the operand is of no known form. */
function describeNot(field: string, operand: string): string | null {
  const read = readCondition(`{${JSON.stringify(field)}:${operand}}`);
  return isIssue(read) || holdsJson(read) ? null : `not (${describeGroup(read, true)})`;
}

/** `that is "beta"`, `with level is at least 5 and rank is 1`. */
function describeElement(operand: string): string {
  const read = readCondition(`{${JSON.stringify(elementName)}:${operand}}`);
  if (!isIssue(read) && !holdsJson(read) && read.rules.every(isTestOfElement)) {
    const tests = read.rules.map((rule) => describeNode(rule).slice(elementName.length + 1));
    return `that ${tests.join(' and ')}`;
  }
  const members = readCondition(operand);
  return `with ${isIssue(members) ? cut(operand) : describeGroup(members, true)}`;
}

const elementName = 'element';

/** An operand that is an object without operators is a condition on members, and read as a plain value. */
function isTestOfElement(node: ConditionNode): boolean {
  if ('rules' in node) return false;
  return node.operator !== plainOperator && !nestingOperators.has(node.operator);
}

const nestingOperators: ReadonlySet<string> = new Set(['$not', '$elemMatch']);

function holdsJson({ rules }: ConditionGroup): boolean {
  return rules.some((node) => ('rules' in node ? holdsJson(node) : node.operator === jsonOperator));
}

function formatValue(source: string): string {
  const elements = source.startsWith('[') ? elementSources(source) : null;
  if (elements === null) return cut(source.startsWith('"') ? formatText(source) : source);
  const shown = elements.slice(0, elementsMax).map(formatValue).join(', ');
  const more = elements.length - elementsMax;
  if (elements.length === 0) return 'nothing';
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Without quotation marks if it cannot be mistaken for something else. */
function formatText(source: string): string {
  const text = textOfSource(source);
  return plainText.test(text) ? text : source;
}

const plainText = /^\p{L}[\w.-]*$/u;

function cut(text: string): string {
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text;
}
