/** Delivered data in lines, with marks where it differs from other texts. Pure. */
import {
  type Comparison,
  compareJson,
  type JsonLine,
  parseJson,
  printLines,
} from './json-marks.js';
import type { Meaning } from './json-view.js';

export interface Against extends Meaning {
  /** JSON; null: there is nothing to compare with. */
  readonly text: string | null;
}

export interface ComparedView {
  readonly lines: readonly JsonLine[];
  /** Of the comparisons that found something. */
  readonly legend: readonly Meaning[];
  /** One for each text; null: there is none, or it is not JSON. */
  readonly comparisons: readonly (Comparison | null)[];
}

/** Larger responses are shown as delivered, and not compared. */
const comparedCharsMax = 4 * 1024 * 1024;
const noComparison: Comparison = { marks: new Map(), changes: [] };

/** @returns null: the data is too large, or not JSON */
export function comparedView(data: string, against: readonly Against[]): ComparedView | null {
  if (data.length > comparedCharsMax) return null;
  const parsed = parseJson(data);
  if (parsed === null) return null;
  const comparisons = against.map(({ text }) => {
    if (text === data) return noComparison;
    const other = text === null || text === '' ? null : parseJson(text);
    return other === null ? null : compareJson(other, parsed);
  });
  const shown = against.flatMap(({ kind, label }, at) => {
    const comparison = comparisons[at] ?? null;
    return comparison === null || comparison.marks.size === 0 ? [] : { kind, label, comparison };
  });
  return {
    lines: printLines(
      parsed,
      shown.map(({ comparison }) => comparison),
    ),
    legend: shown.map(({ kind, label }) => ({ kind, label })),
    comparisons,
  };
}
