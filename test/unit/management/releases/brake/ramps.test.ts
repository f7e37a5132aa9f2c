/** Seeded ramps of made-up players. `test/soak/ramps.test.ts` has the full numbers. */
import { expect, it } from 'vitest';
import { evidenceLimit } from '../../../../../src/management/releases/brake/evidence.js';
import { seededRandom } from '../../../../support/seeded-random.js';
import { type SimulatedStep, simulateStep } from './simulated-ramp.js';

const random = seededRandom(20_261_124);

const step: SimulatedStep = {
  ...{ random, users: 20_000, permille: 10, steps: 4 },
  ...{ missingInCandidate: 0.03, missingInControl: 0.03, lost: 0, networks: 20_000, every: 500 },
};

/** How many of ten ramps are stopped. */
function stops(of: Partial<SimulatedStep>): number {
  return Array.from({ length: 10 }, () => simulateStep({ ...step, ...of })).filter(
    ({ stoppedAfter }) => stoppedAfter !== null,
  ).length;
}

const forged = { users: 10_000, networks: 20 };

it('a harmless release goes on', () => {
  expect(stops({})).toBe(0);
});

it('a release that crashes for 2 of 100 players is stopped', () => {
  expect(stops({ missingInCandidate: 0.05 })).toBe(10);
});

it('the same with 30 % of the receipts lost, when more players start', () => {
  const of = { missingInCandidate: 0.1, users: 60_000, lost: 0.3, networks: 60_000 };
  expect(stops(of)).toBe(10);
});

it('10,000 forged users from 20 networks do not stop a harmless release', () => {
  expect(stops({ forged: { ...forged, missingIn: 'candidate' } })).toBe(0);
});

it('nor do they hide a faulty one', () => {
  const of = { missingInCandidate: 0.06, users: 40_000, networks: 40_000 };
  expect(stops({ ...of, forged: { ...forged, missingIn: 'control' } })).toBe(10);
});

it('without the rules for networks, they would', () => {
  // One network for each forged user: nothing tells them from others.
  const outcome = simulateStep({
    ...step,
    forged: { users: 500, networks: 1e9, missingIn: 'candidate' },
  });
  expect(outcome.highestEvidence).toBeGreaterThan(evidenceLimit(step.steps));
});
