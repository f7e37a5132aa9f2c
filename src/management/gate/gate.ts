/**
 * The gate of every write that changes what players receive: the review policy of the environment, and what a ramp has locked.
 * Each way to publish asks here within its transaction; a dry run asks on its snapshot. Releases themselves do not.
 */
import { Problem } from '../../contract/problems.js';
import { formatApprovals, formatNames } from '../format-names.js';
import type { Db } from '../store/dialect.js';
import {
  findAnyRamp,
  findReached,
  findReachedUsers,
  type ReachedName,
} from '../store/releases/release-reach.js';
import { findRelease } from '../store/releases/releases.js';
import { reviewersRequired } from '../store/review-policies.js';

/** What a write changes for players. */
export interface Touched {
  /** Lower-case ids. */
  readonly contents?: Iterable<string>;
  readonly segments?: Iterable<string>;
  /** Saved segments of states that go live: a ramp that changes one would reach further. */
  readonly uses?: Iterable<string>;
}

const asDraft = 'save it as a draft and put it into a release';

/**
 * Why the write may not reach players; null: it may.
 * @param instead how it becomes a release, as part of a sentence
 */
export async function rejectPublish(
  db: Db,
  environment: string,
  touched: Touched,
  instead: string = asDraft,
): Promise<Problem | null> {
  return (
    (await rejectUnreviewed(db, environment, instead)) ?? rejectLocked(db, environment, touched)
  );
}

/** Null: the environment asks for no approvals. */
async function rejectUnreviewed(
  db: Db,
  environment: string,
  instead: string,
): Promise<Problem | null> {
  const required = await reviewersRequired(db, environment);
  if (required === 0) return null;
  const detail = `Nothing reaches the players of "${environment}" without ${formatApprovals(required)}: ${instead}.`;
  return new Problem('release_required', detail, [], { required });
}

/** Null: no release that ramps or is paused reaches any of it. */
export async function rejectLocked(
  db: Db,
  environment: string,
  { contents = [], segments = [], uses = [] }: Touched,
): Promise<Problem | null> {
  if ((await findAnyRamp(db, environment)) === null) return null;
  const changed = [...segments];
  const names: ReachedName[] = [
    ...[...contents].map((name) => ({ kind: 'content' as const, name })),
    ...[...new Set([...changed, ...uses])].map((name) => ({ kind: 'segment' as const, name })),
  ];
  const reached = [
    ...(await findReached(db, environment, names)),
    ...(await findReachedUsers(db, environment, changed)),
  ];
  const [first] = reached;
  if (first === undefined) return null;
  const items = reached.filter(({ release }) => release === first.release);
  return locked(db, environment, first.release, items);
}

/**
 * The environment cannot go while a release ramps in it.
 * @param except the release that deletes it
 */
export async function rejectRamping(
  db: Db,
  environment: string,
  except?: number,
): Promise<Problem | null> {
  const release = await findAnyRamp(db, environment, except);
  return release === null ? null : locked(db, environment, release, []);
}

async function locked(
  db: Db,
  environment: string,
  number: number,
  items: readonly ReachedName[],
): Promise<Problem> {
  const release = await findRelease(db, environment, number);
  const named = new Set(
    items.map(({ kind, name }) => (kind === 'segment' ? `segment ${name}` : name)),
  );
  const reaches = named.size === 0 ? '' : ` and reaches ${formatNames(named)}`;
  const detail = `Release ${number} ("${release?.title ?? ''}") is ${release?.state ?? 'ramping'}${reaches}: wait until it is live, or stop it.`;
  return new Problem('release_active', detail, [], { release: number });
}
