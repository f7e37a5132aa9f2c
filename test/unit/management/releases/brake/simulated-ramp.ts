/** One step of a ramp with made-up players, as the brake sees it: who is missing, in the order in which their time has passed. */
import { CountedNetworks } from '../../../../../src/management/releases/brake/counted-networks.js';
import {
  candidateShare,
  evidenceLimit,
  evidenceOf,
} from '../../../../../src/management/releases/brake/evidence.js';

export interface SimulatedStep {
  readonly random: () => number;
  /** Honest users of both slices together. */
  readonly users: number;
  /** Of the ramp, 1 to 1000. */
  readonly permille: number;
  readonly steps: number;
  /** Shares of users who do not confirm a healthy start. */
  readonly missingInCandidate: number;
  readonly missingInControl: number;
  /** Share of the receipts that never arrive, in both slices. */
  readonly lost: number;
  /** Networks that honest users come from. Half of the users come from a tenth of them. */
  readonly networks: number;
  /** Users that an attacker invents, with what they do; they come while the first of the honest ones do. */
  readonly forged?: {
    readonly users: number;
    readonly networks: number;
    readonly missingIn: 'candidate' | 'control';
  };
  /** Evaluate after so many users whose time has passed. */
  readonly every: number;
}

export interface SimulatedOutcome {
  /** Honest users of the candidate slice whose time had passed when the brake tripped; null: it did not. */
  readonly stoppedAfter: number | null;
  readonly highestEvidence: number;
}

export function simulateStep(step: SimulatedStep): SimulatedOutcome {
  const { random, users, permille, steps, forged, every } = step;
  const share = candidateShare(permille) as number;
  const limit = evidenceLimit(steps);
  const counted = new CountedNetworks();
  const forgedPerUser = forged === undefined ? 0 : forged.users / Math.max(1, users / 2);
  let [owed, inCandidate, highestEvidence] = [0, 0, 1];
  for (let at = 1; at <= users; at += 1) {
    for (owed += at <= users / 2 ? forgedPerUser : 0; owed >= 1; owed -= 1) {
      if (forged === undefined) break;
      counted.add(`forged ${Math.floor(random() * forged.networks)}`, forged.missingIn);
    }
    const slice = random() < share ? 'candidate' : 'control';
    if (slice === 'candidate') inCandidate += 1;
    if (isMissing(step, slice)) counted.add(networkOf(step), slice);
    if (at % every > 0) continue;
    highestEvidence = Math.max(highestEvidence, evidenceOf(counted.kinds, share));
    if (highestEvidence >= limit) return { stoppedAfter: inCandidate, highestEvidence };
  }
  return { stoppedAfter: null, highestEvidence };
}

function isMissing(step: SimulatedStep, slice: 'candidate' | 'control'): boolean {
  const { random, missingInCandidate, missingInControl, lost } = step;
  const rate = slice === 'candidate' ? missingInCandidate : missingInControl;
  return random() < rate || random() < lost;
}

function networkOf({ random, networks }: SimulatedStep): string {
  const from = random() < 0.5 ? networks / 10 : networks;
  return `honest ${Math.floor(random() * from)}`;
}
