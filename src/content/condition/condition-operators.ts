/** The operators that look at one value on its own, by name. Those that hold further conditions are in the grammar. */

import { compileIn, compileIni, compileNin, compileNini } from './condition-membership.js';
import {
  compileEq,
  compileGt,
  compileGte,
  compileLt,
  compileLte,
  compileNe,
} from './condition-order.js';
import {
  compileNotRegex,
  compileNotRegexi,
  compileRegex,
  compileRegexi,
} from './condition-regex.js';
import { never, type Site, type Test } from './condition-site.js';
import {
  compileVeq,
  compileVgt,
  compileVgte,
  compileVlt,
  compileVlte,
  compileVne,
} from './condition-version.js';

/** Compiles one operator with its operand. Issues of the operand are reported to the site. */
export type OperatorCompiler = (operand: unknown, site: Site) => Test;

/** A map, not an object: names come from users, and `constructor` is no operator. */
export const valueOperators: ReadonlyMap<string, OperatorCompiler> = new Map([
  ['$eq', compileEq],
  ['$ne', compileNe],
  ['$lt', compileLt],
  ['$lte', compileLte],
  ['$gt', compileGt],
  ['$gte', compileGte],
  ['$in', compileIn],
  ['$nin', compileNin],
  ['$ini', compileIni],
  ['$nini', compileNini],
  ['$type', compileType],
  ['$regex', compileRegex],
  ['$regexi', compileRegexi],
  ['$notRegex', compileNotRegex],
  ['$notRegexi', compileNotRegexi],
  ['$veq', compileVeq],
  ['$vne', compileVne],
  ['$vgt', compileVgt],
  ['$vgte', compileVgte],
  ['$vlt', compileVlt],
  ['$vlte', compileVlte],
]);

const typeNames: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'boolean',
  'array',
  'object',
  'null',
]);

function compileType(wanted: unknown, site: Site): Test {
  if (!typeNames.has(wanted)) {
    site.warn(`never holds: the types are ${[...typeNames].join(', ')}`);
    return never;
  }
  return (value) => typeOf(value) === wanted;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** `$exists` is no comparison: it is the one operator that an absent app version can pass. */
export function compileExists(wanted: unknown): Test {
  return wanted ? (value) => value !== null : (value) => value === null;
}
