/** A drawing of uPlot in an element: in the colours of the scheme, as wide as there is room. */
import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import uPlot from 'uplot';

export interface PlotSource {
  /** Drawings of different shapes need different options; other data of the same shape do not. */
  readonly shape: string;
  readonly height: number;
  readonly data: () => uPlot.AlignedData;
  /** What it asks for later, it has to ask of the newest state. */
  readonly options: () => Omit<uPlot.Options, 'width' | 'height'>;
  /** The drawing takes new data when this changes. */
  readonly version: unknown;
}

/** @returns the ref of the element to draw in */
export function usePlot(source: PlotSource): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const newest = useRef(source);
  newest.current = source;
  const scheme = useComputedColorScheme('light');
  const { shape, version } = source;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another shape or scheme needs a new drawing, other values do not.
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const { options, data, height } = newest.current;
    const drawn = new uPlot({ ...options(), width: element.clientWidth, height }, data(), element);
    plot.current = drawn;
    const observer = new ResizeObserver(() => {
      drawn.setSize({ width: element.clientWidth, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [scheme, shape]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the data are new when the version is.
  useEffect(() => {
    plot.current?.setData(newest.current.data());
  }, [version]);

  return host;
}

/** What axes have in common. */
export function axisLook(): uPlot.Axis {
  return {
    stroke: plotColor('--mantine-color-dimmed'),
    grid: { stroke: plotColor('--mantine-color-default-border'), width: 1 },
    ticks: { show: false },
    font: '12px "Inter Variable", system-ui, sans-serif',
  };
}

/** @param name of a variable of Mantine */
export function plotColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
