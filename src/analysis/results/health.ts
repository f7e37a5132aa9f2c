/** Whether results can be believed: each check says in a sentence what it found. */
import type {
  HealthCheck,
  HealthStatus,
  Results,
} from '../../contract/schemas/experiment-results.js';
import type { VariantExposures } from '../messages.js';
import { sequentialSplitPValue } from '../statistics/split.js';
import type { ResultsSource } from './results-source.js';

/** Fair splits fail a test at any look with this probability at most. */
const splitAlpha = 0.001;
/** Above it, users who were seen in two variants stay in the analysis. */
const crossoverShareMax = 0.01;
const contradictionShareMax = 0.01;

/** A user who was seen in two variants is left out, or counts for the first one. */
export type CrossoverAnalysis = 'excluded' | 'first_variant';

/** A variant, and the share of the experiment's users that its buckets have. */
export interface ExpectedVariant {
  readonly name: string;
  readonly share: number;
}

export interface Health extends Readonly<Results['health']> {
  readonly crossoverAnalysis: CrossoverAnalysis;
}

/** @param variants of the phase */
export function healthOf(source: ResultsSource, variants: readonly ExpectedVariant[]): Health {
  const { exposures } = source.statistics;
  const crossovers = crossoverCheck(exposures);
  const withoutCrossovers = splitWithoutCrossovers(exposures, variants);
  const mustKeep = [crossovers, withoutCrossovers].some(({ status }) => status === 'warning');
  const checks = [
    assignedCheck(source, variants),
    exposedCheck(exposures, variants),
    withoutCrossovers,
    crossovers,
    contradictionCheck(source),
    changeCheck(source),
    storageCheck(source),
    trustCheck(source),
  ];
  return {
    status: statusOf(checks, totalOf(exposures, 'users')),
    checks,
    crossoverAnalysis: mustKeep ? 'first_variant' : 'excluded',
  };
}

function statusOf(checks: readonly HealthCheck[], exposed: number): HealthStatus {
  if (checks.some(({ status }) => status === 'broken')) return 'broken';
  if (exposed === 0) return 'no_data';
  return checks.some(({ status }) => status === 'warning') ? 'warning' : 'ok';
}

function assignedCheck({ assigned }: ResultsSource, variants: readonly ExpectedVariant[]) {
  const counts = variants.map(
    ({ name }) => assigned?.sample.find(({ variant }) => variant === name)?.users ?? 0,
  );
  return splitCheck('srm_assigned', counts, variants, {
    none: 'No deliveries of this phase have been counted yet.',
    fair: 'Players were given the variants in the planned shares.',
    unfair: 'Players were not given the variants in the planned shares.',
  });
}

function exposedCheck(
  exposures: readonly VariantExposures[],
  variants: readonly ExpectedVariant[],
): HealthCheck {
  const counts = exposedUsers(exposures, variants, ({ users }) => users);
  return splitCheck('srm_exposed', counts, variants, {
    none: 'No player has reported an exposure yet.',
    fair: 'Players reported the variants in the planned shares.',
    unfair:
      'Players did not report the variants in the planned shares, so the variants have different players and their metrics cannot be compared.',
  });
}

/** Only a warning: what is unfair without crossovers is analysed with them. */
function splitWithoutCrossovers(
  exposures: readonly VariantExposures[],
  variants: readonly ExpectedVariant[],
): HealthCheck {
  if (totalOf(exposures, 'users') > 0 && totalOf(exposures, 'crossovers') === 0) {
    const sentence = 'No player was seen in two variants, so none is left out.';
    return { name: 'srm_without_crossovers', status: 'ok', sentence, pValue: null };
  }
  const counts = exposedUsers(exposures, variants, ({ users, crossovers }) => users - crossovers);
  const check = splitCheck('srm_without_crossovers', counts, variants, {
    none: 'No player has reported exposures to one variant only.',
    fair: 'The shares stay as planned without the players who were seen in two variants.',
    unfair:
      'Without the players who were seen in two variants the shares are not as planned, so these players count for the variant they saw first.',
  });
  return check.status === 'broken' ? { ...check, status: 'warning' } : check;
}

interface SplitSentences {
  readonly none: string;
  readonly fair: string;
  readonly unfair: string;
}

function splitCheck(
  name: HealthCheck['name'],
  counts: readonly number[],
  variants: readonly ExpectedVariant[],
  sentences: SplitSentences,
): HealthCheck {
  const shares = variants.map(({ share }) => share);
  const pValue = sequentialSplitPValue(counts, shares);
  if (pValue === null) return { name, status: 'no_data', sentence: sentences.none, pValue };
  if (pValue > splitAlpha) return { name, status: 'ok', sentence: sentences.fair, pValue };
  return { name, status: 'broken', sentence: sentences.unfair, pValue };
}

