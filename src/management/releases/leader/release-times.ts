/** The leader job of releases: scheduled starts, the next step after each hold, going live after the last one, and brakes. */
import type { Logger } from 'pino';
import { PeriodicJob } from '../../jobs/periodic-job.js';
import { brakeLookEveryMs, releaseLookEveryMs } from '../../limits/releases.js';
import type { Db } from '../../store/dialect.js';
import { listReleasesIn, type ReleaseRecord, rampStates } from '../../store/releases/releases.js';
import type { CheckDeps } from '../check-release.js';
import { nextAction } from './next-action.js';
import { type Proposed, proposeBrake, proposeNext } from './propose.js';

/**
 * Whether the brake of a ramp has tripped.
 * @returns why, a sentence; null: it has not
 */
export type Trips = (db: Db, release: ReleaseRecord, nowMs: number) => Promise<string | null>;

export interface ReleaseTimesDeps extends CheckDeps {
  /** Resolves when the number is served. */
  readonly publish: (sequence: number) => Promise<void>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Left out: no release has a brake. */
  readonly trips?: Trips;
}

export function releaseTimes(deps: ReleaseTimesDeps): PeriodicJob {
  let brakesAtMs = Number.NEGATIVE_INFINITY;
  const run = async (signal?: AbortSignal): Promise<void> => {
    const { store, trips } = deps;
    const { due, braked, nowMs } = await store.readNow(async (db, nowMs) => {
      const found = await listReleasesIn(db, null, ['scheduled', ...rampStates]);
      const due = found.filter((one) => (nextAction(one)?.atMs ?? Number.NaN) <= nowMs);
      return { due, braked: found.filter(canBrake), nowMs };
    });
    // A brake comes before the step that would reach more users.
    const isBrakeTime = Math.abs(nowMs - brakesAtMs) >= brakeLookEveryMs;
    if (trips !== undefined && (isBrakeTime || due.length > 0)) {
      brakesAtMs = nowMs;
      for (const release of braked) {
        if (signal?.aborted === true) return;
        await propose(deps, release, () => brake(deps, trips, release, nowMs));
      }
    }
    for (const release of due) {
      if (signal?.aborted === true) return;
      await propose(deps, release, () => proposeNext(deps, release));
    }
  };
  return new PeriodicJob(run, {
    firstMs: 0,
    everyMs: releaseLookEveryMs,
    log: deps.log,
    event: 'releases_failed',
    failed: 'releases that are due could not be looked at; it is tried again',
  });
}

/** The players of a paused ramp have the candidate still: it can be stopped, and not be paused again. */
function canBrake({ state, brake }: ReleaseRecord): boolean {
  return state === 'ramping' || (state === 'paused' && brake?.action === 'stop');
}

async function brake(
  { store }: ReleaseTimesDeps,
  trips: Trips,
  release: ReleaseRecord,
  nowMs: number,
): Promise<Proposed> {
  const reason = await store.read((db) => trips(db, release, nowMs));
  return reason === null ? null : proposeBrake({ store }, release, reason);
}

/** One release that fails keeps no other from its turn. */
async function propose(
  { publish, log }: ReleaseTimesDeps,
  { environment, release }: ReleaseRecord,
  act: () => Promise<Proposed>,
): Promise<void> {
  try {
    const sequence = await act();
    if (sequence !== null) await publish(sequence);
  } catch (error) {
    log.warn(
      { err: error, event: 'release_not_carried_out', environment, release },
      'what was due of a release could not be carried out; it is tried again',
    );
  }
}
