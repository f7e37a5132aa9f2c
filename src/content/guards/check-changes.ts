/** Checks `maxChange` of guards: against what is live, and against what was live 24 hours ago. */

import { findingsMax } from '../envelope/envelope-limits.js';
import type { LineEnvelope } from '../envelope/line-envelope.js';
import { describePath } from './describe-bound.js';
import type { Guard, GuardFinding } from './guard.js';
import { type GuardState, initialStates, matchesOf, nextStates } from './guard-pattern.js';
import {
  type BoundChange,
  boundChanges,
  describeChange,
  isOverDifference,
  isOverFactor,
} from './number-change.js';
import { pairVersions } from './version-pairs.js';
import { walkPairs } from './walk-pairs.js';

/** @returns at most `findingsMax`; of a change that is over on both sides the one against `live` */
export function checkChanges(
  guards: readonly Guard[],
  now: readonly LineEnvelope[],
  live: readonly LineEnvelope[],
  dayAgo: readonly LineEnvelope[],
): GuardFinding[] {
  const states = initialStates(guards.filter(({ maxChange }) => maxChange !== undefined));
  if (states.length === 0) return [];
  const findings = new Map<string, GuardFinding>();
  compare(states, now, live, 'what is live', findings);
  compare(states, now, dayAgo, 'what was live 24 hours ago', findings);
  return [...findings.values()];
}

function compare(
  states: readonly GuardState[],
  now: readonly LineEnvelope[],
  base: readonly LineEnvelope[],
  baseName: string,
  findings: Map<string, GuardFinding>,
): void {
  for (const pair of pairVersions(now, base)) {
    if (pair.base.isUnbounded || findings.size >= findingsMax) continue;
    walkPairs(pair.now.root, pair.base.root, states, below, (path, group, before, reached) => {
      for (const guard of matchesOf(reached)) {
        const change = boundChanges(group, before).find((each) => isOver(each, guard));
        const key = `${pair.version} ${states.findIndex((state) => state.guard === guard)} ${path}`;
        if (change === undefined || findings.has(key)) continue;
        const message = `In version line ${pair.version}, ${change.which}${describePath(path)} ${describeChange(change)}: ${describeLimit(guard)} against ${baseName}.`;
        const { version } = pair;
        findings.set(key, { kind: 'max_change', severity: guard.severity, version, path, message });
      }
      return findings.size < findingsMax;
    });
  }
}

function below(states: readonly GuardState[], name: string | null): GuardState[] | null {
  const next = nextStates(states, name);
  return next.length === 0 ? null : next;
}

function isOver(change: BoundChange, { maxChange }: Guard): boolean {
  const { factor, by } = maxChange ?? {};
  if (factor !== undefined && isOverFactor(change, factor)) return true;
  return by !== undefined && isOverDifference(change, by);
}

/** Such as `the guard allows a factor of 2`. */
function describeLimit({ maxChange }: Guard): string {
  const { factor, by } = maxChange ?? {};
  const parts: string[] = [];
  if (factor !== undefined) parts.push(`a factor of ${factor}`);
  if (by !== undefined) parts.push(`a difference of ${by}`);
  return `the guard allows ${parts.join(' and ')}`;
}
