/** Draws the lines of a chart with uPlot: in the colours of the scheme, as wide as there is room. */
import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { Chart, LineColor } from './chart-lines.js';
import classes from './line-chart.module.css';
import { timeRange } from './metrics-history.js';

export const chartHeight = 170;
export interface LineChartProps {
  readonly chart: Chart;
  readonly label: string;
  /** Which moment is pointed at; null: none. */
  readonly onPoint: (at: number | null) => void;
}

export function LineChart({ chart, label, onPoint }: LineChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  // The drawing outlives its data: what it asks for later, it asks of the newest.
  const newest = useRef({ chart, onPoint });
  newest.current = { chart, onPoint };
  const scheme = useComputedColorScheme('light');
  const shape = chart.lines.map((line) => line.label).join('|');

  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines or colours need a new drawing, other values do not.
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const drawn = new uPlot(
      optionsOf(() => newest.current, element.clientWidth),
      dataOf(newest.current.chart),
      element,
    );
    plot.current = drawn;
    const observer = new ResizeObserver(() => {
      drawn.setSize({ width: element.clientWidth, height: chartHeight });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [scheme, shape]);

  useEffect(() => {
    plot.current?.setData(dataOf(chart));
  }, [chart]);

  return <div ref={host} className={classes['plot']} role="img" aria-label={label} />;
}

function dataOf({ times, lines }: Chart): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}

interface Newest {
  readonly chart: Chart;
  readonly onPoint: (at: number | null) => void;
}

function optionsOf(newest: () => Newest, width: number): uPlot.Options {
  const { lines, isWhole = false } = newest().chart;
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: color('--mantine-color-dimmed'),
    grid: { stroke: color('--mantine-color-default-border'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  return {
    width,
    height: chartHeight,
    legend: { show: false },
    padding: [8, 26, 0, 0],
    cursor: {
      // All charts point at the same moment.
      sync: { key: 'health' },
      drag: { x: false, y: false },
      y: false,
      points: { size: 7 },
    },
    scales: {
      // Not what the drawing makes of its data: without any, that begins in 1970.
      x: { range: () => [...timeRange(newest().chart.times, Date.now() / 1000)] },
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
        ...(isWhole ? { incrs: wholeSteps } : {}),
        values: (_plot, values) => values.map((value) => newest().chart.format(value)),
      },
    ],
    series: [
      {},
      ...lines.map((line) => ({
        label: line.label,
        stroke: color(lineColorName(line.color)),
        width: 1.75,
        dash: [...line.dash],
        points: { show: false },
      })),
    ],
    hooks: {
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

/** Between two marks of a scale that counts things. */
const wholeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5];

/** A variable of Mantine; the light scheme needs darker ones. */
export function lineColorName(color: LineColor): string {
  const isDark = document.documentElement.dataset['mantineColorScheme'] === 'dark';
  return `--mantine-color-${color}-${isDark ? 4 : 8}`;
}

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

export function clockTime(seconds: number): string {
  return clock.format(new Date(seconds * 1000));
}
