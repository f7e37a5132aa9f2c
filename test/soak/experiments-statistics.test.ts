/**
 * The statistics of experiments keep what they promise, over thousands of simulated experiments whose players come back, whose
 * sums grow and whose payers are few: wrong decisions with a look a day, power, fair and unfair splits, forged users.
 */
import { expect, it } from 'vitest';
import { contrastsOf } from '../../src/analysis/results/comparisons.js';
import { resultsOf } from '../../src/analysis/results/results-of.js';
import { type Estimate, meanOf, type Sums } from '../../src/analysis/statistics/estimate.js';
import { sampleSizePerVariant } from '../../src/analysis/statistics/sample-size.js';
import { sequentialSplitPValue } from '../../src/analysis/statistics/split.js';
import { seededRandom } from '../support/seeded-random.js';
import { exposures, metric, sourceOf, statisticsOf } from '../support/statistics/results-source.js';
import {
  type SimulatedGame,
  type SimulatedMetric,
  simulatedMetrics,
  simulateExperiment,
} from '../support/statistics/simulated-experiment.js';
import { UserSums } from '../support/statistics/sums-of.js';

const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? 20_261_124);
/** A trial of the soak itself: `LOADOUT_SOAK_PART=0.02` makes 40 experiments. */
const part = Number(process.env['LOADOUT_SOAK_PART'] ?? 1);
const alpha = 0.05;

const metricsOfGame = Object.keys(simulatedMetrics) as readonly SimulatedMetric[];
const plan = { control: 'control', method: 'sequential', crossoverAnalysis: 'excluded' } as const;

/** A game without a difference between its variants. */
const usual: Omit<SimulatedGame, 'random'> = {
  ...{ days: 28, playersOf: () => 100, treatmentShare: 0.5, payers: 0.05, sigma: 1.5, effect: 0 },
};

/** Enough players for intervals of the revenue after about ten days. */
const many = { days: 21, playersOf: () => 150 };

function isDecided(name: SimulatedMetric, [control, treatment]: readonly [Sums, Sums]): boolean {
  const byVariant = new Map([
    ['control', control],
    ['treatment', treatment],
  ]);
  const [contrast] = contrastsOf(simulatedMetrics[name], byVariant, plan);
  return (contrast?.pValue ?? 1) <= alpha;
}

/**
 * The one-sided 99 % bound of the rate excludes `rate`: with it, so many or more have a probability below 1 % (C. Clopper
 * and E. Pearson, Biometrika 26, 1934).
 */
function excludesRate(found: number, runs: number, rate: number): boolean {
  let [below, probability] = [0, (1 - rate) ** runs];
  for (let count = 0; count < found; count++) {
    below += probability;
    probability *= ((runs - count) / (count + 1)) * (rate / (1 - rate));
  }
  return 1 - below < 0.01;
}

it.each<readonly [string, Partial<SimulatedGame>]>([
  ['of players who arrive steadily', {}],
  ['of a launch', { playersOf: (day: number) => (day === 0 ? 2_000 : 20) }],
  [
    'with a tenth of the players in the treatment',
    { ...many, treatmentShare: 0.1, payers: 0.8, sigma: 0.5 },
  ],
  ['with heavy tails', { ...many, payers: 0.5, sigma: 1.2 }],
])('one of twenty metrics without a difference is decided at most, in games %s', (_, of) => {
  const random = seededRandom(seed);
  const runs = Math.ceil(2_000 * part);
  const wrong = new Map(metricsOfGame.map((name) => [name, 0]));
  for (let run = 0; run < runs; run++) {
    const decided = new Set<SimulatedMetric>();
    for (const sums of simulateExperiment({ ...usual, random, ...of })) {
      for (const name of metricsOfGame) if (isDecided(name, sums[name])) decided.add(name);
    }
    for (const name of decided) wrong.set(name, (wrong.get(name) ?? 0) + 1);
  }
  console.log(`${_}: ${JSON.stringify(Object.fromEntries(wrong))} of ${runs} wrong, seed ${seed}`);
  for (const [name, found] of wrong)
    expect([name, excludesRate(found, runs, alpha)]).toEqual([name, false]);
});

/** Of the control's players at the end of an experiment, over many of them. */
function baselineOf(game: SimulatedGame, name: SimulatedMetric): Estimate {
  let last: readonly [Sums, Sums] = [new UserSums(), new UserSums()];
  for (const sums of simulateExperiment(game)) last = sums[name];
  return meanOf(last[0]);
}

