/**
 * The one way in which a release changes: a conditional update of its state and version, in the transaction of the commit
 * that it causes, with an event of the audit, a line of its timeline and a message to webhooks (D87).
 */
import type { AuditAction } from '../../contract/events.js';
import { Problem } from '../../contract/problems.js';
import type { ReleaseState } from '../../contract/schemas/release.js';
import { eventIdsMax } from '../limits/webhooks.js';
import { insertTimeline } from '../store/releases/release-timeline.js';
import {
  findRelease,
  type ReleaseColumns,
  type ReleaseId,
  type ReleaseRecord,
  rampStates,
  updateReleaseIf,
} from '../store/releases/releases.js';
import type { ReleaseEvent, UnitOfWork } from '../store/unit-of-work.js';
import { notePlanned } from './note-planned.js';
import { canTransition, originsOf, type Transition } from './states.js';

type ReleaseAction = Extract<AuditAction, `release.${string}`>;

export interface TransitionRequest {
  readonly transition: Transition;
  readonly to: ReleaseState;
  /** What audit and timeline call it. */
  readonly action: ReleaseAction;
  /** What webhooks call it; null: they receive nothing. */
  readonly event: ReleaseEvent['type'] | null;
  /** The environment asks for approvals. */
  readonly needsReview: boolean;
  /** Players may notice: the commit takes a sequence, which the release and its timeline name. */
  readonly publishes: boolean;
  /** A sentence: why, or the comment of the user; ''. */
  readonly text: string;
  readonly columns?: ReleaseColumns;
  /** Ids of the contents that players may receive differently. */
  readonly contents?: readonly string[];
  /** What else the audit should know; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Transited {
  /** As it is now. */
  readonly release: ReleaseRecord;
  /** The event of the audit. */
  readonly auditId: string;
}

/**
 * Carries a transition out if the release is still as it was read. Nothing else is written before it succeeds: its
 * problem (`release_state`, `release_changed`) undoes nothing.
 */
export async function transit(
  write: UnitOfWork,
  seen: ReleaseRecord,
  request: TransitionRequest,
): Promise<Transited | Problem> {
  const { transition, to, action, needsReview, publishes, text, details = {} } = request;
  if (!canTransition(seen.state, transition, needsReview)) {
    return wrongState(seen, transition, needsReview);
  }
  const sequence = publishes ? write.takeSequence() : null;
  const columns = { ...request.columns, state: to, ...(sequence === null ? {} : { sequence }) };
  const now = await updateReleaseIf(write, seen, columns);
  if (now === null) return changedSince(write, seen, transition, needsReview);
  const { environment, release, state } = now;
  const permille = permilleOf(now);
  await insertTimeline(write, now, { event: action, state, sequence, permille, text });
  const auditId = await write.audit(action, environment, String(release), {
    ...{ title: now.title, from: seen.state, to },
    ...(permille === null ? {} : { percent: permille / 10 }),
    ...(text === '' ? {} : { reason: text }),
    ...details,
  });
  if (notedActions.has(action)) await notePlanned(write, auditId, now);
  if (request.event !== null) report(write, now, request.event, text, request.contents ?? []);
  return { release: now, auditId };
}

/** Steps of a release that the audit of each of its contents shows. Going live and reverting note what they did themselves. */
const notedActions: ReadonlySet<ReleaseAction> = new Set([
  ...(['release.submit', 'release.approve', 'release.reject', 'release.schedule'] as const),
  ...(['release.start', 'release.step', 'release.stop', 'release.fail', 'release.cancel'] as const),
]);

/** The share of users that are in, in permille; null: the release does not ramp. */
export function permilleOf({ state, steps, step }: ReleaseRecord): number | null {
  if (!rampStates.includes(state)) return null;
  return Math.round((steps[step]?.percent ?? 0) * 10);
}

/** Rejects what was made from an older version of the release. */
export function rejectOtherVersion(
  { release, version }: ReleaseRecord,
  ifVersion: number | undefined,
): Problem | null {
  if (ifVersion === undefined || ifVersion === version) return null;
  const detail = `Release ${release} was changed meanwhile: it has version ${version} now, not ${ifVersion}. Look at it again.`;
  return new Problem('release_changed', detail, [], { release, version });
}

export function releaseUnknown({ environment, release }: ReleaseId): Problem {
  const detail = `The environment "${environment}" has no release ${release}.`;
  return new Problem('release_not_found', detail);
}

/** What a release is in each state, after "is". */
const stateWords: Readonly<Record<ReleaseState, string>> = {
  draft: 'a draft',
  review: 'in review',
  approved: 'approved',
  scheduled: 'scheduled',
  ramping: 'ramping',
  paused: 'paused',
  stopped: 'stopped',
  live: 'live',
  reverted: 'reverted',
  failed: 'marked as failed',
  cancelled: 'cancelled',
};

const verbs: Readonly<Record<Transition, string>> = {
  edit: 'be edited',
  submit: 'be submitted',
  approve: 'be approved',
  reject: 'be sent back',
  schedule: 'be scheduled',
  unschedule: 'be taken off its schedule',
  start: 'start',
  step: 'take its next step',
  pause: 'be paused',
  resume: 'go on',
  stop: 'be stopped',
  live: 'go live',
  emergency: 'go live in an emergency',
  revert: 'be reverted',
  cancel: 'be cancelled',
  fail: 'fail',
};

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

export function wrongState(
  { release, state, version }: ReleaseRecord,
  transition: Transition,
  needsReview: boolean,
): Problem {
  const words = originsOf(transition, needsReview).map((origin) => stateWords[origin]);
  const states = alternatives.format(words);
  const detail = `Release ${release} is ${stateWords[state]}: it can ${verbs[transition]} only while it is ${states}.`;
  return new Problem('release_state', detail, [], { release, state, version });
}

/** Another write came between the reading of the release and this one. */
async function changedSince(
  { db }: UnitOfWork,
  seen: ReleaseRecord,
  transition: Transition,
  needsReview: boolean,
): Promise<Problem> {
  const now = await findRelease(db, seen.environment, seen.release);
  if (now === null) return releaseUnknown(seen);
  if (now.state !== seen.state) return wrongState(now, transition, needsReview);
  return rejectOtherVersion(now, seen.version) ?? wrongState(now, transition, needsReview);
}

function report(
  write: UnitOfWork,
  release: ReleaseRecord,
  type: ReleaseEvent['type'],
  reason: string,
  contents: readonly string[],
): void {
  const { environment, release: number, title, state } = release;
  const permille = permilleOf(release);
  const percent = permille === null ? null : permille / 10;
  const data = { environment, release: number, title, state, percent, reason };
  switch (type) {
    case 'release.started':
    case 'release.stepped':
    case 'release.stopped':
    case 'release.live':
    case 'release.reverted': {
      const reaches = contents.slice(0, eventIdsMax);
      const cut = contents.length > eventIdsMax;
      write.reportRelease({ type, data: { ...data, contents: contents.length, reaches, cut } });
      break;
    }
    default:
      write.reportRelease({ type, data });
  }
}
