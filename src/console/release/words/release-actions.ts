/** What a person can do with a release in its state, and why something cannot be done. Pure. */
import type { Release } from '../../../contract/schemas/release.js';
import {
  keyOfChange,
  listNames,
  nameOfChange,
  titleOfChange,
} from '../../releases/words/change-words.js';

export type ActionName =
  | 'submit'
  | 'start'
  | 'live'
  | 'schedule'
  | 'unschedule'
  | 'pause'
  | 'resume'
  | 'stop'
  | 'revert'
  | 'cancel'
  | 'emergency';

export interface ReleaseAction {
  readonly name: ActionName;
  readonly label: string;
  /** Why it cannot be done now, as a sentence that says what to do; null: it can. */
  readonly reason: string | null;
}

export interface Actor {
  /** Why the user may change nothing here; null: they may. */
  readonly readOnlyReason: string | null;
  readonly isOwner: boolean;
  /** Where no approvals are asked for, only owners let releases of a protected environment reach players. */
  readonly isProtected: boolean;
}

/** The next step first; it is the primary button. */
export function actionsOf(release: Release, actor: Actor): ReleaseAction[] {
  const { readOnlyReason } = actor;
  return namesOf(release, actor).map(([name, label]) => ({
    name,
    label,
    reason: readOnlyReason ?? ownersReason(release, name, actor) ?? blockedReason(release, name),
  }));
}

type Named = readonly [ActionName, string];

function namesOf(release: Release, { isOwner }: Actor): Named[] {
  const { state, steps, review } = release;
  const isDirect = review.required === 0;
  const go: Named[] =
    steps.length > 0
      ? [
          ['start', 'Start ramp'],
          ['live', 'Go live for all'],
        ]
      : [['live', 'Go live']];
  const emergency: Named[] =
    isOwner && !isDirect ? [['emergency', 'Emergency: go live without approval']] : [];
  const cancel: Named = ['cancel', 'Cancel release'];
  switch (state) {
    case 'draft':
      return isDirect
        ? [...go, ['schedule', 'Schedule'], cancel]
        : [['submit', 'Submit for review'], cancel, ...emergency];
    case 'review':
      return [cancel, ...emergency];
    case 'approved':
      return [...go, ['schedule', 'Schedule'], cancel];
    case 'scheduled':
      return [...go, ['schedule', 'Change time'], ['unschedule', 'Remove schedule'], cancel];
    case 'ramping':
      return [
        ['pause', 'Pause'],
        ['stop', 'Stop'],
        ['live', 'Live now'],
      ];
    case 'paused':
      return [
        ['resume', 'Resume'],
        ['stop', 'Stop'],
        ['live', 'Live now'],
      ];
    case 'stopped':
    case 'failed':
      return [
        ['submit', isDirect ? 'Make ready again' : 'Submit for review'],
        cancel,
        ...emergency,
      ];
    case 'live':
      return [['revert', 'Revert']];
    case 'reverted':
    case 'cancelled':
      return [];
  }
}

const ownersActs: ReadonlySet<ActionName> = new Set([
  'start',
  'live',
  'schedule',
  'resume',
  'revert',
]);

function ownersReason(
  { review }: Release,
  name: ActionName,
  { isOwner, isProtected }: Actor,
): string | null {
  return isProtected && !isOwner && review.required === 0 && ownersActs.has(name)
    ? 'The environment is protected: ask an owner to go on.'
    : null;
}

const goingOn: ReadonlySet<ActionName> = new Set(['submit', 'start', 'live', 'schedule', 'resume']);

function blockedReason(release: Release, name: ActionName): string | null {
  if (!goingOn.has(name)) return null;
  const { changes, overlaps } = release;
  if (changes.length === 0) return 'Add a change first.';
  const conflicts = changes.filter(({ conflict }) => conflict);
  if (conflicts.length > 0) {
    const names = conflicts.map((change) => titleOfChange(nameOfChange(change)));
    return `What is live has changed since: rebase or drop ${listNames(names)}.`;
  }
  if ((name === 'start' || name === 'live') && overlaps.length > 0) {
    const others = listNames(overlaps.map((number) => `#${number}`));
    return `${others} ramps and reaches the same: wait until it is live, or stop it.`;
  }
  return null;
}

export interface Approver {
  readonly name: string;
  readonly role: 'support' | 'viewer' | 'editor' | 'owner';
  /** The server lists the release among those that wait for this user; null: not known yet. */
  readonly isAsked: boolean | null;
}

/** Why this user cannot approve the release now; null: they can. */
export function whyNoApproval(release: Release, approver: Approver): string | null {
  const { name, role, isAsked } = approver;
  const { review, changes } = release;
  if (role === 'viewer') return 'You are a viewer: ask an editor or an owner to approve it.';
  if (review.approvals.some(({ user, counts }) => user === name && counts)) {
    return 'You have approved it. Someone else gives the next approval.';
  }
  const own = changes.filter((change) => isBy(change, name));
  if (own.length > 0) {
    const names = own.map((change) => titleOfChange(nameOfChange(change)));
    return `You worked on ${listNames(names)}: someone else approves it.`;
  }
  if (release.createdBy === name) return 'You made this release: someone else approves it.';
  const conflicts = changes.filter(({ conflict }) => conflict);
  if (conflicts.length > 0) {
    return `What is live has changed since: ${listNames(conflicts.map(keyOfChange))} must be rebased or dropped first.`;
  }
  if (isAsked === false) {
    return 'Your approval does not count: it takes a person with edit rights here who existed before it was submitted and was not added by its author.';
  }
  return null;
}

function isBy(change: Release['changes'][number], name: string): boolean {
  return change.addedBy === name || (change.kind !== 'environment' && change.author === name);
}
