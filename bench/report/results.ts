/**
 * Keeps what was measured: a JSON line per run and the report. By default in bench/results/local/, which git ignores;
 * the tracked history gets a line only with `--record`.
 */
import { accessSync, appendFileSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Finding } from '../bench.js';
import { treeRoot } from '../build.js';
import { reportHtml } from './html.js';
import type { Machine } from './machine.js';

const folder = join(treeRoot, 'bench/results');

export interface Wanted {
  /** Files that the user chose; '' for the default. */
  readonly out: string;
  readonly html: string;
  readonly record: boolean;
  /** Of the run, ISO 8601: the report's name. */
  readonly date: string;
}

export class Results {
  readonly #lines: readonly string[];
  readonly #html: string;

  /** @throws when a file cannot be written: better now than after an hour */
  constructor({ out, html, record, date }: Wanted) {
    // npm runs a script in the package's folder; a path means the one where the command was typed.
    const at = (path: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
    const local = join(folder, 'local');
    this.#html = html === '' ? join(local, `${date.replaceAll(/[:.]/g, '-')}.html`) : at(html);
    this.#lines = [
      out === '' ? join(local, 'runs.jsonl') : at(out),
      ...(record ? [join(folder, 'runs.jsonl')] : []),
    ];
    mkdirSync(dirname(this.#html), { recursive: true });
    accessSync(dirname(this.#html), constants.W_OK);
    for (const path of this.#lines) {
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, '');
    }
  }

  /** @returns the files */
  write(machine: Machine, flags: readonly string[], findings: readonly Finding[]): string[] {
    const results = findings.map(({ question, notes, figures }) => ({
      question,
      notes,
      // The histograms are drawn in the report; their quantiles are figures.
      figures: figures.map(({ contender, name, unit, perRound }) => {
        return { contender, name, unit, perRound: perRound.map(rounded) };
      }),
    }));
    const line = JSON.stringify({ ...machine, flags, results });
    for (const path of this.#lines) appendFileSync(path, `${line}\n`);
    writeFileSync(this.#html, reportHtml(machine, flags, findings));
    return [...this.#lines, this.#html];
  }
}

function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(5)) : null;
}
