/** Findings as warnings of a response: a handful of them, and how many more there are. */

import type { GuardFinding } from '../../content/envelope/guard.js';
import type { ValidationIssue } from '../../contract/problems.js';
import { faultsShownMax, findingsShownMax } from '../limits.js';

export function findingWarnings(findings: readonly GuardFinding[]): ValidationIssue[] {
  const warnings = findings.slice(0, findingsShownMax).map(warningOf);
  const more = findings.length - warnings.length;
  if (more > 0) {
    const noun = more === 1 ? 'value like this is' : 'values like these are';
    warnings.push({ path: '', message: `${more} more ${noun} not shown.` });
  }
  return warnings;
}

/** Findings of several contents as warnings: each path begins with the id, and five are listed of each content. */
export class FindingsOfContents {
  readonly warnings: ValidationIssue[] = [];

  add(id: string, findings: readonly GuardFinding[]): void {
    if (this.warnings.length >= faultsShownMax) return;
    for (const { path, message, ...rest } of findingWarnings(findings)) {
      this.warnings.push({ ...rest, path: `${id}${path}`, message: `"${id}": ${message}` });
    }
  }
}

function warningOf({ kind, version, path, message }: GuardFinding): ValidationIssue {
  return { path, message, appVersion: version, code: codeOf(kind) };
}

function codeOf(kind: GuardFinding['kind']): NonNullable<ValidationIssue['code']> {
  if (kind === 'type_changed') return 'value_type_changed';
  return kind === 'factor' ? 'value_factor' : 'guard';
}
