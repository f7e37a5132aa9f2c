/** The operators `$veq $vne $vgt $vgte $vlt $vlte`: order of versions, numbers as numbers, pre-releases before releases. */

import { compareVersions, parseVersion } from '../version.js';
import type { Site, Test } from './condition-site.js';
import { appVersionKey, coreVersion, versionKey, versionTextOf } from './version-key.js';

export function compileVeq(bound: unknown, site: Site): Test {
  return compileVersion(bound, site, (order) => order === 0);
}

export function compileVne(bound: unknown, site: Site): Test {
  return compileVersion(bound, site, (order) => order !== 0);
}

export function compileVgt(bound: unknown, site: Site): Test {
  return compileVersion(bound, site, (order) => order > 0);
}

export function compileVgte(bound: unknown, site: Site): Test {
  return compileVersion(bound, site, (order) => order >= 0);
}

export function compileVlt(bound: unknown, site: Site): Test {
  return compileVersion(bound, site, (order) => order < 0);
}

export function compileVlte(bound: unknown, site: Site): Test {
  return compileVersion(bound, site, (order) => order <= 0);
}

type Holds = (order: number) => boolean;

function compileVersion(bound: unknown, site: Site, holds: Holds): Test {
  if (typeof bound !== 'string' && typeof bound !== 'number') {
    site.warn('is not a version, so it counts as 0');
  }
  const text = versionTextOf(bound);
  if (site.appVersion) return compileAppVersion(text, holds);
  const key = versionKey(text);
  return (value) => holds(compareKeys(versionKey(versionTextOf(value)), key));
}

/** The app version is packed already; against a bound of the same form the test is two number comparisons. */
function compileAppVersion(bound: string, holds: Holds): Test {
  const packed = parseVersion(coreVersion(bound));
  if (packed !== null) return (_, caller) => holds(compareVersions(caller.version, packed));
  const key = appVersionKey(bound);
  return (_, caller) => holds(compareKeys(appVersionKey(caller.v), key));
}

function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
