/** The operators `$veq $vne $vgt $vgte $vlt $vlte`: order of versions, numbers as numbers, pre-releases before releases. */

import type { EvaluationContext } from '../evaluation-context.js';
import { characterWork, shortTextUnits, spend } from '../evaluation-work.js';
import { compareVersions, parseVersion } from '../version.js';
import type { Site, Test } from './condition-site.js';
import { versionKeyOf } from './derived-texts.js';
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
  return (value, caller) =>
    holds(compareKeys(versionKeyOf(versionTextOf(value), caller), key, caller));
}

/** The app version is packed already; against a bound of the same form the test is two number comparisons. */
function compileAppVersion(bound: string, holds: Holds): Test {
  const packed = parseVersion(coreVersion(bound));
  if (packed !== null) return (_, caller) => holds(compareVersions(caller.version, packed));
  const key = appVersionKey(bound);
  return (_, caller) => holds(compareKeys(appVersionKey(caller.v), key, caller));
}

function compareKeys(a: string, b: string, caller: EvaluationContext): number {
  const compared = Math.min(a.length, b.length);
  if (compared > shortTextUnits && !spend(caller, compared * characterWork)) return 0;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
