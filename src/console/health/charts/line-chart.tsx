/** Draws the lines of a chart. */
import { useRef } from 'react';
import type uPlot from 'uplot';
import { axisLook, plotColor, usePlot } from '../../parts/plot/use-plot.js';
import { formatClockSeconds } from '../../parts/time/formats.js';
import type { Chart, LineColor } from './chart-lines.js';
import { drawMarks } from './draw-marks.js';
import classes from './line-chart.module.css';
import { timeRange } from './metrics-history.js';

const chartHeight = 170;
export interface LineChartProps {
  readonly chart: Chart;
  readonly label: string;
  /** Which moment is pointed at; null: none. */
  readonly onPoint: (at: number | null) => void;
}

export function LineChart({ chart, label, onPoint }: LineChartProps) {
  // The drawing outlives its data: what it asks for later, it asks of the newest.
  const newest = useRef({ chart, onPoint });
  newest.current = { chart, onPoint };
  const host = usePlot({
    shape: [chart.span, ...chart.lines.map((line) => line.label)].join('|'),
    height: chartHeight,
    data: () => dataOf(newest.current.chart),
    options: () => optionsOf(() => newest.current),
    version: chart,
  });
  return <div ref={host} className={classes['plot']} role="img" aria-label={label} />;
}

function rangeOf({ span, times }: Chart): readonly [from: number, to: number] {
  return timeRange(span, times, Date.now() / 1000);
}

function dataOf({ times, lines }: Chart): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}

interface Newest {
  readonly chart: Chart;
  readonly onPoint: (at: number | null) => void;
}

function optionsOf(newest: () => Newest): Omit<uPlot.Options, 'width' | 'height'> {
  const { lines, steps } = newest().chart;
  const axis = axisLook();
  return {
    legend: { show: false },
    // Marks have their numbers above the lines.
    padding: [20, 26, 0, 0],
    cursor: {
      // All charts point at the same moment.
      sync: { key: 'health' },
      drag: { x: false, y: false },
      y: false,
      points: { size: 7 },
    },
    scales: {
      // Not what the drawing makes of its data: without any, that begins in 1970.
      x: { range: () => [...rangeOf(newest().chart)] },
      y: {
        range: (_plot, _min, max) => {
          const { top, topMin } = newest().chart;
          return [0, top ?? Math.max(topMin, (max ?? 0) * 1.08)];
        },
      },
    },
    axes: [
      { ...axis, space: 90, size: 26, values: (_plot, times) => times.map(clockTime) },
      {
        ...axis,
        size: 64,
        space: 36,
        ...(steps === undefined ? {} : { incrs: [...steps] }),
        values: (_plot, values) => values.map((value) => newest().chart.format(value)),
      },
    ],
    series: [
      {},
      ...lines.map((line) => ({
        label: line.label,
        stroke: plotColor(lineColorName(line.color)),
        width: 1.75,
        dash: [...line.dash],
        points: { show: false },
      })),
    ],
    hooks: {
      draw: [(plot) => drawMarks(plot, newest().chart.marks)],
      setCursor: [
        ({ cursor }) => {
          newest().onPoint(
            cursor.left === undefined || cursor.left < 0 ? null : (cursor.idx ?? null),
          );
        },
      ],
    },
  };
}

/** A variable of Mantine; the light scheme needs darker ones. */
export function lineColorName(color: LineColor): string {
  const isDark = document.documentElement.dataset['mantineColorScheme'] === 'dark';
  return `--mantine-color-${color}-${isDark ? 4 : 8}`;
}

export function clockTime(seconds: number): string {
  return formatClockSeconds(new Date(seconds * 1000));
}
