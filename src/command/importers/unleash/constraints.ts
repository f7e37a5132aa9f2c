/**
 * Constraints as conditions and windows. Unleash compares texts; `inverted` negates whatever the operator says, so that it holds for
 * an absent value, and dates are about the current time whatever their context field is.
 */

import { allOf, anyOf, type Condition, never, not, patternsOf, textIsIn } from '../conditions.js';
import type { ReportBuilder } from '../conversion-report.js';
import { attributeName } from '../names.js';
import { NotCarried } from '../not-carried.js';
import type { JsonObject } from '../source.js';

export interface Held {
  readonly when: Condition;
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

export const heldAlways: Held = { when: {}, fromMs: null, untilMs: null };

export interface ConstraintRemarks {
  readonly report: ReportBuilder;
  differs(message: string): void;
}

/** A context field as conditions name it. */
export function fieldPath(name: string, report: ReportBuilder): string {
  const path = name === 'userId' ? '@u' : attributeName(name);
  if (path === '@u') report.needs('u', 'userId: it decides about shares too');
  else report.needs(`p.${path}`, `context field ${name}`);
  return path;
}

const release = '^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)$';
const numberOrders: Readonly<Record<string, (value: number) => Condition>> = {
  NUM_EQ: (value) => ({ $gte: value, $lte: value }),
  NUM_GT: (value) => ({ $gt: value }),
  NUM_GTE: (value) => ({ $gte: value }),
  NUM_LT: (value) => ({ $lt: value }),
  NUM_LTE: (value) => ({ $lte: value }),
};
const versionOrders: Readonly<Record<string, string>> = {
  SEMVER_EQ: '$veq',
  SEMVER_GT: '$vgt',
  SEMVER_GTE: '$vgte',
  SEMVER_LT: '$vlt',
  SEMVER_LTE: '$vlte',
};
const versionTarget = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

/** @throws NotCarried */
export function heldBy(constraints: readonly JsonObject[], remarks: ConstraintRemarks): Held {
  const parts = constraints.map((constraint) => heldByOne(constraint, remarks));
  const later = parts.flatMap(({ fromMs }) => fromMs ?? []);
  const earlier = parts.flatMap(({ untilMs }) => untilMs ?? []);
  return {
    when: allOf(parts.map(({ when }) => when)),
    fromMs: later.length === 0 ? null : Math.max(...later),
    untilMs: earlier.length === 0 ? null : Math.min(...earlier),
  };
}

function heldByOne(constraint: JsonObject, remarks: ConstraintRemarks): Held {
  const { operator, value, inverted } = constraint;
  const isInverted = inverted === true;
  if (operator === 'DATE_AFTER' || operator === 'DATE_BEFORE') {
    const at = Date.parse(String(value));
    if (Number.isNaN(at)) throw new NotCarried(`${String(value)} is no date`);
    // After excludes the instant itself, before does too; a millisecond is the server's step.
    if (operator === 'DATE_AFTER') {
      return isInverted ? { ...heldAlways, untilMs: at + 1 } : { ...heldAlways, fromMs: at + 1 };
    }
    return isInverted ? { ...heldAlways, fromMs: at } : { ...heldAlways, untilMs: at };
  }
  const when = testOf(constraint, String(operator), remarks);
  return { ...heldAlways, when: isInverted ? not(when) : when };
}

function testOf(constraint: JsonObject, operator: string, remarks: ConstraintRemarks): Condition {
  const { contextName, value, caseInsensitive } = constraint;
  if (contextName === 'currentTime') throw new NotCarried(`it tests currentTime with ${operator}`);
  const path = fieldPath(String(contextName), remarks.report);
  const listed = Array.isArray(constraint['values']) ? constraint['values'].map(String) : [];
  const values = listed.filter((each) => each !== '').map((each) => each.trim());
  const regex = caseInsensitive === true ? '$regexi' : '$regex';
  const matching = (patterns: readonly string[]): Condition =>
    anyOf(patterns.map((pattern) => ({ [path]: { $exists: true, [regex]: pattern } })));
  const numeric = numberOrders[operator];
  if (numeric !== undefined) {
    const number = Number(value);
    return Number.isNaN(number) ? never : { [path]: { $exists: true, ...numeric(number) } };
  }
  const version = versionOrders[operator];
  if (version !== undefined) {
    if (!versionTarget.test(String(value))) return never;
    remarks.differs('versions other than X.Y.Z, which the game may send, never match');
    return { [path]: { $exists: true, $regex: release, [version]: String(value) } };
  }
  switch (operator) {
    case 'IN':
      return values.length === 0 ? never : textIsIn(path, values);
    case 'NOT_IN':
      return values.length === 0 ? {} : not(textIsIn(path, values));
    case 'STR_STARTS_WITH':
      return matching(patternsOf(values, '^'));
    case 'STR_ENDS_WITH':
      return matching(patternsOf(values, '', '$'));
    case 'STR_CONTAINS':
      return matching(patternsOf(values));
    case 'REGEX':
      return matching([String(value)]);
    default:
      throw new NotCarried(`${operator} is no operator that Loadout has`);
  }
}
