/**
 * Small sets of events in which everything happens that must not matter, and everything that must: duplicates, late and out-of-order events, users in
 * two variants, contradictions, other phases, experiments and environments, days' edges, values that are no numbers.
 */
import type { AnalysisMetric, AnalysisRequest } from '../../../../src/analysis/messages.js';
import type { ExposureRow, MetricEventRow } from '../../../../src/analysis/storage/rows.js';
import type { Rows } from './oracle.js';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const startedAtMs = Date.parse('2026-03-27T22:30:00Z');
const variants = ['control', 'big', 'small'];

export type Random = () => number;

export interface RandomSet {
  readonly rows: Rows;
  readonly request: AnalysisRequest;
}

export function randomSet(random: Random): RandomSet {
  const some = chooser(random);
  const days = some.int(1, 40);
  const endedAtMs = random() < 0.3 ? startedAtMs + some.int(1, days * 24) * hour : null;
  const users = Array.from({ length: some.int(1, 14) }, (_, number) => `u${number}`);
  const exposures = users.flatMap((u) => exposuresOf(u, some, days));
  const metricEvents = users.flatMap((u) => metricEventsOf(u, some, days));
  return {
    rows: {
      exposures: some.shuffled([...exposures, ...again(exposures, some)]),
      metricEvents: some.shuffled([...metricEvents, ...again(metricEvents, some)]),
    },
    request: {
      environment: 'live',
      experiment: 'price',
      phase: 2,
      startedAtMs,
      endedAtMs,
      variants: variants.slice(0, some.int(2, 3)),
      metrics: metricsOf(some),
      primary: 'primary',
      segment: random() < 0.5 ? 'country' : null,
      nowMs: startedAtMs + 60 * day,
    },
  };
}

interface Chooser {
  readonly random: Random;
  int(min: number, max: number): number;
  of<Value>(values: readonly Value[]): Value;
  shuffled<Value>(values: readonly Value[]): Value[];
}

function chooser(random: Random): Chooser {
  const int = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  return {
    random,
    int,
    of: (values) => values[int(0, values.length - 1)] as (typeof values)[number],
    shuffled: (values) =>
      values
        .map((value) => ({ value, place: random() }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ value }) => value),
  };
}

function text(ms: number): string {
  return new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
}

/** Often exactly at midnight or at the start, a millisecond before, or a whole number of days later. */
function moment(some: Chooser, days: number): number {
  const at = startedAtMs + some.int(-8 * 24, days * 24) * hour;
  switch (some.int(0, 4)) {
    case 0:
      return Math.floor(at / day) * day;
    case 1:
      return Math.floor(at / day) * day - 1;
    case 2:
      return startedAtMs + Math.round((at - startedAtMs) / day) * day;
    default:
      return at + some.int(0, hour - 1);
  }
}

function receipt(some: Chooser, at: number) {
  const received = at + some.of([0, 1, some.int(0, hour), some.int(0, 7 * day)]);
  return { received_at: text(received), day: text(received).slice(0, 10) };
}

function exposuresOf(u: string, some: Chooser, days: number): ExposureRow[] {
  const usual = some.of([...variants, 'removed']);
  return Array.from({ length: some.int(0, 4) }, () => {
    const at = Math.max(moment(some, days), startedAtMs - day);
    return {
      environment: some.random() < 0.95 ? 'live' : 'test',
      experiment: some.random() < 0.95 ? 'price' : 'other',
      // As where events are resolved: what happened before the phase is of another one.
      phase: at < startedAtMs ? 1 : some.of([2, 2, 2, 2, 3]),
      variant: some.random() < 0.85 ? usual : some.of(variants),
      u,
      at: text(at),
      ...receipt(some, at),
      content: 'shop',
      contradiction: some.random() < 0.1,
      eid: `e${some.int(0, 999_999)}`,
      attributes: some.of([
        null,
        {},
        { country: some.of(['DE', 'de', 'ÖS', 'FR']) },
        { country: 1 },
      ]),
    };
  });
}

function metricEventsOf(u: string, some: Chooser, days: number): MetricEventRow[] {
  return Array.from({ length: some.int(0, 25) }, () => {
    const at = moment(some, days);
    return {
      environment: some.random() < 0.95 ? 'live' : 'test',
      name: some.of(['purchase', 'session', 'level']),
      u,
      value: some.of([0, 1, 1, -2, 0.1, 4.99, some.random() * 50, 1e12, Number.NaN]),
      at: text(at),
      ...receipt(some, at),
      trusted: some.random() < 0.5,
      eid: `e${some.int(0, 99_999)}`,
      attributes: null,
    };
  });
}

/** Some of the events once more, received later, as a client does that saw no response. */
function again<Row extends ExposureRow | MetricEventRow>(
  rows: readonly Row[],
  some: Chooser,
): Row[] {
  return rows
    .filter(() => some.random() < 0.2)
    .map((row) => ({ ...row, ...receipt(some, Date.parse(`${row.at.replace(' ', 'T')}Z`)) }));
}

function metricsOf(some: Chooser): AnalysisMetric[] {
  const kinds = ['count', 'sum', 'conversion', 'ratio', 'retention'] as const;
  return ['primary', 'second', 'third'].map((name) => {
    const kind = some.of(kinds);
    return {
      name,
      kind,
      event: some.of(['purchase', 'session']),
      denominator: kind === 'ratio' ? some.of(['session', 'level']) : null,
      windowDays: kind !== 'retention' && some.random() < 0.4 ? some.int(1, 10) : null,
      day: kind === 'retention' ? some.of([1, 7, 30]) : null,
      trusted: some.random() < 0.3,
      cap: {
        perUserDay: some.random() < 0.3 ? some.int(1, 2) : null,
        winsorise: some.random() < 0.5 ? some.of([0.6, 0.9, 0.999]) : null,
      },
    };
  });
}
