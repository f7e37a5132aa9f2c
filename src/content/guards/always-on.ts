/** The checks that need no configuration. */

import { findingsMax } from '../envelope/envelope-limits.js';
import { typesOf } from '../envelope/json-types.js';
import type { LineEnvelope } from '../envelope/line-envelope.js';
import type { ValueGroup } from '../envelope/value-group.js';
import { describePath, describeTypes } from './describe-bound.js';
import type { GuardFinding } from './guard.js';
import { boundChanges, describeChange, isOverFactor } from './number-change.js';
import { pairVersions } from './version-pairs.js';
import { walkPairs } from './walk-pairs.js';

/**
 * A value whose JSON type changes, and a number that moves by more than a factor of ten, under a version line that is live.
 * @returns warnings, at most `findingsMax`
 */
export function alwaysOn(
  now: readonly LineEnvelope[],
  live: readonly LineEnvelope[],
): GuardFinding[] {
  const findings: GuardFinding[] = [];
  for (const pair of pairVersions(now, live)) {
    if (pair.base.isUnbounded || findings.length >= findingsMax) continue;
    if (pair.now.isUnbounded) {
      findings.push(unboundedFinding(pair.version));
      continue;
    }
    const anyState = true;
    walkPairs(
      pair.now.root,
      pair.base.root,
      anyState,
      () => anyState,
      (path, group, before) => {
        const finding = findingAt(pair.version, path, group, before);
        if (finding !== null) findings.push(finding);
        return findings.length < findingsMax;
      },
    );
  }
  return findings;
}

function findingAt(
  version: string,
  path: string,
  now: ValueGroup,
  before: ValueGroup,
): GuardFinding | null {
  const warning = { severity: 'warn', version, path } as const;
  const place = `In version line ${version}, `;
  const added = typesOf(now.types & ~before.types);
  if (added.length > 0) {
    const types = `${describeTypes(typesOf(before.types))} and becomes ${describeTypes(added)}`;
    return {
      ...{ ...warning, kind: 'type_changed' },
      message: `${place}${describePath(path)} is ${types}.`,
    };
  }
  const [change] = boundChanges(now, before);
  if (change === undefined || !isOverFactor(change, FACTOR_MAX)) return null;
  const moved = `${change.which}${describePath(path)} ${describeChange(change)}`;
  return {
    ...{ ...warning, kind: 'factor' },
    message: `${place}${moved}: more than a factor of ${FACTOR_MAX}.`,
  };
}

function unboundedFinding(version: string): GuardFinding {
  const message = `In version line ${version}, the mapping has too many operations to follow: any value could be delivered.`;
  return { kind: 'type_changed', severity: 'warn', version, path: '', message };
}

const FACTOR_MAX = 10;
