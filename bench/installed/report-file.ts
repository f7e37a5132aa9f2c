/** The report of a run as one line of JSON, of a version that says what it means; and such a file read again. */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import type { Finding } from '../bench.js';
import { spreadOf } from '../measure/statistics.js';
import type { Carried } from '../report/carries.js';
import type { Machine } from '../report/machine.js';

const format = 'loadout-bench';
/** Of the meaning of the fields; another one is not read. */
const version = 1;
/** A report has some 100 KiB. */
const fileBytesMax = 16 * 1024 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;
/** It is shown on terminals and in pages, and a file may be anybody's. */
const text = z
  .string()
  .max(2_000)
  .transform((value) => value.replaceAll(controlCharacters, ' '));
const amount = z.number().nullable();

const figure = z.object({
  contender: text,
  name: text,
  unit: text,
  better: z.enum(['higher', 'lower', 'neither']),
  perRound: z.array(amount).min(1).max(1_000),
});

const report = z.object({
  format: z.literal(format),
  version: z.literal(version),
  name: text,
  /** Of the Loadout that was measured. */
  loadout: text,
  /** The deployed server that was loaded; null: one of this machine. */
  url: text.nullable(),
  machine: z.record(text, z.union([text, amount])),
  cautions: z.array(text).max(100),
  plan: z.object({ rounds: z.number(), seconds: z.number(), quick: z.boolean() }),
  results: z
    .array(
      z.object({
        question: text,
        notes: z.array(text).max(1_000),
        figures: z.array(figure).max(1_000),
      }),
    )
    .max(1_000),
  carries: z
    .array(
      z.object({
        what: text,
        perSecond: z.number(),
        perHour: z.number(),
        isAtLeast: z.boolean(),
        byCpu: amount,
        assumes: text,
      }),
    )
    .max(100),
});

export type Report = z.infer<typeof report>;

/** What of a report is not made of the findings. */
export type ReportHead = Pick<Report, 'name' | 'loadout' | 'url' | 'plan'>;

/** A file that is no report of this version; the message says which file, and why. */
export class ReportFileError extends Error {}

export function reportOf(
  head: ReportHead,
  machine: Machine,
  cautions: readonly string[],
  findings: readonly Finding[],
  carries: readonly Carried[],
): Report {
  // In a clone the commit is what was measured; here `loadout` is.
  const { commit: _, ...facts } = machine;
  return {
    ...{ format, version, ...head },
    machine: Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, plain(value)])),
    cautions: [...cautions],
    results: findings.map(({ question, notes, figures }) => ({
      question,
      notes: [...notes],
      figures: figures.map(({ contender, name, unit, better, perRound }) => {
        return { contender, name, unit, better, perRound: perRound.map(rounded) };
      }),
    })),
    carries: carries.map((each) => ({ ...each, byCpu: rounded(each.byCpu ?? Number.NaN) })),
  };
}

/** JSON has no NaN, which stands for what a machine does not tell. */
function plain(value: unknown): string | number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return value === null ? null : String(value);
}

function rounded(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(5)) : null;
}

/** @throws ReportFileError */
export function readReport(path: string): Report {
  let value: unknown;
  try {
    if (statSync(path).size > fileBytesMax) {
      throw new ReportFileError(
        `${path} is larger than ${fileBytesMax / 1024 / 1024} MiB: it is no report.`,
      );
    }
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof ReportFileError) throw error;
    if (error instanceof SyntaxError) throw new ReportFileError(`${path} is not JSON.`);
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === 'ENOENT' ? 'there is no such file' : (error as Error).message;
    throw new ReportFileError(`${path} cannot be read: ${why}.`);
  }
  const given = value as { format?: unknown; version?: unknown } | null;
  if (typeof given !== 'object' || given?.format !== format) {
    throw new ReportFileError(`${path} is not a report of \`loadout bench\`.`);
  }
  if (given.version !== version) {
    throw new ReportFileError(
      `${path} has version ${String(given.version).slice(0, 20)} of the report; this Loadout reads version ${version}.`,
    );
  }
  const read = report.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ReportFileError(
    `${path} is not a whole report: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  );
}

/** The median of what was measured; NaN of nothing. */
export function medianOf({ perRound }: Report['results'][number]['figures'][number]): number {
  const values = perRound.filter((value) => value !== null);
  return values.length === 0 ? Number.NaN : spreadOf(values).median;
}
