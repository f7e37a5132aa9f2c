/** Keeps what was measured: one JSON line per run in bench/results/, and the report beside it. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../bench.js';
import { treeRoot } from '../build.js';
import { reportHtml } from './html.js';
import type { Machine } from './machine.js';

const folder = join(treeRoot, 'bench/results');

/** Returns the path of the report. */
export function record(
  machine: Machine,
  flags: readonly string[],
  findings: readonly Finding[],
): string {
  mkdirSync(folder, { recursive: true });
  const results = findings.map(({ question, notes, figures }) => ({
    question,
    notes,
    // The histograms are drawn in the report; their quantiles are figures.
    figures: figures.map(({ contender, name, unit, perRound }) => {
      return { contender, name, unit, perRound: perRound.map(rounded) };
    }),
  }));
  const line = JSON.stringify({ ...machine, flags, results });
  appendFileSync(join(folder, 'runs.jsonl'), `${line}\n`);
  const path = join(folder, `${machine.date.replaceAll(/[:.]/g, '-')}.html`);
  writeFileSync(path, reportHtml(machine, flags, findings));
  return path;
}

function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(5)) : null;
}
