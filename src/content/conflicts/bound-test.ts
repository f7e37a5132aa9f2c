/** One test of an attribute whose outcome follows from a few sample values: compiled by the dialect itself. */
import { compileCondition } from '../condition/condition.js';
import { isOperators } from '../condition/condition-grammar.js';
import { appVersionKey, coreVersion, versionKey, versionTextOf } from '../condition/version-key.js';
import { EvaluationContext } from '../evaluation-context.js';
import { NO_VERSION, parseVersion } from '../version.js';

export type Scalar = string | number | boolean | null;

/** A comparison of the attribute's value as JSON has it. */
export interface ValueTest {
  readonly kind: 'value';
  /** As it is written: one operator, or a plain value. */
  readonly operand: Operand;
  /** Values at which its outcome can change. */
  readonly turns: readonly Scalar[];
  /** It compares by order, texts with a text bound by their characters, all else by number. */
  readonly order: 'text' | 'number' | null;
  readonly holds: (value: unknown) => boolean;
}

/** A comparison of the attribute's value as a version. */
export interface VersionTest {
  readonly kind: 'version';
  readonly operator: string;
  /** `versionKey` of what it is compared with. */
  readonly key: string;
}

export type BoundTest = ValueTest | VersionTest;

type Operand = Scalar | Readonly<Record<string, unknown>>;

/** What a list of values may hold to be compared; longer ones name single players. */
const listMax = 1_000;

/**
 * @param operand one operator with its operand, or a plain value
 * @returns null where it is not understood here: the test may hold or fail
 */
export function compileBound(name: string, operand: unknown): BoundTest | null {
  const version = versionTest(name, operand);
  if (version !== undefined) return version;
  // Of the app version, texts are not compared here: a caller may write it with leading zeros.
  if (name === '@v') return null;
  const turns = turnsOf(operand);
  if (turns === null) return null;
  const compiled = compileCondition({ [sampled]: operand });
  if (typeof compiled !== 'function') return null;
  const attributes: Record<string, unknown> = {};
  const caller = new EvaluationContext('', attributes, '', NO_VERSION, Number.MAX_SAFE_INTEGER);
  const holds = (value: unknown): boolean => {
    attributes[sampled] = value;
    return compiled(caller);
  };
  return { kind: 'value', operand: operand as Operand, turns, order: orderOf(operand), holds };
}

const sampled = 'value';

const versionOperators = new Set(['$veq', '$vne', '$vgt', '$vgte', '$vlt', '$vlte']);
const orderOperators = new Set(['$lt', '$lte', '$gt', '$gte']);
const equalityOperators = new Set(['$eq', '$ne']);
const listOperators = new Set(['$in', '$nin']);
const kindOperators = new Set(['$type', '$exists']);

/** Undefined: it compares no versions. */
function versionTest(name: string, operand: unknown): VersionTest | null | undefined {
  if (!isOperators(operand)) return undefined;
  const [[operator, bound] = ['', null]] = Object.entries(operand);
  if (!versionOperators.has(operator)) return undefined;
  const text = versionTextOf(bound);
  if (name !== '@v') return { kind: 'version', operator, key: versionKey(text) };
  // Against any other bound, an app version is compared as text.
  if (parseVersion(coreVersion(text)) === null) return null;
  return { kind: 'version', operator, key: appVersionKey(text) };
}

/** Null: other values could decide, too. */
function turnsOf(operand: unknown): readonly Scalar[] | null {
  if (isScalar(operand)) return [operand];
  if (!isOperators(operand)) return null;
  const [[operator, bound] = ['', null]] = Object.entries(operand);
  if (kindOperators.has(operator)) return [];
  if (operator === '$not') return Object.keys(operand).length === 1 ? turnsOfAll(bound) : null;
  if (orderOperators.has(operator) || equalityOperators.has(operator)) {
    return isScalar(bound) ? [bound] : null;
  }
  if (!listOperators.has(operator) || !Array.isArray(bound) || bound.length > listMax) return null;
  return bound.filter(isScalar);
}

/** Of an operand with any number of operators. */
function turnsOfAll(operand: unknown): readonly Scalar[] | null {
  if (!isOperators(operand)) return turnsOf(operand);
  const all: Scalar[] = [];
  for (const [operator, bound] of Object.entries(operand)) {
    const turns = turnsOf({ [operator]: bound });
    if (turns === null || orderOperators.has(operator) || operator === '$not') return null;
    all.push(...turns);
  }
  return all;
}

function orderOf(operand: unknown): ValueTest['order'] {
  if (typeof operand === 'number') return 'number';
  if (!isOperators(operand)) return null;
  const [[operator, bound] = ['', null]] = Object.entries(operand);
  if (operator === '$not') return typeof bound === 'number' ? 'number' : null;
  if (!orderOperators.has(operator)) return null;
  return typeof bound === 'string' ? 'text' : 'number';
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
