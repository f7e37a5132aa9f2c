/**
 * What the leader proposes for a release: its next transition, or its brake. It calls the same transitions as people do,
 * with the version that it saw; if another write came first, nothing happens (D87).
 */
import { Problem } from '../../../contract/problems.js';
import { nothingConfirmed } from '../../guards/confirmation.js';
import type { ReleaseRecord } from '../../store/releases/releases.js';
import type { Store, Written } from '../../store/store.js';
import { systemActor, type UnitOfWork } from '../../store/unit-of-work.js';
import { toIso } from '../../to-iso.js';
import { type CheckDeps, type CheckedRelease, checkAgain, checkedWrite } from '../check-release.js';
import { goLive } from '../go-live.js';
import { type HeldRelease, holdRelease, type ReleaseRequest } from '../held-release.js';
import { pauseRamp, startRamp, stopRamp, takeStep } from '../ramp.js';
import { failRelease } from '../schedule.js';
import type { Transited } from '../transition.js';
import { type NextAction, nextAction } from './next-action.js';
import { rejectScheduler } from './scheduler.js';

/** What became of a proposal: the number to publish, or null where there was nothing to do any more. */
export type Proposed = number | null;

/** Another write came first: a person, or another leader. */
const lostRace: ReadonlySet<string> = new Set([
  ...['release_state', 'release_changed', 'release_not_found', 'environment_not_found'],
]);

/** Carries out what is due. A release that cannot fails, or is paused, with a sentence that says what to do. */
export async function proposeNext(deps: CheckDeps, seen: ReleaseRecord): Promise<Proposed> {
  const next = nextAction(seen);
  if (next === null) return null;
  const outcome = await carryOut(deps, seen, next);
  if (!(outcome instanceof Problem)) return outcome;
  if (lostRace.has(outcome.code)) return null;
  // The server is busy: the next look tries again.
  if (outcome.status >= 500) return null;
  return giveUp(deps.store, seen, sentenceOf(outcome));
}

/** @param reason why the brake has tripped */
export async function proposeBrake(
  { store }: Pick<CheckDeps, 'store'>,
  seen: ReleaseRecord,
  reason: string,
): Promise<Proposed> {
  const act = seen.brake?.action === 'pause' ? pauseRamp : stopRamp;
  return sequenceOf(await writeAs(store, seen, (write, held) => act(write, held, reason)));
}

async function carryOut(
  deps: CheckDeps,
  seen: ReleaseRecord,
  { action }: NextAction,
): Promise<Proposed | Problem> {
  const { store } = deps;
  if (action === 'step') {
    return outcomeOf(await writeAs(store, seen, (write, held) => ifDue(write, held, takeStep)));
  }
  return checkedWrite(deps, requestOf(seen), action, async (checked) => {
    const written = await writeAs(store, seen, (write, held) =>
      ifDue(write, held, () => startOrGoLive(write, held, checked)),
    );
    return written.value === checkAgain ? checkAgain : outcomeOf(written);
  });
}

const timeHasCome = 'Its time has come.';

/** What was confirmed before has to do. */
const byItself = { ...nothingConfirmed, emergency: null } as const;

async function startOrGoLive(
  write: UnitOfWork,
  held: HeldRelease,
  checked: CheckedRelease,
): Promise<Transited | Problem | typeof checkAgain> {
  const { scheduledAt, toleranceMs, state } = held.release;
  if (state === 'ramping')
    return goLive(write, held, checked, { ...byItself, text: 'The last step has ended.' });
  if (scheduledAt !== null && write.at > scheduledAt + toleranceMs) {
    return failRelease(write, held, lateSentence(scheduledAt, toleranceMs));
  }
  const rejected = await rejectScheduler(write.db, held);
  if (rejected !== null) return rejected;
  return nextAction(held.release)?.action === 'start'
    ? startRamp(write, held, checked, timeHasCome, nothingConfirmed)
    : goLive(write, held, checked, { ...byItself, text: timeHasCome });
}

function lateSentence(scheduledAt: number, toleranceMs: number): string {
  const minutes = Math.round(toleranceMs / 60_000);
  return `The release was due at ${toIso(scheduledAt)}, and no server was there for more than ${minutes} min after that: schedule it again.`;
}

/** The clock that counts is that of the write. */
async function ifDue<T>(
  write: UnitOfWork,
  held: HeldRelease,
  act: (write: UnitOfWork, held: HeldRelease) => Promise<T>,
): Promise<T | null> {
  const next = nextAction(held.release);
  return next === null || next.atMs > write.at ? null : act(write, held);
}

async function giveUp(store: Store, seen: ReleaseRecord, reason: string): Promise<Proposed> {
  const act = seen.state === 'ramping' ? pauseRamp : failRelease;
  return sequenceOf(await writeAs(store, seen, (write, held) => act(write, held, reason)));
}

function writeAs<T>(
  store: Store,
  seen: ReleaseRecord,
  act: (write: UnitOfWork, held: HeldRelease) => Promise<T>,
): Promise<Written<T | Problem>> {
  return store.write(systemActor, async (write) => {
    const held = await holdRelease(write, requestOf(seen));
    return held instanceof Problem ? held : act(write, held);
  });
}

function requestOf({ environment, release, version }: ReleaseRecord): ReleaseRequest {
  return { environment, release, ifVersion: version };
}

function outcomeOf<T>({ value, sequence }: Written<T | Problem>): Proposed | Problem {
  if (value instanceof Problem) return value;
  return value === null ? null : sequence;
}

function sequenceOf<T>(written: Written<T | Problem>): Proposed {
  const outcome = outcomeOf(written);
  return outcome instanceof Problem ? null : outcome;
}

function sentenceOf({ detail, errors: [first] }: Problem): string {
  return first === undefined ? detail : `${detail} First: ${first.path}: ${first.message}.`;
}
