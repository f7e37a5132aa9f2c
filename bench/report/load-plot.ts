/** Draws latency against load as inline SVG: requests per second to the right, milliseconds upwards on a logarithmic scale. */
import type { Curve } from '../bench.js';
import { colours } from './latency-plot.js';
import { LogScale } from './log-scale.js';
import { escaped, short } from './text-table.js';

const width = 720;
const height = 260;
const left = 60;
const right = 130;
const top = 12;
const bottom = 40;
/** Lines below each other need as much. */
const labelHeight = 13;
const ticks = 5;

/** '' when no curve has a point. */
export function loadPlot(curves: readonly Curve[]): string {
  const drawn = curves
    .map(({ label, points }) => ({ label, points: points.filter(isPlottable) }))
    .filter(({ points }) => points.length > 0);
  if (drawn.length === 0) return '';
  const all = drawn.flatMap(({ points }) => points);
  const most = Math.max(...all.map(({ perSecond }) => perSecond));
  const scale = new LogScale(
    Math.min(...all.map(({ ms }) => ms)) / 1.5,
    Math.max(...all.map(({ ms }) => ms)) * 1.5,
  );
  const x = (perSecond: number): number => left + (perSecond / most) * (width - left - right);
  const y = (ms: number): number => height - bottom - scale.share(ms) * (height - top - bottom);
  const parts = [...gridOf(most, scale, x, y)];
  let free = 0;
  const order = drawn.map((curve, number) => ({
    ...curve,
    colour: colours[number % colours.length]!,
  }));
  for (const { label, points, colour } of order.toSorted(
    (a, b) => y(a.points.at(-1)!.ms) - y(b.points.at(-1)!.ms),
  )) {
    const path = points
      .map(({ perSecond, ms }) => `${text(x(perSecond))},${text(y(ms))}`)
      .join(' ');
    parts.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    for (const { perSecond, ms } of points) {
      parts.push(`<circle cx="${text(x(perSecond))}" cy="${text(y(ms))}" r="3" fill="${colour}"/>`);
    }
    const at = Math.max(y(points.at(-1)!.ms) + 4, free);
    free = at + labelHeight;
    parts.push(
      `<text x="${width - right + 8}" y="${text(at)}" style="fill:${colour}">${escaped(label)}</text>`,
    );
  }
  const label = 'Latency against load; milliseconds on a logarithmic scale';
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${parts.join('')}</svg>`;
}

function isPlottable({ perSecond, ms }: Curve['points'][number]): boolean {
  return Number.isFinite(perSecond) && perSecond > 0 && Number.isFinite(ms) && ms > 0;
}

function* gridOf(
  most: number,
  scale: LogScale,
  x: (perSecond: number) => number,
  y: (ms: number) => number,
): Generator<string> {
  for (let tick = 0; tick <= ticks; tick += 1) {
    const perSecond = (most * tick) / ticks;
    const at = text(x(perSecond));
    yield `<line x1="${at}" y1="${top}" x2="${at}" y2="${height - bottom}" class="grid"/>`;
    yield `<text x="${at}" y="${height - bottom + 16}" text-anchor="middle">${short(Math.round(perSecond))}</text>`;
  }
  yield `<text x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">requests/s</text>`;
  for (let power = -3; power <= 5; power += 1) {
    for (const digit of [1, 2, 5]) {
      const ms = digit * 10 ** power;
      if (!scale.has(ms)) continue;
      const at = text(y(ms));
      yield `<line x1="${left}" y1="${at}" x2="${width - right}" y2="${at}" class="grid"/>`;
      yield `<text x="${left - 6}" y="${Number(at) + 4}" text-anchor="end">${short(ms)} ms</text>`;
    }
  }
}

function text(value: number): string {
  return value.toFixed(1);
}
