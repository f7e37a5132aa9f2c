/** Formats the results of an experiment: health, players, and each metric with its interval as a bar of text. */

import { type EffectScale, scaleOf } from '../../contract/results/effect-scale.js';
import {
  formatEffect,
  formatInterval,
  formatMean,
  formatPart,
  formatPValue,
  formatWhole,
} from '../../contract/results/effect-words.js';
import { leadOf } from '../../contract/results/lead.js';
import type {
  Comparison,
  HealthCheck,
  HealthStatus,
  MetricResult,
  Results,
} from '../../contract/schemas/experiment-results.js';
import { oneLine } from '../terminal/output.js';
import { type Column, formatTable } from '../terminal/table.js';
import { formatAxis, formatBar } from './interval-bar.js';

const healthWords: Readonly<Record<HealthStatus, string>> = {
  ok: 'ok',
  warning: 'WARNING',
  broken: 'BROKEN',
  no_data: 'no data',
};

const verdictWords: Readonly<Record<Comparison['verdict'], string>> = {
  no_decision: 'no decision yet',
  better: 'better',
  worse: 'worse',
};

/** @param all also the metrics that the plan does not name */
export function formatResults(results: Results, all: boolean): string {
  const { days, plannedDays, phase, segments, sources } = results;
  const parts = [
    `${oneLine(leadOf(results).text)}\nPhase ${phase}, ${Math.max(1, Math.ceil(days))} of ${plannedDays} days.\n`,
    formatHealth(results.health.checks),
    formatTable(userColumns(results), results.variants, 'No variants.'),
    ...formatMetrics(shownMetrics(results, all)),
    ...(segments === undefined ? [] : [formatSegments(segments)]),
    ...(sources.notes.length === 0 ? [] : [`${sources.notes.map(oneLine).join('\n')}\n`]),
  ];
  return parts.join('\n');
}

/** Before the first player there is nothing to compare. */
function shownMetrics({ health, metrics }: Results, all: boolean): MetricResult[] {
  if (health.status === 'no_data') return [];
  return metrics.filter(({ role }) => all || role !== 'other');
}

function formatHealth(checks: readonly HealthCheck[]): string {
  const lines = checks.map(({ status, sentence, pValue }) => {
    const p = pValue === null ? '' : ` (${formatPValue(pValue)})`;
    return oneLine(`  ${healthWords[status].padEnd(8)}${sentence}${p}`);
  });
  return `Health:\n${lines.map((line) => `${line}\n`).join('')}`;
}

type Users = Results['variants'][number];

function userColumns({ variants }: Results): Column<Users>[] {
  const sum = (read: (users: Users) => number | null): number =>
    variants.reduce((total, users) => total + (read(users) ?? 0), 0);
  const assigned = sum((users) => users.assigned);
  const exposed = sum((users) => users.exposed);
  return [
    { title: 'VARIANT', text: ({ name }) => name },
    { title: 'PLANNED', text: ({ expectedShare }) => formatPart(expectedShare) },
    { title: 'ASSIGNED', text: (users) => withShare(users.assigned, assigned) },
    { title: 'EXPOSED', text: (users) => withShare(users.exposed, exposed) },
    { title: 'SAW TWO', text: ({ crossovers }) => formatWhole(crossovers) },
    { title: 'CONTRADICT', text: ({ contradictions }) => formatWhole(contradictions) },
  ];
}

function withShare(count: number | null, of: number): string {
  if (count === null || of === 0) return formatWhole(count);
  return `${formatWhole(count)} (${formatPart(count / of)})`;
}

interface MetricRow {
  readonly variant: string;
  readonly mean: string;
  readonly comparison: Comparison | undefined;
}

function formatMetrics(metrics: readonly MetricResult[]): string[] {
  return metrics.map((metric) => {
    const scale = scaleOf(metric.comparisons);
    const { name, role, direction, clientReported, kind } = metric;
    const reported = clientReported ? ', client-reported' : '';
    const head = `${name} (${role}, ${direction === 'up' ? 'more' : 'less'} is better${reported})`;
    const rows = metric.variants.map((variant) => ({
      variant: variant.name,
      mean: formatMean(kind, variant.mean),
      comparison: metric.comparisons.find((one) => one.variant === variant.name),
    }));
    return `${oneLine(head)}\n${formatTable(metricColumns(scale), rows, 'No players yet.')}`;
  });
}

function metricColumns(scale: EffectScale): Column<MetricRow>[] {
  return [
    { title: 'VARIANT', text: ({ variant }) => variant },
    { title: 'VALUE', text: ({ mean }) => mean },
    {
      title: 'CHANGE',
      text: ({ comparison }) => (comparison === undefined ? '' : formatEffect(comparison.effect)),
    },
    {
      title: 'INTERVAL',
      text: ({ comparison }) =>
        comparison === undefined ? '' : formatInterval(comparison.interval),
    },
    {
      title: formatAxis(scale),
      text: ({ comparison }) => (comparison === undefined ? '' : formatBar(scale, comparison)),
    },
    {
      title: 'VERDICT',
      text: ({ comparison }) =>
        comparison === undefined ? 'control' : verdictWords[comparison.verdict],
    },
  ];
}

function formatSegments(segments: NonNullable<Results['segments']>): string {
  const rows = segments.flatMap(({ value, comparisons }) =>
    comparisons.map((comparison) => ({ value, comparison })),
  );
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'VALUE', text: ({ value }) => value },
    { title: 'VARIANT', text: ({ comparison }) => comparison.variant },
    { title: 'CHANGE', text: ({ comparison }) => formatEffect(comparison.effect) },
    { title: 'INTERVAL', text: ({ comparison }) => formatInterval(comparison.interval) },
  ];
  return `Exploratory: chosen afterwards, so it decides nothing.\n${formatTable(columns, rows, 'No event has this attribute.')}`;
}
