/** A ramp under way: it starts, takes its steps, is paused and resumed, and is stopped. Each is one commit with one sequence. */
import { Problem } from '../../contract/problems.js';
import type { ConfirmRequest } from '../guards/confirmation.js';
import { recordRamp } from '../store/releases/ramp-history.js';
import { deleteReach, insertReach } from '../store/releases/release-reach.js';
import type { ReleaseColumns, ReleaseRecord } from '../store/releases/releases.js';
import type { ReleaseEvent, UnitOfWork } from '../store/unit-of-work.js';
import { readChangeFacts } from './change-facts.js';
import { type CheckedRelease, checkAgain, rejectState, stillHolds } from './check-release.js';
import { type HeldRelease, rejectActor } from './held-release.js';
import { heldMsAt } from './leader/next-action.js';
import { computeReach, markReach, namesOfReach, type Reach, readReach } from './reach.js';
import {
  rejectConflicts,
  rejectExperimentRamp,
  rejectOverlap,
  rejectOwnSettings,
  rejectUnapproved,
} from './readiness.js';
import { foundInRelease, keepFound, rejectFoundInRelease } from './release-confirmation.js';
import { type PlainTransition, targetOf } from './states.js';
import { type Transited, transit } from './transition.js';

type RampTransition = Extract<PlainTransition, 'start' | 'step' | 'pause' | 'resume' | 'stop'>;

const names = {
  start: ['release.start', 'release.started'],
  step: ['release.step', 'release.stepped'],
  pause: ['release.pause', 'release.paused'],
  resume: ['release.resume', 'release.resumed'],
  stop: ['release.stop', 'release.stopped'],
} as const satisfies Record<RampTransition, readonly [`release.${string}`, ReleaseEvent['type']]>;

/** The first step begins. What it reaches is locked until the ramp ends. */
export async function startRamp(
  write: UnitOfWork,
  held: HeldRelease,
  checked: CheckedRelease,
  text: string,
  request: ConfirmRequest,
): Promise<Transited | Problem | typeof checkAgain> {
  const { release } = held;
  const rejected =
    rejectState(held, 'start') ?? rejectActor(held, write) ?? rejectStepless(release);
  if (rejected !== null) return rejected;
  const facts = await readChangeFacts(write.db, release);
  const reach = await computeReach(write.db, release.environment, facts);
  const unready =
    (await rejectUnapproved(write.db, release)) ??
    rejectOwnSettings(held, facts) ??
    rejectConflicts(release, facts) ??
    (await rejectExperimentRamp(write.db, release, facts)) ??
    (await rejectOverlap(write.db, release, reach));
  if (unready !== null) return unready;
  if (!(await stillHolds(write.db, release, checked))) return checkAgain;
  const found = await foundInRelease(write.db, release, facts, checked.found, request);
  if (found instanceof Problem) return found;
  const unconfirmed = await rejectFoundInRelease(write.db, held, found, request);
  if (unconfirmed !== null) return unconfirmed;
  const started = await move(write, held, 'start', reach, text, {
    ...{ run: release.run + 1, step: 0, stepAt: write.at, heldMs: 0, countedBelow: '' },
    ...{ scheduledAt: null, toleranceMs: 0, reason: '', endedAt: null },
  });
  if (started instanceof Problem) return started;
  await insertReach(write, release, namesOfReach(reach));
  await recordRamp(write, release, namesOfReach(reach));
  await keepFound(write, held, found, request);
  return started;
}

/** The next step begins: more users are in. */
export async function takeStep(write: UnitOfWork, held: HeldRelease): Promise<Transited | Problem> {
  const { release } = held;
  const unapproved = await rejectUnapproved(write.db, release);
  if (unapproved !== null) return unapproved;
  const step = release.step + 1;
  const text = `Step ${step + 1} of ${release.steps.length}.`;
  const reach = await reachOf(write, release);
  return move(write, held, 'step', reach, text, {
    ...{ step, stepAt: write.at, heldMs: 0, countedBelow: '' },
  });
}

/** Freezes membership. The time that the step has lasted counts when the ramp goes on. */
export async function pauseRamp(
  write: UnitOfWork,
  held: HeldRelease,
  reason: string,
): Promise<Transited | Problem> {
  const { release } = held;
  const reach = await reachOf(write, release);
  return move(write, held, 'pause', reach, reason, {
    ...{ stepAt: null, heldMs: heldMsAt(release, write.at), reason },
  });
}

/** Goes on with the step that was paused. */
export async function resumeRamp(
  write: UnitOfWork,
  held: HeldRelease,
): Promise<Transited | Problem> {
  const { release } = held;
  const rejected = rejectState(held, 'resume') ?? rejectActor(held, write);
  if (rejected !== null) return rejected;
  const facts = await readChangeFacts(write.db, release);
  const unready = (await rejectUnapproved(write.db, release)) ?? rejectConflicts(release, facts);
  if (unready !== null) return unready;
  const reach = await readReach(write.db, release, facts);
  return move(write, held, 'resume', reach, '', { stepAt: write.at, reason: '' });
}

/** Withdraws the candidate: no user is in any longer, and what is live was never touched. Every editor may stop a ramp. */
export async function stopRamp(
  write: UnitOfWork,
  held: HeldRelease,
  reason: string,
): Promise<Transited | Problem> {
  const { release } = held;
  const reach = await reachOf(write, release);
  const stopped = await move(write, held, 'stop', reach, reason, {
    ...{ stepAt: null, heldMs: 0, reason, endedAt: write.at },
  });
  if (!(stopped instanceof Problem)) await deleteReach(write, release);
  return stopped;
}

async function reachOf({ db }: UnitOfWork, release: ReleaseRecord): Promise<Reach> {
  return readReach(db, release, await readChangeFacts(db, release));
}

async function move(
  write: UnitOfWork,
  { release, needsReview }: HeldRelease,
  transition: RampTransition,
  reach: Reach,
  text: string,
  columns: ReleaseColumns,
): Promise<Transited | Problem> {
  const [action, event] = names[transition];
  const done = await transit(write, release, {
    ...{ transition, to: targetOf(transition), action, event, needsReview, text, columns },
    ...{ publishes: true, contents: [...reach.contents.values()] },
  });
  if (!(done instanceof Problem)) markReach(write, release.environment, reach);
  return done;
}

function rejectStepless({ release, steps, state, version }: ReleaseRecord): Problem | null {
  if (steps.length > 0) return null;
  const detail = `Release ${release} has no steps: give it some, or make it live at once.`;
  return new Problem('release_state', detail, [], { release, state, version });
}
