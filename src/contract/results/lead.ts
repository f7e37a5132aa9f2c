/** What an experiment says so far, in one sentence. "No decision yet" is the normal state. Pure. */
import type { Comparison, MetricResult, Results } from '../schemas/experiment-results.js';
import { formatEffect, formatInterval } from './effect-words.js';

/** `unsound`: its health forbids reading the result. */
export type LeadKind = 'unsound' | 'waiting' | 'undecided' | 'better' | 'worse';

export interface Lead {
  readonly kind: LeadKind;
  /** A few words for a list. */
  readonly short: string;
  /** A sentence or two for the page. */
  readonly text: string;
}

export function leadOf(results: Results): Lead {
  const { health } = results;
  if (health.status === 'broken') {
    const check = health.checks.find(({ status }) => status === 'broken');
    return {
      kind: 'unsound',
      short: 'Do not read the result',
      text: `The result cannot be trusted. ${check?.sentence ?? ''}`.trim(),
    };
  }
  if (health.status === 'no_data') {
    return {
      kind: 'waiting',
      short: 'No players seen yet',
      text: 'No exposures have arrived yet. The game sends one when a player sees the content.',
    };
  }
  const primary = results.metrics.find(({ role }) => role === 'primary');
  if (primary === undefined) {
    return {
      kind: 'undecided',
      short: 'No primary metric',
      text: 'The plan names no primary metric, so nothing decides this experiment.',
    };
  }
  return withGuards(leadOfMetric(primary), results.metrics);
}

/** A winner that makes a guard worse is no clear winner. */
function withGuards(lead: Lead, metrics: readonly MetricResult[]): Lead {
  const worse = metrics
    .filter(({ role }) => role === 'guard')
    .flatMap(({ name, comparisons }) =>
      comparisons
        .filter(({ verdict }) => verdict === 'worse')
        .map(({ variant }) => `${name} in “${variant}”`),
    );
  if (worse.length === 0) return lead;
  return {
    ...lead,
    short: `${lead.short}, but a guard is worse`,
    text: `${lead.text} A guard got worse: ${worse.join(', ')}.`,
  };
}

function leadOfMetric(primary: MetricResult): Lead {
  const decided = primary.comparisons.filter(({ verdict }) => verdict !== 'no_decision');
  const best = strongest(decided.filter(({ verdict }) => verdict === 'better'));
  if (best !== null) return leadOfVariant(primary, best, 'better');
  const worst = strongest(decided);
  // Another variant may still turn out better: only when all are worse, the control stays.
  if (worst !== null && decided.length === primary.comparisons.length) {
    return leadOfVariant(primary, worst, 'worse');
  }
  return {
    kind: 'undecided',
    short: 'No decision yet',
    text: `No decision yet: the data so far fit both an increase and a decrease of ${primary.name}.${losers(worst)}`,
  };
}

function losers(worst: Comparison | null): string {
  return worst === null ? '' : ` “${worst.variant}” is worse than “${worst.control}”.`;
}

function leadOfVariant(
  { name }: MetricResult,
  { variant, control, effect, interval }: Comparison,
  kind: 'better' | 'worse',
): Lead {
  const change = formatEffect(effect);
  return {
    kind,
    short: `${variant} is ${kind}: ${change}`,
    text: `“${variant}” is ${kind} than “${control}”: ${name} ${change} (${formatInterval(interval)}).`,
  };
}

/** The one whose effect is the largest in either direction; null: there is none. */
function strongest(comparisons: readonly Comparison[]): Comparison | null {
  const size = ({ effect }: Comparison): number => Math.abs(effect ?? 0);
  return comparisons.reduce<Comparison | null>(
    (found, one) => (found === null || size(one) > size(found) ? one : found),
    null,
  );
}
