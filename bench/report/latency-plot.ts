/** Draws latency by percentile as inline SVG: how slow the slowest hundredth, thousandth, ten-thousandth is. */
import type { Figure } from '../bench.js';
import { type LatencyHistogram, mergedHistogram } from '../measure/latency-histogram.js';
import { LogScale } from './log-scale.js';
import { short } from './text-table.js';

const width = 720;
const height = 260;
const left = 60;
const right = 130;
const top = 12;
const bottom = 28;
export const colours: readonly string[] = [
  '#0b6e4f',
  '#9a031e',
  '#5f0f40',
  '#e36414',
  '#0f4c5c',
  '#7b6d00',
];
/** Percentiles by how rare what lies beyond them is: 50 %, 90 %, 99 %, ... */
const rarityMax = 10_000;
const marks = [50, 90, 99, 99.9, 99.99];

/** '' when no figure carries latencies. */
export function latencyPlot(figures: readonly Figure[]): string {
  const lines = figures.flatMap(({ contender, latencies }) => {
    const histogram = mergedHistogram(latencies === undefined ? [] : [latencies]);
    return histogram.total === 0 ? [] : [{ contender, histogram }];
  });
  if (lines.length === 0) return '';
  const lowest = Math.min(...lines.map(({ histogram }) => histogram.quantile(0.5)));
  const highest = Math.max(...lines.map(({ histogram }) => histogram.quantile(1 - 1 / rarityMax)));
  const scale = new LogScale(lowest / 1.5, highest * 1.5);

  const parts = [...gridOf(scale)];
  const labels: Label[] = [];
  for (const [number, { contender, histogram }] of lines.entries()) {
    const colour = colours[number % colours.length]!;
    const points = pointsOf(histogram, scale);
    const path = points.map((point) => point.map((at) => at.toFixed(1)).join()).join(' ');
    parts.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    labels.push({ text: contender, colour, y: points.at(-1)![1] });
  }
  parts.push(...textsOf(labels));
  const label = 'Latency by percentile, both scales logarithmic';
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${parts.join('')}</svg>`;
}

interface Label {
  readonly text: string;
  readonly colour: string;
  readonly y: number;
}

/** Each beside the end of its line, or below the one above it. */
function* textsOf(labels: readonly Label[]): Generator<string> {
  let free = 0;
  for (const { text, colour, y } of labels.toSorted((a, b) => a.y - b.y)) {
    const at = Math.max(y + 4, free);
    free = at + 13;
    yield `<text x="${width - right + 6}" y="${at.toFixed(1)}" style="fill:${colour}">${text}</text>`;
  }
}

function y(scale: LogScale, microseconds: number): number {
  return height - bottom - scale.share(microseconds) * (height - top - bottom);
}

function x(percentile: number): number {
  const rarity = 100 / (100 - percentile);
  return left + (Math.log(rarity / 2) / Math.log(rarityMax / 2)) * (width - left - right);
}

function pointsOf(histogram: LatencyHistogram, scale: LogScale): [number, number][] {
  const points: [number, number][] = [];
  // No percentile that a single answer decides.
  const rarest = Math.min(rarityMax, Math.max(2, histogram.total / 2));
  for (let rarity = 2; rarity <= rarest; rarity *= 1.15) {
    const percentile = 100 - 100 / rarity;
    points.push([x(percentile), y(scale, histogram.quantile(percentile / 100))]);
  }
  return points;
}

function* gridOf(scale: LogScale): Generator<string> {
  for (const mark of marks) {
    const at = x(mark).toFixed(1);
    yield `<line x1="${at}" y1="${top}" x2="${at}" y2="${height - bottom}" class="grid"/>`;
    yield `<text x="${at}" y="${height - 8}" text-anchor="middle">${mark} %</text>`;
  }
  for (let power = 0; power <= 8; power += 1) {
    const microseconds = 10 ** power;
    if (!scale.has(microseconds)) continue;
    const at = y(scale, microseconds).toFixed(1);
    yield `<line x1="${left}" y1="${at}" x2="${width - right}" y2="${at}" class="grid"/>`;
    yield `<text x="${left - 6}" y="${Number(at) + 4}" text-anchor="end">${short(microseconds / 1000)} ms</text>`;
  }
}
