/**
 * Draws how the times of micro contenders lie, as inline SVG: a row for each, with the middle half of all batches as a
 * box, 1st to 99th percentile as a line, the median as a stroke and the mean of each round as a dot.
 */
import type { Figure } from '../bench.js';
import { mergedHistogram } from '../measure/latency-histogram.js';
import { colours } from './latency-plot.js';
import { LogScale } from './log-scale.js';
import { short } from './text-table.js';

const width = 720;
const left = 170;
const right = 16;
const top = 8;
const rowHeight = 26;
const bottom = 24;
const boxHeight = 12;

/** '' when no figure carries a distribution. */
export function distributionPlot(figures: readonly Figure[]): string {
  const rows = figures.flatMap(({ contender, unit, perRound, distribution }) => {
    const histogram = mergedHistogram(distribution === undefined ? [] : [distribution]);
    if (histogram.total === 0) return [];
    const at = (share: number): number => histogram.quantile(share);
    return [{ contender, unit, perRound, low: at(0.01), high: at(0.99), at }];
  });
  const [first] = rows;
  if (first === undefined) return '';
  const lowest = Math.min(...rows.flatMap(({ low, perRound }) => [low, ...perRound]));
  const highest = Math.max(...rows.flatMap(({ high, perRound }) => [high, ...perRound]));
  const scale = new LogScale(lowest / 1.1, highest * 1.1);
  const height = top + rows.length * rowHeight + bottom;
  const parts = [...gridOf(scale, height, first.unit)];
  for (const [number, { contender, perRound, low, high, at }] of rows.entries()) {
    const colour = colours[number % colours.length]!;
    const y = top + rowHeight * number + rowHeight / 2;
    const [from, to, middle] = [at(0.25), at(0.75), at(0.5)].map((value) => x(scale, value));
    const box = `x="${text(from!)}" y="${y - boxHeight / 2}" width="${text(Math.max(1, to! - from!))}" height="${boxHeight}"`;
    parts.push(
      `<text x="${left - 8}" y="${y + 4}" text-anchor="end" style="fill:${colour}">${contender}</text>`,
      line(x(scale, low), y, x(scale, high), y, `stroke="${colour}"`),
      `<rect ${box} fill="${colour}" fill-opacity="0.3" stroke="${colour}"/>`,
      line(
        middle!,
        y - boxHeight / 2,
        middle!,
        y + boxHeight / 2,
        `stroke="${colour}" stroke-width="2"`,
      ),
      ...perRound.map(
        (value) => `<circle cx="${text(x(scale, value))}" cy="${y}" r="2.5" fill="${colour}"/>`,
      ),
    );
  }
  const label =
    'Time per operation: percentiles 1, 25, 50, 75 and 99 of all batches, and the mean of each round; logarithmic';
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${parts.join('')}</svg>`;
}

function x(scale: LogScale, value: number): number {
  return left + scale.share(value) * (width - left - right);
}

/** A line at 1, 2 and 5 times each power of ten that is in sight. */
function* gridOf(scale: LogScale, height: number, unit: string): Generator<string> {
  for (let power = 0; power <= 8; power += 1) {
    for (const digit of [1, 2, 5]) {
      const value = digit * 10 ** power;
      if (!scale.has(value)) continue;
      const at = x(scale, value);
      yield line(at, top, at, height - bottom, 'class="grid"');
      yield `<text x="${text(at)}" y="${height - 8}" text-anchor="middle">${short(value)} ${unit}</text>`;
    }
  }
}

function line(x1: number, y1: number, x2: number, y2: number, more: string): string {
  return `<line x1="${text(x1)}" y1="${text(y1)}" x2="${text(x2)}" y2="${text(y2)}" ${more}/>`;
}

function text(value: number): string {
  return value.toFixed(1);
}
