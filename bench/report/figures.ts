/** Makes figures of what was measured round by round, and a table of figures alone. */
import type { Figure, Finding } from '../bench.js';
import { spreadOf } from '../measure/statistics.js';

export function figureOf(
  contender: string,
  name: string,
  unit: string,
  better: Figure['better'],
  perRound: readonly number[],
): Figure {
  return { contender, name, unit, better, perRound, spread: spreadOf(perRound) };
}

/** For questions whose figures have units of their own: a row each. */
export function figuresFinding(
  question: string,
  figures: readonly Figure[],
  notes: readonly string[],
): Finding {
  const rows = figures.map(({ name, unit, spread: { median, min, max } }) => {
    return [name, median.toFixed(1), min.toFixed(1), max.toFixed(1), unit];
  });
  return { question, columns: ['what', 'median', 'least', 'most', 'unit'], rows, notes, figures };
}
