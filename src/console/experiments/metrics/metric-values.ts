/** A metric as its form holds it. Pure. */
import type { Metric, MetricInput, MetricKind } from '../../../contract/schemas/metric.js';

export interface MetricValues {
  name: string;
  description: string;
  kind: MetricKind;
  event: string;
  denominator: string;
  /** '': the whole phase. */
  windowDays: number | string;
  /** Of retention. */
  day: string;
  direction: 'up' | 'down';
  trusted: boolean;
  /** '': all of them. */
  perUserDay: number | string;
  /** Percent of the players whose totals count as they are; '': all of them. */
  winsorise: number | string;
}

export const retentionDays = ['1', '7', '30'] as const;

/** Where totals of players are capped unless the metric says otherwise. */
const usualCap = 99.9;

export const emptyMetric: MetricValues = {
  name: '',
  description: '',
  kind: 'conversion',
  event: '',
  denominator: '',
  windowDays: '',
  day: '7',
  direction: 'up',
  trusted: false,
  perUserDay: '',
  winsorise: usualCap,
};

export function valuesOfMetric(metric: Metric): MetricValues {
  const { name, description, kind, event, denominator, windowDays, day, direction } = metric;
  const { trusted, cap } = metric;
  return {
    ...{ name, description, kind, event, direction, trusted },
    denominator: denominator ?? '',
    windowDays: windowDays ?? '',
    day: String(day ?? 7),
    perUserDay: cap.perUserDay ?? '',
    winsorise: cap.winsorise === null ? '' : roundTo(cap.winsorise * 100, 1_000),
  };
}

/** Members of other kinds are left out. */
export function inputOf(values: MetricValues): MetricInput {
  const { kind, description, event, direction, trusted, perUserDay, winsorise } = values;
  const isTotal = hasTotals(kind);
  return {
    ...{ kind, direction, trusted },
    description: description.trim(),
    event: event.trim(),
    denominator: kind === 'ratio' ? values.denominator.trim() : null,
    windowDays: kind === 'conversion' ? numberOrNull(values.windowDays) : null,
    day: kind === 'retention' ? retentionDay(values.day) : null,
    cap: {
      perUserDay: numberOrNull(perUserDay),
      winsorise: isTotal && winsorise !== '' ? quantileOf(Number(winsorise)) : null,
    },
  };
}

/** Whether it adds up something that a few players may have very much of. */
export function hasTotals(kind: MetricKind): boolean {
  return kind === 'count' || kind === 'sum';
}

function quantileOf(percent: number): number {
  return roundTo(percent / 100, 100_000);
}

/** Without the tail of a binary fraction. */
function roundTo(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}

function numberOrNull(typed: number | string): number | null {
  return typed === '' ? null : Number(typed);
}

function retentionDay(day: string): 1 | 7 | 30 {
  if (day === '1') return 1;
  return day === '30' ? 30 : 7;
}

/** Events that came lately, the most frequent first, then those of metrics that have not. */
export function eventsToPropose(
  metrics: readonly Pick<Metric, 'event' | 'denominator'>[],
  seen: readonly string[],
): readonly string[] {
  const ofMetrics = metrics.flatMap(({ event, denominator }) =>
    denominator === null ? [event] : [event, denominator],
  );
  return [...new Set([...seen, ...ofMetrics])];
}
