/** Findings for people. Pure. */
import type { Finding } from '../../contract/schemas/guard.js';

export type Severity = Finding['severity'];

/** The gravest first. */
export const severities: readonly Severity[] = ['approve', 'block', 'warn'];

export const severityLabels: Readonly<Record<Severity, string>> = {
  approve: 'second person',
  block: 'confirm',
  warn: 'warning',
};

export const severityColours: Readonly<Record<Severity, string>> = {
  approve: 'red',
  block: 'orange',
  warn: 'yellow',
};

/** Gravest first, otherwise in the order of the server. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
  );
}

/** Distinguishes the findings of one response. */
export function keyOfFinding({ content, appVersion, path, kind, message }: Finding): string {
  return JSON.stringify([content, appVersion, path, kind, message]);
}
