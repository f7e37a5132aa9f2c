/**
 * Clauses as conditions. LaunchDarkly compares without converting types, looks at each element of a list, and takes a clause on an
 * absent attribute for false, negated or not.
 */

import { tokensOf } from '../../../content/json/pointer-text.js';
import { allOf, anyOf, type Condition, never, not, patternsOf, present } from '../conditions.js';
import { attributeName } from '../names.js';
import { NotCarried } from '../not-carried.js';
import type { JsonObject } from '../source.js';

export interface ClauseRemarks {
  differs(message: string): void;
  reads(path: string, meaning: string): void;
}

/** Of another kind of context than `user` the attributes are members of an object of that name. */
export function contextKey(kind: unknown): string {
  return typeof kind === 'string' && kind !== '' && kind !== 'user'
    ? `${attributeName(kind)}.key`
    : '@u';
}

function pathOf({ attribute, contextKind }: JsonObject): string {
  if (typeof attribute !== 'string' || attribute === '')
    throw new NotCarried('a clause has no attribute');
  if (attribute === 'kind') throw new NotCarried('it tests the kind of the context');
  const isReference = typeof contextKind === 'string' && attribute.startsWith('/');
  const names = isReference ? tokensOf(attribute) : [attribute];
  if (names === null) throw new NotCarried(`${attribute} is no reference to an attribute`);
  const key = contextKey(contextKind);
  if (names.length === 1 && names[0] === 'key') return key;
  const root = key === '@u' ? [] : [key.slice(0, -'.key'.length)];
  return [...root, ...names.map(attributeName)].join('.');
}

/** A release: other versions are compared otherwise here. */
const release = '^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)$';
const versionText = /^\d+(?:\.\d+){0,2}(?![.\d])/;
const dateText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d(?::\d\d)?)/;

const orders: Readonly<Record<string, string>> = {
  lessThan: '$lt',
  lessThanOrEqual: '$lte',
  greaterThan: '$gt',
  greaterThanOrEqual: '$gte',
};
const versionOrders: Readonly<Record<string, string>> = {
  semVerEqual: '$veq',
  semVerLessThan: '$vlt',
  semVerGreaterThan: '$vgt',
};

/** @throws NotCarried */
export function clauseCondition(clause: JsonObject, remarks: ClauseRemarks): Condition {
  const path = pathOf(clause);
  const values = Array.isArray(clause['values']) ? clause['values'] : [];
  const isNegated = clause['negate'] === true;
  remarks.reads(
    path,
    path === '@u' ? 'key of the user' : `attribute ${String(clause['attribute'])}`,
  );
  if (path === 'anonymous' || path.endsWith('.anonymous'))
    return anonymity(path, clause, values, isNegated);
  const condition = testOf(path, String(clause['op']), values, remarks);
  return isNegated ? allOf([present(path), not(condition)]) : condition;
}

/** Absent, it is false; it is the only attribute that always has a value. */
function anonymity(
  path: string,
  { op }: JsonObject,
  values: readonly unknown[],
  isNegated: boolean,
): Condition {
  if (op !== 'in') return isNegated ? {} : never;
  const isTrue = { [path]: true };
  const options = [
    ...(values.includes(true) ? [isTrue] : []),
    ...(values.includes(false) ? [not(isTrue)] : []),
  ];
  return isNegated ? not(anyOf(options)) : anyOf(options);
}

function testOf(
  path: string,
  op: string,
  values: readonly unknown[],
  remarks: ClauseRemarks,
): Condition {
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const order = orders[op];
  if (order !== undefined)
    return anyOf(numbers.map((number) => element(path, 'number', { [order]: number })));
  const version = versionOrders[op];
  if (version !== undefined) {
    remarks.differs('versions other than X.Y.Z, which the game may send, never match');
    const bounds = texts.flatMap((text) => releaseOf(text) ?? []);
    return anyOf(
      bounds.map((bound) => element(path, 'string', { $regex: release, [version]: bound })),
    );
  }
  const matching = (patterns: readonly string[]): Condition =>
    anyOf(patterns.map((pattern) => element(path, 'string', { $regex: pattern })));
  switch (op) {
    case 'in': {
      const plain = values.filter((value) =>
        ['string', 'number', 'boolean'].includes(typeof value),
      );
      return plain.length === 0 ? never : { [path]: { $in: plain } };
    }
    case 'startsWith':
      return matching(patternsOf(texts, '^'));
    case 'endsWith':
      return matching(patternsOf(texts, '', '$'));
    case 'contains':
      return matching(patternsOf(texts));
    case 'matches':
      return matching(texts);
    case 'before':
    case 'after': {
      remarks.differs(
        'dates that the game sends as text never match: send milliseconds since 1970',
      );
      const instants = values.flatMap((value) => instantOf(value) ?? []);
      const bound = op === 'before' ? '$lt' : '$gt';
      return anyOf(instants.map((instant) => element(path, 'number', { [bound]: instant })));
    }
    default:
      throw new NotCarried(`${op} is no operator that this converter knows`);
  }
}

/** The attribute, or an element of it where it is a list. */
function element(path: string, type: string, test: Condition): Condition {
  const operators = { $type: type, ...test };
  if (path === '@u') return { [path]: operators };
  return { $or: [{ [path]: operators }, { [path]: { $elemMatch: operators } }] };
}

function releaseOf(text: string): string | null {
  const [core] = versionText.exec(text) ?? [];
  if (core === undefined) return null;
  const parts = [...core.split('.'), '0', '0'].slice(0, 3);
  return `${parts.join('.')}${text.slice(core.length)}`;
}

function instantOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !dateText.test(value)) return null;
  const instant = Date.parse(value);
  return Number.isNaN(instant) ? null : instant;
}
