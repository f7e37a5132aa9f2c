/** The operators `$in $nin $ini $nini`: is the attribute, or for a list any of its elements, among the values given? */

import { never, type Site, type Test } from './condition-site.js';

export function compileIn(list: unknown, site: Site): Test {
  const values = membersOf(list, site);
  return values === null ? never : (value) => isAmong(values, value);
}

export function compileNin(list: unknown, site: Site): Test {
  const values = membersOf(list, site);
  return values === null ? never : (value) => !isAmong(values, value);
}

export function compileIni(list: unknown, site: Site): Test {
  const values = foldedMembersOf(list, site);
  return values === null ? never : (value) => isAmongFolded(values, value);
}

export function compileNini(list: unknown, site: Site): Test {
  const values = foldedMembersOf(list, site);
  return values === null ? never : (value) => !isAmongFolded(values, value);
}

/**
 * The values that an attribute can equal: lists and objects equal nothing here (the dialect compares by identity), so
 * leaving them out changes no answer. A Set makes a list of thousands of tester ids one look-up.
 */
function membersOf(list: unknown, site: Site): ReadonlySet<unknown> | null {
  if (!Array.isArray(list)) {
    site.warn('is not a list, so it never holds');
    return null;
  }
  const values = list.filter((value) => typeof value !== 'object' || value === null);
  if (values.length < list.length) site.warn('lists and objects in it equal nothing');
  return new Set(values);
}

function foldedMembersOf(list: unknown, site: Site): ReadonlySet<unknown> | null {
  const values = membersOf(list, site);
  return values === null ? null : new Set([...values].map(foldCase));
}

function isAmong(values: ReadonlySet<unknown>, value: unknown): boolean {
  if (!Array.isArray(value)) return values.has(value);
  for (const element of value) {
    if (values.has(element)) return true;
  }
  return false;
}

function isAmongFolded(values: ReadonlySet<unknown>, value: unknown): boolean {
  if (!Array.isArray(value)) return values.has(foldCase(value));
  for (const element of value) {
    if (values.has(foldCase(element))) return true;
  }
  return false;
}

function foldCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
