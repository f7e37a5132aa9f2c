/** The changes of a release for people. Pure. */
import type { ChangeName, ReleaseChange, ReleaseState } from '../../../contract/schemas/release.js';
import { counted } from '../../parts/counted.js';

export function nameOfChange(change: ReleaseChange): ChangeName {
  if (change.kind === 'content') return { kind: 'content', id: change.id };
  if (change.kind === 'segment') return { kind: 'segment', name: change.name };
  return { kind: 'environment' };
}

/** Distinguishes the changes of a release. */
export function keyOfChange(change: ChangeName): string {
  if (change.kind === 'content') return `content ${change.id}`;
  return change.kind === 'segment' ? `segment ${change.name}` : 'environment';
}

/** What the change is of: `shop`, `segment whales`, `settings of the environment`. */
export function titleOfChange(change: ChangeName): string {
  if (change.kind === 'content') return change.id;
  return change.kind === 'segment' ? `segment ${change.name}` : 'settings of the environment';
}

/**
 * What the change is compared with: what is live now, or, once the release has been live, what it replaced.
 * Null: nothing was live.
 */
export function comparedRevision(
  { base, live }: Exclude<ReleaseChange, { kind: 'environment' }>,
  state: ReleaseState,
): number | null {
  return state === 'live' || state === 'reverted' ? base : live;
}

/** `r3 → r4`, `new, r1`, `deleted`, `2 approvals needed`. */
export function describeChange(change: ReleaseChange, state: ReleaseState): string {
  if (change.kind === 'environment') return describeEdit(change.edit);
  const { revision } = change;
  const live = comparedRevision(change, state);
  if (revision === null) return live === null ? 'deleted' : `r${live} deleted`;
  if (live === revision) return `r${revision}, live already`;
  return live === null ? `new, r${revision}` : `r${live} → r${revision}`;
}

type EnvironmentEdit = Extract<ReleaseChange, { kind: 'environment' }>['edit'];

function describeEdit(edit: EnvironmentEdit): string {
  const parts: string[] = [];
  if (edit.review !== undefined) parts.push(describeReview(edit.review));
  if (edit.protected !== undefined) parts.push(edit.protected ? 'protected' : 'not protected');
  if (edit.confirm !== undefined) parts.push(describeConfirm(edit.confirm));
  for (const [id, guards] of Object.entries(edit.guards ?? {})) {
    parts.push(`${counted(guards.length, 'guard')} of ${id}`);
  }
  if (edit.layers !== undefined)
    parts.push(`layers: ${listNames(edit.layers.map(({ name }) => name)) || 'none'}`);
  if (edit.holdout !== undefined)
    parts.push(edit.holdout === null ? 'no holdout' : `holdout ${edit.holdout.groups.join('–')}`);
  if (edit.delete === true) parts.push('environment deleted');
  return parts.join(', ');
}

/** Of the policy of an environment. */
export function describeReview(approvals: number): string {
  if (approvals === 0) return 'no review needed';
  return approvals === 1 ? '1 approval needed' : `${approvals} approvals needed`;
}

/** Whether an environment rejects what was not confirmed. */
export function describeConfirm(isRequired: boolean): string {
  return isRequired ? 'findings must be confirmed' : 'findings need no confirmation';
}

/** `shop, offers and segment whales`; the rest is counted. */
export function listNames(names: readonly string[], max = 6): string {
  if (names.length > max) return `${names.slice(0, max).join(', ')} and ${names.length - max} more`;
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