/**
 * A player who crosses over for the reason of a variant is not missing at random. Under equal shares, the variants in which
 * crossovers began are a split in the shares of the exposed users.
 */
function crossoverCheck(exposures: readonly VariantExposures[]): HealthCheck {
  const name = 'crossovers';
  const seen = exposures.filter(({ users }) => users > 0);
  const users = totalOf(seen, 'users');
  if (users === 0) {
    return {
      name,
      status: 'no_data',
      sentence: 'No player has reported an exposure yet.',
      pValue: null,
    };
  }
  const crossovers = totalOf(seen, 'crossovers');
  const pValue = sequentialSplitPValue(
    seen.map((each) => each.crossovers),
    seen.map((each) => each.users),
  );
  const share = crossovers / users;
  const found = `${percent(share)} of the players were seen in more than one variant`;
  if (pValue !== null && pValue <= splitAlpha) {
    const sentence = `${found}, and not equally often from each variant; they count for the variant they saw first.`;
    return { name, status: 'warning', sentence, pValue };
  }
  if (share > crossoverShareMax) {
    const sentence = `${found}, more than ${percent(crossoverShareMax)}; they count for the variant they saw first.`;
    return { name, status: 'warning', sentence, pValue };
  }
  if (crossovers === 0) {
    return { name, status: 'ok', sentence: 'No player was seen in more than one variant.', pValue };
  }
  return { name, status: 'ok', sentence: `${found}; they are left out.`, pValue };
}

function contradictionCheck({ statistics }: ResultsSource): HealthCheck {
  const { exposures, unknownVariants } = statistics;
  const contradicting = totalOf(exposures, 'contradictions') + unknownVariants;
  const share = contradicting / Math.max(1, totalOf(exposures, 'users') + contradicting);
  const check = { name: 'contradictions', pValue: null } as const;
  if (contradicting === 0) {
    const sentence = 'No player reported a variant that the server would not have given.';
    return { ...check, status: 'ok', sentence };
  }
  const sentence = `${percent(share)} of the players reported a variant that the server would not have given; these exposures do not count.`;
  return { ...check, status: share > contradictionShareMax ? 'warning' : 'ok', sentence };
}

function changeCheck({ phase }: ResultsSource): HealthCheck {
  const check = { name: 'changed', pValue: null } as const;
  if (phase.number === 1) {
    return {
      ...check,
      status: 'ok',
      sentence: 'Nothing that assigns players to variants has changed.',
    };
  }
  const since = phase.startedAt.slice(0, 10);
  const sentence = `The experiment was changed while it ran: this is phase ${phase.number}, since ${since}; data of other phases does not count.`;
  return { ...check, status: 'warning', sentence };
}

function storageCheck({ eventsArePartial }: ResultsSource): HealthCheck {
  const check = { name: 'local_storage', pValue: null } as const;
  return eventsArePartial
    ? {
        ...check,
        status: 'warning',
        sentence:
          'Each server keeps its own events, and only those of this server are counted here.',
      }
    : { ...check, status: 'ok', sentence: 'The events of all servers are counted.' };
}

/** Anyone can send the events of a game; money should not be decided on them. */
function trustCheck({ experiment, metrics }: ResultsSource): HealthCheck {
  const check = { name: 'trusted', pValue: null } as const;
  const primary = metrics.find(({ name }) => name === experiment.primaryMetric);
  if (primary === undefined) {
    return { ...check, status: 'no_data', sentence: 'The experiment has no primary metric.' };
  }
  if (primary.trusted) {
    const sentence = 'The primary metric counts only events from your own servers.';
    return { ...check, status: 'ok', sentence };
  }
  const sentence = 'The primary metric counts events from game clients, which can be forged.';
  return { ...check, status: primary.kind === 'sum' ? 'warning' : 'ok', sentence };
}

function exposedUsers(
  exposures: readonly VariantExposures[],
  variants: readonly ExpectedVariant[],
  usersOf: (exposures: VariantExposures) => number,
): readonly number[] {
  return variants.map(({ name }) => {
    const found = exposures.find(({ variant }) => variant === name);
    return found === undefined ? 0 : usersOf(found);
  });
}

function totalOf(
  exposures: readonly VariantExposures[],
  member: 'users' | 'crossovers' | 'contradictions',
): number {
  return exposures.reduce((sum, each) => sum + each[member], 0);
}

function percent(share: number): string {
  return share > 0 && share < 0.0005 ? 'Less than 0.1 %' : `${Math.round(share * 1000) / 10} %`;
}
