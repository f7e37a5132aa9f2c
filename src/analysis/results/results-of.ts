/** Makes the results of one phase from its sums. Pure. */
import type { ExperimentPhase } from '../../contract/schemas/experiment.js';
import type { Results } from '../../contract/schemas/experiment-results.js';
import { type ExpectedVariant, healthOf } from './health.js';
import { metricsOf } from './metric-results.js';
import type { CountedUsers, ResultsSource } from './results-source.js';

const dayMs = 86_400_000;

/** @returns what the experiment did, and whether it was fair; nothing is decided where it was not */
export function resultsOf(source: ResultsSource): Results {
  const { experiment, phase, statistics, method } = source;
  const variants = expectedVariants(phase);
  const { status, checks, crossoverAnalysis } = healthOf(source, variants);
  const plan = { control: experiment.control, method, crossoverAnalysis };
  const { metrics, cumulative, segments } = metricsOf(source, plan, status !== 'broken');
  const { computedAtMs, dataUntilMs, cached } = statistics;
  return {
    experiment: experiment.id,
    phase: phase.number,
    computedAt: new Date(computedAtMs).toISOString(),
    dataUntil: dataUntilMs === null ? null : new Date(dataUntilMs).toISOString(),
    days: daysOf(phase, computedAtMs),
    plannedDays: experiment.plannedDays,
    cached,
    sources: { nodes: source.nodes, notes: [...notesOf(source), ...metrics.flatMap(noteOfMetric)] },
    health: { status, checks },
    variants: variants.map((variant) => usersOf(variant, source)),
    daily: dailyOf(source),
    ...{ metrics, cumulative },
    ...(source.bySegment && { segments }),
  };
}

/** By the buckets of each variant. */
function expectedVariants({ variants }: ExperimentPhase): readonly ExpectedVariant[] {
  const widths = variants.map(({ groups: [first, last] }) => last - first + 1);
  const all = widths.reduce((sum, width) => sum + width, 0);
  return variants.map(({ name }, at) => ({ name, share: (widths[at] as number) / all }));
}

/** With one decimal; a phase that ended stays as long as it was. */
function daysOf({ startedAt, endedAt }: ExperimentPhase, computedAtMs: number): number {
  const untilMs = endedAt === null ? computedAtMs : Date.parse(endedAt);
  return Math.max(0, Math.round(((untilMs - Date.parse(startedAt)) / dayMs) * 10) / 10);
}

function usersOf({ name, share }: ExpectedVariant, { statistics, assigned }: ResultsSource) {
  const exposures = statistics.exposures.find(({ variant }) => variant === name);
  return {
    name,
    expectedShare: share,
    assigned: countOf(assigned?.variants, name),
    assignedInSample: countOf(assigned?.sample, name),
    exposed: exposures?.users ?? 0,
    crossovers: exposures?.crossovers ?? 0,
    contradictions: exposures?.contradictions ?? 0,
  };
}

/** @returns null where users were not counted; 0 for a variant that was given to none of them */
function countOf(counted: readonly CountedUsers[] | undefined, name: string): number | null {
  if (counted === undefined) return null;
  return Math.round(counted.find(({ variant }) => variant === name)?.users ?? 0);
}

/** A row for each day and variant with users of either kind. */
function dailyOf({ statistics, assigned, phase }: ResultsSource): Results['daily'] {
  const exposed = new Map(statistics.daily.map((each) => [placeOf(each), each.exposed]));
  const counted = new Map((assigned?.days ?? []).map((each) => [placeOf(each), each.users]));
  const days = new Set([...statistics.daily, ...(assigned?.days ?? [])].map(({ day }) => day));
  return [...days].sort().flatMap((day) =>
    phase.variants.map(({ name: variant }) => {
      const place = placeOf({ day, variant });
      return {
        ...{ day, variant, exposed: exposed.get(place) ?? 0 },
        assigned: assigned === null ? null : Math.round(counted.get(place) ?? 0),
      };
    }),
  );
}

/** A day has one form, so that no two of them are confused. */
function placeOf({ day, variant }: { readonly day: string; readonly variant: string }): string {
  return `${day} ${variant}`;
}

function notesOf({ statistics, method, assigned }: ResultsSource): readonly string[] {
  const notes = statistics.metrics.flatMap(({ name, winsorisedAt }) =>
    winsorisedAt === null
      ? []
      : [`Users with more than ${round(winsorisedAt)} of ${name} count as ${round(winsorisedAt)}.`],
  );
  if (assigned === null) notes.push('Users that the variants were delivered to are not known.');
  if (method === 'fixed') {
    notes.push('Intervals hold for one look that was planned beforehand, not for repeated looks.');
  }
  return notes;
}

function noteOfMetric({ name, comparisons }: Results['metrics'][number]): readonly string[] {
  return comparisons.some(({ pValue }) => pValue === null)
    ? [`Too few users have a value of ${name} to compare all variants yet.`]
    : [];
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
