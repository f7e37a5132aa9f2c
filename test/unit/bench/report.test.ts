/** What a run leaves for people: plots of micro benchmarks, and the table that sizing starts from. */
import { describe, expect, it } from 'vitest';
import type { Figure, Finding } from '../../../bench/bench.js';
import { LatencyHistogram } from '../../../bench/measure/latency-histogram.js';
import { spreadOf } from '../../../bench/measure/statistics.js';
import { capacityOf } from '../../../bench/report/capacity.js';
import { distributionPlot } from '../../../bench/report/distribution-plot.js';

function microFigure(contender: string, nanoseconds: number): Figure {
  const histogram = new LatencyHistogram();
  for (let share = 0; share < 100; share += 1) histogram.record(nanoseconds * (1 + share / 100));
  const perRound = [nanoseconds, nanoseconds * 1.5, nanoseconds * 2];
  const figure = { contender, name: 'time', unit: 'ns', better: 'lower' } as const;
  return { ...figure, perRound, spread: spreadOf(perRound), distribution: histogram.counts() };
}

describe('the plot of a micro benchmark', () => {
  it('has a row for each contender, with its box and the mean of each round', () => {
    const svg = distributionPlot([microFigure('native', 1_000), microFigure('typescript', 9_000)]);
    expect(svg).toContain('>native</text>');
    expect(svg).toContain('>typescript</text>');
    expect(svg.match(/<rect /g)).toHaveLength(2);
    expect(svg.match(/<circle /g)).toHaveLength(6);
    expect(svg).not.toContain('NaN');
    const boxes = [...svg.matchAll(/<rect x="([\d.]+)"/g)].map(([, x]) => Number(x));
    expect(boxes[0]).toBeLessThan(boxes[1]!);
  });

  it('is absent where no figure has a distribution', () => {
    const { distribution: _, ...figure } = microFigure('native', 1_000);
    expect(distributionPlot([figure])).toBe('');
  });

  it('can show a single round', () => {
    const figure = { ...microFigure('plan', 560), perRound: [560] };
    expect(distributionPlot([figure]).match(/<circle /g)).toHaveLength(1);
  });
});

describe('the table of requests per second and core', () => {
  const finding = (question: string, rates: number[], micros: number[]): Finding => {
    const figure = (name: string, perRound: number[]): Figure => {
      const spread = spreadOf(perRound);
      return { contender: 'loadout', name, unit: '', better: 'neither', perRound, spread };
    };
    const figures = [figure('rate with wrk', rates), figure('server CPU with wrk', micros)];
    return { question, columns: [], rows: [], notes: [], figures };
  };

  it('has a row for each form and a column for each size', () => {
    const table = capacityOf([
      finding('http/one-content/plain-1kb', [50_000, 52_000, 51_000], [19, 20, 21]),
      finding('http/one-content/plain-100kb', [20_000], [50]),
      finding('http/one-content/gzip-100kb', [30_000], [33]),
      finding('http/combine/wrapped-10x2kb', [26_000], [38]),
    ]);
    expect(table.split('\n').slice(2)).toEqual([
      '|  | 1kb | 100kb | 10x2kb |',
      '| --- | --- | --- | --- |',
      '| plain | 51,000 (50,000-52,000); 20 µs | 20,000 (20,000-20,000); 50 µs |  |',
      '| gzip |  | 30,000 (30,000-30,000); 33 µs |  |',
      '| combine, wrapped |  |  | 26,000 (26,000-26,000); 38 µs |',
    ]);
  });

  it('is absent where wrk measured nothing', () => {
    const { figures: _, ...bare } = finding('http/one-content/plain-1kb', [1], [1]);
    expect(capacityOf([{ ...bare, figures: [] }])).toBe('');
  });
});
