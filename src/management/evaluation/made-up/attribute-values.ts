/** The values that the attributes of made-up users may have, and which tests hold for which of them: each asked once. */

import { bucketCount } from '../../../content/bucket.js';
import { compileCondition } from '../../../content/condition/condition.js';
import {
  type EvaluationContext,
  makeEvaluationContext,
} from '../../../content/evaluation-context.js';
import { parseVersion } from '../../../content/version.js';
import { getOrAdd } from '../../get-or-add.js';
import type { ConditionTest } from '../condition-tree.js';
import { withoutWorkLimit } from '../read-context.js';
import { absent, plainValues } from './interesting-values.js';

/** Stands for a user id of no particular form: each user gets one of their own. */
export const anyUserId = 'made-up-1';

export class AttributeValues {
  readonly attribute: string;
  /** So many of the values, the first ones, are there whatever the conditions ask for. */
  readonly plainOnes: number;
  /** Each once, by their JSON. */
  readonly values: unknown[] = [];
  readonly #places = new Map<string, number>();
  readonly #results = new Map<ConditionTest, Map<number, boolean>>();
  /** Of the first kind of test that is asked, for `@u` and `@mod`, the operand on an attribute of another name. */
  readonly #stand = new Map<ConditionTest, (caller: EvaluationContext) => boolean>();

  constructor(attribute: string) {
    this.attribute = attribute;
    for (const value of firstValues(attribute)) this.add(value);
    this.plainOnes = this.values.length;
  }

  /** @returns its place among the values; null: such a value cannot be sent */
  add(value: unknown): number | null {
    if (!isSendable(this.attribute, value)) return null;
    const key = value === absent ? '' : JSON.stringify(value);
    return getOrAdd(this.#places, key, () => this.values.push(value) - 1);
  }

  holds(test: ConditionTest, place: number): boolean {
    const results = getOrAdd(this.#results, test, () => new Map<number, boolean>());
    return getOrAdd(results, place, () => this.#ask(test, this.values[place]));
  }

  #ask(test: ConditionTest, value: unknown): boolean {
    const { attribute } = this;
    if (attribute === '@v')
      return test.holds(unlimited(makeEvaluationContext('', {}, (value ?? null) as string | null)));
    if (attribute !== '@u' && attribute !== '@mod') {
      const p = {};
      setAttribute(p, attribute, value);
      return test.holds(unlimited(makeEvaluationContext('', p, null)));
    }
    // A caller's id and bucket cannot be chosen apart: the same test is asked of an attribute that can.
    const stand = getOrAdd(this.#stand, test, ({ operator, wanted }) => {
      const operand = operator === null ? wanted : { [operator]: wanted };
      const compiled = compileCondition({ value: operand });
      return typeof compiled === 'function' ? compiled : () => false;
    });
    return stand(unlimited(makeEvaluationContext('', { value }, null)));
  }
}

function unlimited(caller: EvaluationContext): EvaluationContext {
  withoutWorkLimit(caller);
  return caller;
}

function firstValues(attribute: string): readonly unknown[] {
  switch (attribute) {
    case '@u':
      return ['', anyUserId];
    case '@v':
      return [absent];
    case '@mod':
      return Array.from({ length: bucketCount }, (_, bucket) => bucket);
    default:
      return plainValues;
  }
}

function isSendable(attribute: string, value: unknown): boolean {
  switch (attribute) {
    case '@u':
      return typeof value === 'string';
    case '@v':
      return value === absent || (typeof value === 'string' && parseVersion(value) !== null);
    case '@mod':
      return Number.isInteger(value) && (value as number) >= 0 && (value as number) < bucketCount;
    default:
      return true;
  }
}

/**
 * Gives an object the attribute that a dotted path names.
 * @returns false: another attribute stands in its way, and nothing was changed
 */
export function setAttribute(p: object, path: string, value: unknown): boolean {
  if (value === absent) return true;
  const names = path.split('.');
  const last = names.pop() ?? '';
  let holder = p;
  for (const name of names) {
    if (!Object.hasOwn(holder, name)) define(holder, name, {});
    const inner = (holder as Record<string, unknown>)[name];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return false;
    holder = inner;
  }
  if (Object.hasOwn(holder, last)) return false;
  define(holder, last, structuredCopy(value));
  return true;
}

/** Also where the name is `__proto__`, which an assignment would take for something else. */
function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** Further attributes may be set inside an object: those of other users must not change with it. */
function structuredCopy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}
