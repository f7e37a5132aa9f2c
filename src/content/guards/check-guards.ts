/** Checks what could be delivered against the guards of its content. */

import { findingsMax } from '../envelope/envelope-limits.js';
import type { LineEnvelope } from '../envelope/line-envelope.js';
import { checkChanges } from './check-changes.js';
import { checkValues } from './check-values.js';
import type { Guard, GuardFinding, GuardFindingKind } from './guard.js';

/**
 * Where the envelope leaves what the guards allow.
 * @param live what is live; null: nothing
 * @param dayAgo what was live 24 hours ago; null: nothing, or it is not known
 * @returns at most `findingsMax`, by version line
 */
export function checkGuards(
  guards: readonly Guard[],
  now: readonly LineEnvelope[],
  live: readonly LineEnvelope[] | null,
  dayAgo: readonly LineEnvelope[] | null,
): GuardFinding[] {
  if (guards.length === 0) return [];
  const unbounded = now.filter(({ isUnbounded }) => isUnbounded);
  const bounded = now.filter(({ isUnbounded }) => !isUnbounded);
  const findings = [
    ...unbounded.flatMap(({ version }) => guards.map((guard) => notChecked(guard, version))),
    ...bounded.flatMap((line) => checkValues(guards, line)),
    ...checkChanges(guards, bounded, live ?? [], dayAgo ?? []),
  ];
  return findings.slice(0, findingsMax);
}

function notChecked(guard: Guard, version: string): GuardFinding {
  const message = `In version line ${version}, the mapping has too many operations to check the guard of ${guard.path}.`;
  return { kind: kindOf(guard), severity: guard.severity, version, path: guard.path, message };
}

/** The first of its conditions. */
function kindOf(guard: Guard): GuardFindingKind {
  if (guard.required === true) return 'required';
  if (guard.type !== undefined) return 'type';
  if (guard.enum !== undefined) return 'enum';
  if (guard.min !== undefined) return 'min';
  return guard.max === undefined ? 'max_change' : 'max';
}
