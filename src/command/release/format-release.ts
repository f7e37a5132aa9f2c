/** Formats a release: where it stands, its changes, and the two slices of its ramp. */

import type {
  Release,
  ReleaseBrake,
  ReleaseChange,
  ReleaseState,
  ReleaseStep,
} from '../../contract/schemas/release.js';
import { counted } from '../terminal/counted.js';
import { oneLine } from '../terminal/output.js';

type Ramp = NonNullable<Release['ramp']>;
type SliceCounts = NonNullable<Ramp['counts']>['candidate'];

const minutesPerHour = 60;
const minutesPerDay = 24 * minutesPerHour;

/** `Release 3 of prod is in review: 1 of 2 approvals.` With the reason of a pause, a stop or a failure. */
export function formatState(release: Release): string {
  const { release: number, environment } = release;
  const detail = stateDetails[release.state](release);
  const ending = release.reason === '' ? '.' : `: ${release.reason}`;
  return oneLine(`Release ${number} of ${environment} ${detail}${ending}`);
}

const stateDetails: Readonly<Record<ReleaseState, (release: Release) => string>> = {
  draft: ({ changes }) => `is a draft with ${counted(changes.length, 'change')}`,
  review: ({ review }) => {
    const given = review.approvals.filter(({ counts }) => counts).length;
    return `is in review: ${given} of ${counted(review.required, 'approval')}`;
  },
  approved: () => 'is approved',
  scheduled: ({ scheduledAt }) => `is scheduled for ${scheduledAt}`,
  ramping: (release) => `is ramping${formatPlace(release)}${formatNext(release)}`,
  paused: (release) => `is paused${formatPlace(release)}`,
  live: ({ liveAt }) => `is live since ${liveAt}`,
  reverted: ({ endedAt }) => `was reverted at ${endedAt}`,
  stopped: ({ endedAt }) => `was stopped at ${endedAt}`,
  failed: ({ endedAt }) => `failed at ${endedAt}`,
  cancelled: ({ endedAt }) => `was cancelled at ${endedAt}`,
};

/** ` at 10 % (step 2 of 3)`. */
function formatPlace({ ramp, steps }: Release): string {
  return ramp === null ? '' : ` at ${ramp.percent} % (step ${ramp.step + 1} of ${steps.length})`;
}

/** `; 50 % follow at <time>`. */
function formatNext({ ramp, steps }: Release): string {
  if (ramp === null || ramp.next === null) return '';
  const { action, at } = ramp.next;
  const next = steps[ramp.step + 1];
  const what =
    action === 'live' || next === undefined ? 'it goes live' : `${next.percent} % follow`;
  return `; ${what} at ${at}`;
}

/** `content shop: revision 12 (revision 11 is live), by ada: winter prices`. */
export function formatChange(change: ReleaseChange): string {
  if (change.kind === 'environment') return `environment: ${formatEnvironmentEdit(change)}`;
  const name = change.kind === 'content' ? change.id : change.name;
  const { base, live, author, note } = change;
  const what = change.revision === null ? 'deletion' : `revision ${change.revision}`;
  const over = live === null ? 'nothing is live' : `revision ${live} is live`;
  const was = base === null ? 'nothing live' : `revision ${base}`;
  const conflict = change.conflict ? ` CONFLICT: its base was ${was}` : '';
  const by = author === '' ? '' : `, by ${author}`;
  const why = note === '' ? '' : `: ${note}`;
  return oneLine(`${change.kind} ${name}: ${what} (${over})${conflict}${by}${why}`);
}

function formatEnvironmentEdit({
  edit,
}: Extract<ReleaseChange, { readonly kind: 'environment' }>): string {
  const parts: string[] = [];
  if (edit.review !== undefined) parts.push(`asks for ${counted(edit.review, 'approval')}`);
  if (edit.protected !== undefined) parts.push(edit.protected ? 'protected' : 'not protected');
  if (edit.confirm !== undefined) {
    parts.push(edit.confirm ? 'has findings confirmed' : 'confirms no findings');
  }
  const guarded = Object.keys(edit.guards ?? {});
  if (guarded.length > 0) parts.push(`other guards of ${guarded.join(', ')}`);
  if (edit.layers !== undefined) {
    parts.push(`the layers ${edit.layers.map(({ name }) => name).join(', ') || 'none'}`);
  }
  if (edit.holdout !== undefined) parts.push(formatHoldout(edit.holdout));
  if (edit.delete === true) parts.push('deleted');
  return parts.join(', ');
}

function formatHoldout(
  holdout: NonNullable<Extract<ReleaseChange, { kind: 'environment' }>['edit']['holdout']> | null,
): string {
  return holdout === null ? 'no holdout' : `a holdout of ${holdout.groups.join('-')}`;
}

/** `1 % for 10 min, 100 % for 1 h`. */
export function formatSteps(steps: readonly ReleaseStep[]): string {
  if (steps.length === 0) return 'none: it goes live at once';
  return steps
    .map(({ percent, holdMinutes }) => `${percent} % for ${formatMinutes(holdMinutes)}`)
    .join(', ');
}

/** `stops when players miss healthy starts, waited for 10 min, or when up is below 1 for 2 min`. */
export function formatBrake(brake: ReleaseBrake | null): string {
  if (brake === null || (brake.receipts === null && brake.query === null)) return 'none';
  const causes: string[] = [];
  if (brake.receipts !== null) {
    const wait = formatMinutes(brake.receipts.minutes);
    causes.push(`when players miss healthy starts, waited for ${wait}`);
  }
  if (brake.query !== null) {
    const { query, above, below, minutes, noData } = brake.query;
    const bound = above === undefined ? `below ${below}` : `above ${above}`;
    const silence = noData === 'bad' ? '; no data counts as bad' : '';
    causes.push(`when ${query} is ${bound} for ${formatMinutes(minutes)}${silence}`);
  }
  return oneLine(`${brake.action}s ${causes.join(', or ')}`);
}

/** Both slices in one line: `candidate 1204 users, 9 missing; control 1198 users, 7 missing`. */
export function formatCounts({ counts }: Ramp): string {
  if (counts === null) return 'no receipts are counted';
  return `candidate ${formatSlice(counts.candidate)}; control ${formatSlice(counts.control)}`;
}

/** `failed` is a part of `missing`. */
function formatSlice({ users, missing, failed }: SliceCounts): string {
  const crashed = failed === 0 ? '' : ` (${failed} reported a crash)`;
  return `${counted(users, 'user')}, ${missing} missing${crashed}`;
}

/** `1 h 30 min`. */
export function formatMinutes(minutes: number): string {
  const parts: string[] = [];
  const days = Math.floor(minutes / minutesPerDay);
  const hours = Math.floor((minutes % minutesPerDay) / minutesPerHour);
  const rest = minutes % minutesPerHour;
  if (days > 0) parts.push(`${days} d`);
  if (hours > 0) parts.push(`${hours} h`);
  if (rest > 0 || parts.length === 0) parts.push(`${rest} min`);
  return parts.join(' ');
}
