/** Findings as warnings of a response: a handful of them, and how many more there are. */

import type { GuardFinding } from '../../content/guards/guard.js';
import type { ValidationIssue } from '../../contract/problems.js';
import type { Finding } from '../../contract/schemas/guard.js';
import { findingsShownMax } from '../limits/work.js';

export function findingWarnings(findings: readonly GuardFinding[]): ValidationIssue[] {
  const warnings = findings.slice(0, findingsShownMax).map(warningOf);
  const more = findings.length - warnings.length;
  if (more > 0) {
    const noun = more === 1 ? 'value like this is' : 'values like these are';
    warnings.push({ path: '', message: `${more} more ${noun} not shown.` });
  }
  return warnings;
}

function warningOf({ kind, version, path, message }: GuardFinding): ValidationIssue {
  return { path, message, appVersion: version, code: codeOf(kind) };
}

/** What programs know the warning of a finding by. */
export function codeOf(kind: Finding['kind']): NonNullable<ValidationIssue['code']> {
  if (kind === 'experiment_changed') return kind;
  if (kind === 'type_changed') return 'value_type_changed';
  return kind === 'factor' ? 'value_factor' : 'guard';
}