it.each<readonly [SimulatedMetric, number]>([
  ['revenue', 0.25],
  ['sessions', 0.1],
])('an experiment with %s finds an effect of %d as often as its size promises', (name, effect) => {
  const random = seededRandom(seed);
  const runs = Math.ceil(400 * part);
  const game = { ...usual, random, days: 14, payers: 0.4, sigma: 1 };
  const baseline = baselineOf({ ...game, playersOf: () => 10_000 }, name);
  const size = sampleSizePerVariant({
    ...{ mean: baseline.mean, variance: baseline.variance, smallestEffect: effect, variants: 2 },
    ...{ method: 'sequential', power: 0.8, alpha },
  });
  const playersOf = () => Math.ceil((2 * size) / game.days);
  const found = { early: 0, atTheEnd: 0 };
  for (let run = 0; run < runs; run++) {
    const decided = [...simulateExperiment({ ...game, playersOf, effect })].map((sums) =>
      isDecided(name, sums[name]),
    );
    if (decided.includes(true)) found.early += 1;
    if (decided.at(-1)) found.atTheEnd += 1;
  }
  console.log(
    `${name}: ${found.atTheEnd} of ${runs} found at the end, ${found.early} on some day, with ${size} users per variant, seed ${seed}`,
  );
  expect(Math.abs(found.atTheEnd / runs - 0.8)).toBeLessThan(part < 1 ? 0.2 : 0.05);
});

/** The users of two variants, one after the other. @returns whether the test reports them at one of a hundred looks */
function isReported(random: () => number, users: number, share: number): number | null {
  const counts = [0, 0];
  for (let user = 1; user <= users; user++) {
    const variant = random() < share ? 0 : 1;
    counts[variant] = (counts[variant] as number) + 1;
    if (user % (users / 100) !== 0) continue;
    if ((sequentialSplitPValue(counts, [500, 500]) as number) <= 0.001) return user;
  }
  return null;
}

it('a split of 49 to 51 is reported before a million users', () => {
  const random = seededRandom(seed);
  const after: number[] = [];
  for (let split = 0; split < 20; split++) {
    const users = isReported(random, 1_000_000, 0.49);
    expect(users).not.toBeNull();
    after.push(users as number);
  }
  after.sort((a, b) => a - b);
  console.log(`reported after ${after[10]} users, ${after[19]} at worst, seed ${seed}`);
});

it('one of a thousand fair splits is reported at most', () => {
  const random = seededRandom(seed);
  const splits = Math.ceil(1_000 * part);
  let reported = 0;
  for (let split = 0; split < splits; split++) {
    if (isReported(random, 100_000, 0.5) !== null) reported += 1;
  }
  console.log(`${reported} of ${splits} fair splits reported, seed ${seed}`);
  expect(excludesRate(reported, splits, 0.001)).toBe(false);
});

/** Results of a trusted metric, with `forged` users beside the players: by variant, in the control first. */
function trustedResults(players: number, forged: readonly [number, number], random: () => number) {
  const names = ['control', 'cheap'];
  const sums = names.map((variant, at) => {
    const ofVariant = new UserSums();
    const rate = at === 0 ? 0.1 : 0.115;
    for (let user = 0; user < players; user++) ofVariant.add(random() < rate ? 1 : 0);
    // Their events are not trusted, so they have none.
    for (let user = 0; user < (forged[at] as number); user++) ofVariant.add(0);
    return { variant, crossed: false, ...ofVariant, pre: null };
  });
  return resultsOf(
    sourceOf({
      metrics: [metric('revenue', { kind: 'conversion', trusted: true })],
      statistics: statisticsOf({
        exposures: sums.map(({ variant, n }) => exposures(variant, n)),
        metrics: [{ name: 'revenue', sums, winsorisedAt: null }],
      }),
    }),
  );
}

it('forged users do not move what is trusted: in all variants they change no ratio, in one they are seen', () => {
  const players = 100_000;
  const honest = trustedResults(players, [0, 0], seededRandom(seed));
  const spread = trustedResults(players, [5_000, 5_000], seededRandom(seed));
  const aimed = trustedResults(players, [0, 10_000], seededRandom(seed));
  const effect = ({ metrics }: typeof honest) => metrics[0]?.comparisons[0];
  expect(effect(honest)).toMatchObject({ verdict: 'better' });
  expect(effect(spread)).toMatchObject({ verdict: 'better' });
  expect(effect(spread)?.effect).toBeCloseTo(effect(honest)?.effect as number, 9);
  expect(aimed.health.status).toBe('broken');
  expect(effect(aimed)).toMatchObject({ verdict: 'no_decision' });
});
