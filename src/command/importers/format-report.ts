/** A conversion's report for people; programs use `--json`. */

import { coloured, type Tone } from '../terminal/colour.js';
import { counted } from '../terminal/counted.js';
import { oneLine } from '../terminal/output.js';
import type { ConversionReport, Outcome } from './conversion-report.js';

const headings: Readonly<Record<Outcome, { readonly title: string; readonly tone: Tone | null }>> =
  {
    'left-out': { title: 'Left out', tone: 'bad' },
    approximated: { title: 'Approximated', tone: 'attention' },
    exact: { title: 'Exact', tone: 'good' },
    'no-effect': { title: 'Without effect', tone: null },
  };

/** What is exact or without effect is counted only: people look for the rest. */
export function formatReport(report: ConversionReport, title: string): string {
  const out: string[] = [];
  for (const outcome of ['left-out', 'approximated'] as const) {
    const findings = report.findings.filter((finding) => finding.outcome === outcome);
    if (findings.length === 0) continue;
    const { title: heading, tone } = headings[outcome];
    out.push(coloured(tone, `${heading}:`));
    for (const { name, path, message } of findings) {
      out.push(oneLine(`  ${name}: ${message}`), oneLine(`    at ${path === '' ? '/' : path}`));
    }
  }
  if (report.renamed.length > 0) {
    out.push('Renamed:');
    for (const { kind, from, to } of report.renamed)
      out.push(oneLine(`  ${kind} ${from} -> ${to}`));
  }
  if (report.attributes.length > 0) {
    out.push('The game has to send:');
    for (const { name, meaning } of report.attributes) out.push(oneLine(`  ${name}: ${meaning}`));
  }
  const { exact, approximated, 'left-out': leftOut, 'no-effect': noEffect } = report.counts;
  out.push(
    `${title}: ${exact} exact, ${approximated} approximated, ${leftOut} left out, ${noEffect} without effect.`,
  );
  return `${out.join('\n')}\n`;
}

export function leftOutText({ counts }: ConversionReport): string {
  return `${counted(counts['left-out'], 'part')} of the export would be left out, so nothing was written: --allow-left-out goes on without.`;
}
