/** The brake over a thousand harmless ramps for each rate of missing players, and over faulty and attacked ones. */
import { expect, it } from 'vitest';
import { seededRandom } from '../support/seeded-random.js';
import {
  type SimulatedStep,
  simulateStep,
} from '../unit/management/releases/brake/simulated-ramp.js';

const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? 20_261_124);
/** A trial of the soak itself: `LOADOUT_SOAK_PART=0.02` makes 20 ramps. */
const ramps = Math.ceil(1_000 * Number(process.env['LOADOUT_SOAK_PART'] ?? 1));
const random = seededRandom(seed);

/** The steps of a ramp, of which each starts afresh; the last one has no control. */
const permilles = [10, 100, 500];
const baseRates = [0.01, 0.02, 0.05, 0.1, 0.2, 0.4];

const usual: SimulatedStep = {
  ...{ random, users: 10_000, permille: 10, steps: permilles.length + 1 },
  ...{ missingInCandidate: 0, missingInControl: 0, lost: 0, networks: 10_000, every: 100 },
};

/** How many ramps are stopped. */
function stopsOf(of: Partial<SimulatedStep>): number {
  let stops = 0;
  for (let ramp = 0; ramp < ramps; ramp += 1) {
    const isStopped = permilles.some(
      (permille) => simulateStep({ ...usual, ...of, permille }).stoppedAfter !== null,
    );
    if (isStopped) stops += 1;
  }
  return stops;
}

/**
 * The one-sided 99 % bound of the stop rate excludes 1 %: with that rate, so many stops or more have a probability below
 * 1 % (C. Clopper and E. Pearson, Biometrika 26, 1934).
 */
function excludesOnePercent(stops: number): boolean {
  let [below, probability] = [0, 0.99 ** ramps];
  for (let count = 0; count < stops; count += 1) {
    below += probability;
    probability *= ((ramps - count) / (count + 1)) * (0.01 / 0.99);
  }
  return 1 - below < 0.01;
}

const attack = { users: 10_000, networks: 20, missingIn: 'candidate' } as const;

it.each([
  ['', {}],
  [' with 30 % of the receipts lost', { lost: 0.3 }],
  [' beside 10,000 forged users from 20 networks', { forged: attack }],
  [' with players of few networks', { networks: 300 }],
])('one harmless ramp in a hundred is stopped at most%s', (_, of) => {
  for (const rate of baseRates) {
    const stops = stopsOf({ ...of, missingInCandidate: rate, missingInControl: rate });
    console.log(`${rate * 100} % missing: ${stops} of ${ramps} stopped ${JSON.stringify(of)}`);
    expect(excludesOnePercent(stops)).toBe(false);
  }
});

it('a release that crashes for 2 of 100 players at a step of 1 % is stopped', () => {
  for (const missing of [0.01, 0.02, 0.05]) {
    for (const forged of [undefined, { ...attack, missingIn: 'control' as const }]) {
      const of = { missingInControl: missing, missingInCandidate: missing + 0.02 };
      const reached: number[] = [];
      for (let ramp = 0; ramp < ramps / 10; ramp += 1) {
        const users = forged === undefined ? 60_000 : 120_000;
        const step = { ...usual, ...of, users, networks: users, ...(forged && { forged }) };
        reached.push(simulateStep(step).stoppedAfter ?? Number.POSITIVE_INFINITY);
      }
      reached.sort((one, other) => one - other);
      const [median, worst] = [reached[Math.floor(reached.length / 2)], reached.at(-1)];
      // Of a game that a million players start in a day, 1 % in the candidate slice: some 7 a minute.
      console.log(
        `${missing * 100} % missing anyway${forged ? ', 10,000 forged' : ''}: stopped after ${median} players, ${worst} at worst; ${Math.round((median ?? 0) / 7)} minutes for a million starts a day`,
      );
      expect(worst).toBeLessThan(Number.POSITIVE_INFINITY);
    }
  }
});
