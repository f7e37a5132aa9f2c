/** The effect on the primary metric with all data up to each day: a line, and the band in which the effect may lie. */
import { useRef } from 'react';
import type uPlot from 'uplot';
import { formatEffect } from '../../../contract/results/effect-words.js';
import { dayLabel } from '../../experiments/words/days.js';
import { axisLook, plotColor, usePlot } from '../../parts/plot/use-plot.js';
import { type EffectDay, effectRange, loneIntervals } from '../words/cumulative.js';
import classes from './cumulative.module.css';

export interface CumulativeChartProps {
  /** Of one variant, oldest first. */
  readonly days: readonly EffectDay[];
  readonly label: string;
}

export function CumulativeChart({ days, label }: CumulativeChartProps) {
  const newest = useRef(days);
  newest.current = days;
  const host = usePlot({
    shape: 'effect',
    height: 220,
    data: () => dataOf(newest.current),
    options: () => optionsOf(() => newest.current),
    version: days,
  });
  return <div ref={host} className={classes['plot']} role="img" aria-label={label} />;
}

/** Places of the days, the effect, both ends of its interval, and zero. */
function dataOf(days: readonly EffectDay[]): uPlot.AlignedData {
  return [
    days.map((_, place) => place),
    days.map(({ effect }) => effect),
    days.map(({ interval: [low] }) => low),
    days.map(({ interval: [, high] }) => high),
    days.map(() => 0),
  ];
}

function optionsOf(newest: () => readonly EffectDay[]): Omit<uPlot.Options, 'width' | 'height'> {
  const isDark = document.documentElement.dataset['mantineColorScheme'] === 'dark';
  const line = plotColor(`--mantine-color-blue-${isDark ? 4 : 8}`);
  const dimmed = plotColor('--mantine-color-dimmed');
  const axis = axisLook();
  const end: uPlot.Series = { stroke: line, width: 1, dash: [3, 3], points: { show: false } };
  return {
    legend: { show: false },
    padding: [10, 20, 0, 0],
    cursor: { show: false },
    scales: {
      x: { time: false, range: () => placesRange(newest().length) },
      y: { range: () => [...effectRange(newest())] },
    },
    axes: [
      {
        ...axis,
        space: 64,
        size: 28,
        incrs: [1, 2, 3, 7, 14, 28, 56],
        values: (_plot, places) =>
          places.map((place) => {
            const day = newest()[place];
            return day === undefined ? '' : dayLabel(day.day);
          }),
      },
      {
        ...axis,
        size: 64,
        space: 36,
        values: (_plot, effects) => effects.map((effect) => formatEffect(effect)),
      },
    ],
    hooks: { draw: [(plot) => drawWhiskers(plot, newest(), line)] },
    bands: [{ series: [3, 2], fill: `${line}26` }],
    series: [
      {},
      { stroke: line, width: 2, points: { show: true, size: 6, fill: line } },
      end,
      end,
      { stroke: dimmed, width: 1.5, points: { show: false } },
    ],
  };
}

/** A single day stands in the middle. */
function placesRange(days: number): [number, number] {
  return days <= 1 ? [-0.5, 0.5] : [-0.25, days - 1 + 0.25];
}

/** Half the width of the ends of a whisker, in pixels of the page. */
const whiskerEnd = 6;

function drawWhiskers(plot: uPlot, days: readonly EffectDay[], color: string): void {
  const { ctx, bbox } = plot;
  const end = whiskerEnd * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.beginPath();
  for (const place of loneIntervals(days)) {
    const x = plot.valToPos(place, 'x', true);
    const [low, high] = (days[place]?.interval ?? []).map((to) =>
      plot.valToPos(to ?? 0, 'y', true),
    );
    if (low === undefined || high === undefined) continue;
    ctx.moveTo(x, low);
    ctx.lineTo(x, high);
    for (const y of [low, high]) {
      ctx.moveTo(x - end, y);
      ctx.lineTo(x + end, y);
    }
  }
  ctx.strokeStyle = color;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.stroke();
  ctx.restore();
}
