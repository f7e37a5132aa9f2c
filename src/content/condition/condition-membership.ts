/** The operators `$in $nin $ini $nini`: is the attribute, or for a list any of its elements, among the values given? */

import type { EvaluationContext } from '../evaluation-context.js';
import {
  characterWork,
  foldedElementWork,
  memberWork,
  shortTextUnits,
  spend,
} from '../evaluation-work.js';
import { never, type Site, type Test } from './condition-site.js';
import { foldedText } from './derived-texts.js';

export function compileIn(list: unknown, site: Site): Test {
  const values = membersOf(list, site);
  return values === null ? never : (value, caller) => isAmong(values, value, caller);
}

export function compileNin(list: unknown, site: Site): Test {
  const values = membersOf(list, site);
  return values === null ? never : (value, caller) => !isAmong(values, value, caller);
}

export function compileIni(list: unknown, site: Site): Test {
  const values = foldedMembersOf(list, site);
  return values === null ? never : (value, caller) => isAmongFolded(values, value, caller);
}

export function compileNini(list: unknown, site: Site): Test {
  const values = foldedMembersOf(list, site);
  return values === null ? never : (value, caller) => !isAmongFolded(values, value, caller);
}

/**
 * The values that an attribute can equal: lists and objects equal nothing here (the dialect compares by identity), so
 * leaving them out changes no result. A Set makes a list of thousands of tester ids one look-up.
 */
function membersOf(list: unknown, site: Site): Members | null {
  if (!Array.isArray(list)) {
    site.warn('is not a list, so it never holds');
    return null;
  }
  const values = list.filter((value) => typeof value !== 'object' || value === null);
  if (values.length < list.length) site.warn('lists and objects in it equal nothing');
  return new Members(values);
}

function foldedMembersOf(list: unknown, site: Site): Members | null {
  const values = membersOf(list, site);
  if (values === null) return null;
  return new Members(
    [...values.all].map((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
  );
}

/**
 * From this length on the engine hashes a text by its length alone, so that looking one up may compare it with every
 * member that is as long.
 */
const hashedUnitsMax = 16_383;

class Members {
  readonly all: ReadonlySet<unknown>;
  /** How many are too long to be hashed: none, wherever values are names and ids. */
  readonly #unhashed: number;

  constructor(values: readonly unknown[]) {
    this.all = new Set(values);
    let unhashed = 0;
    for (const value of this.all) {
      if (typeof value === 'string' && value.length > hashedUnitsMax) unhashed++;
    }
    this.#unhashed = unhashed;
  }

  has(value: unknown, caller: EvaluationContext): boolean {
    if (this.#unhashed > 0 && typeof value === 'string' && value.length > hashedUnitsMax) {
      if (!spend(caller, this.#unhashed * value.length * characterWork)) return false;
    }
    return this.all.has(value);
  }
}

function isAmong(values: Members, value: unknown, caller: EvaluationContext): boolean {
  if (!Array.isArray(value)) return values.has(value, caller);
  if (!spend(caller, value.length * memberWork)) return false;
  for (const element of value) {
    if (values.has(element, caller)) return true;
  }
  return false;
}

function isAmongFolded(values: Members, value: unknown, caller: EvaluationContext): boolean {
  if (!Array.isArray(value)) return values.has(foldCase(value, caller), caller);
  for (const element of value) {
    if (!spend(caller, foldedElementWork + foldWork(element))) return false;
    if (values.has(foldCase(element, caller), caller)) return true;
  }
  return false;
}

/** Of a short text; a longer one is charged where it is made. */
function foldWork(element: unknown): number {
  return typeof element === 'string' ? characterWork * Math.min(element.length, shortTextUnits) : 0;
}

function foldCase(value: unknown, caller: EvaluationContext): unknown {
  return typeof value === 'string' ? foldedText(value, caller) : value;
}
