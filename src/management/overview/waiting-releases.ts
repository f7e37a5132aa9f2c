/** Releases that wait for one user: to approve, for their next step where they made it, or for an owner to make them live. */
import { overviewReleasesMax } from '../../contract/limits.js';
import type { Overview, WaitingRelease } from '../../contract/operations/overview.js';
import type { ReleaseState } from '../../contract/schemas/release.js';
import { summariesJson } from '../releases/release-json.js';
import { waitsFor } from '../releases/review/waits-for.js';
import type { Db } from '../store/dialect.js';
import type { Environment } from '../store/environments.js';
import { listReleasesIn, type ReleaseRecord } from '../store/releases/releases.js';
import { reviewersRequired } from '../store/review-policies.js';
import { listUserOrigins } from '../store/users/origins.js';
import type { Bearer } from '../store/users/tokens.js';

type WaitsFor = WaitingRelease['waitsFor'];

/** What the maker of a release does next; in other states it goes on by itself, or others act. */
const nextOfMaker: Readonly<Partial<Record<ReleaseState, WaitsFor>>> = {
  approved: 'go_live',
  paused: 'resume',
  stopped: 'fix',
  failed: 'fix',
  draft: 'submit',
};

const makerStates = Object.keys(nextOfMaker) as ReleaseState[];
/** In a protected environment without approvals, editors make releases and only owners can go on with them. */
const ownerStates: readonly ReleaseState[] = ['draft', 'approved', 'paused'];

type Waiting = readonly [release: ReleaseRecord, waitsFor: WaitsFor];

/** Those to approve first, then the user's own, then those of others that only an owner can make live. */
export async function findWaitingReleases(
  db: Db,
  environment: Environment,
  bearer: Bearer,
): Promise<Overview['releases']['waiting']> {
  if (bearer.user.role === 'viewer') return { total: 0, list: [] };
  const waiting = [
    ...(await findToApprove(db, environment.id, bearer)),
    ...(await findMade(db, environment, bearer)),
  ];
  const listed = waiting.slice(0, overviewReleasesMax);
  const summaries = await summariesJson(
    db,
    environment.id,
    listed.map(([release]) => release),
  );
  const list = listed.flatMap(([, waitsFor], at) => {
    const summary = summaries[at];
    return summary === undefined ? [] : [{ ...summary, waitsFor }];
  });
  return { total: waiting.length, list };
}

async function findMade(
  db: Db,
  environment: Environment,
  { user }: Bearer,
): Promise<readonly Waiting[]> {
  const releases = (await listReleasesIn(db, environment.id, makerStates)).sort(
    (one, other) => other.updatedAt - one.updatedAt,
  );
  const own = releases
    .filter(({ createdBy }) => createdBy === user.id)
    .map((release): Waiting => [release, nextOfMaker[release.state] ?? 'fix']);
  const waitForOwners =
    user.role === 'owner' &&
    environment.protected &&
    (await reviewersRequired(db, environment.id)) === 0;
  if (!waitForOwners) return own;
  const ofOthers = releases
    .filter(({ createdBy, state }) => createdBy !== user.id && ownerStates.includes(state))
    .map((release): Waiting => [release, release.state === 'paused' ? 'resume' : 'go_live']);
  return [...own, ...ofOthers];
}

async function findToApprove(
  db: Db,
  environment: string,
  bearer: Bearer,
): Promise<readonly Waiting[]> {
  if (bearer.token.source === 'environment') return [];
  const inReview = await listReleasesIn(db, environment, ['review']);
  const origins = await listUserOrigins(db);
  const found: Waiting[] = [];
  for (const release of inReview) {
    if (await waitsFor(db, release, origins, bearer)) found.push([release, 'approve']);
  }
  return found;
}
