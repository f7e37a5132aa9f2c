/** Writes what delivery processes have reported of a ramp's users: each user once per step, and no more than are needed. */
import type { CountedUser, ReceiptBatch } from '../../../published/barrier.js';
import {
  countedUsersMax,
  countedUsersPerNetworkMax,
  receiptGraceMs,
} from '../../limits/releases.js';
import {
  countCountedUsers,
  dropEarlierSteps,
  dropUsersFrom,
  findCountedUsers,
  findHashAt,
  insertCountedUsers,
  listLargeNetworks,
  type ReleaseUser,
  type StepId,
  setOutcomes,
} from '../../store/releases/release-users.js';
import { findRelease, type ReleaseRecord, rampStates } from '../../store/releases/releases.js';
import type { UnitOfWork } from '../../store/unit-of-work.js';

/** How many users are counted. */
export interface CountLimits {
  readonly users: number;
  readonly usersPerNetwork: number;
}

const usualLimits: CountLimits = {
  users: countedUsersMax,
  usersPerNetwork: countedUsersPerNetworkMax,
};

/** How long after a start a user without a healthy one is missing for good, milliseconds; null: no user is counted. */
export function receiptMsMax({ brake }: Pick<ReleaseRecord, 'brake'>): number | null {
  const receipts = brake?.receipts ?? null;
  return receipts === null ? null : receipts.minutes * 60_000 + receiptGraceMs;
}

/**
 * A plain write without a sequence. What is of another run or step than the present one is dropped.
 * @returns users whose outcome is known, and whose start is not
 */
export async function countUsers(
  write: UnitOfWork,
  { environment, release: number, run, step, users }: ReceiptBatch,
  limits: CountLimits = usualLimits,
): Promise<readonly CountedUser[]> {
  const release = await findRelease(write.db, environment, Number(number));
  if (release === null || !rampStates.includes(release.state)) return [];
  const msMax = receiptMsMax(release);
  if (msMax === null || release.run !== run || release.step !== step) return [];
  const stepId: StepId = { environment, release: release.release, run, step };
  const passedBefore = write.at - msMax;
  const counted = users.filter(({ userHash }) => isCounted(userHash, release.countedBelow));
  await dropEarlierSteps(write, stepId);
  const { isMore, startless } = await mergeUsers(write, stepId, counted, passedBefore);
  if (isMore) {
    await boundNetworks(write, stepId, limits.usersPerNetwork, passedBefore);
    await boundUsers(write, stepId, release.countedBelow, limits.users, passedBefore);
  }
  return startless;
}

/** @param below 16 hex digits; '' for all */
function isCounted(userHash: string, below: string): boolean {
  return below === '' || userHash < below;
}

interface Merged {
  /** There are more users than before. */
  readonly isMore: boolean;
  readonly startless: readonly CountedUser[];
}

async function mergeUsers(
  write: UnitOfWork,
  step: StepId,
  users: readonly CountedUser[],
  passedBefore: number,
): Promise<Merged> {
  const hashes = users.map(({ userHash }) => userHash);
  const known = await findCountedUsers(write.db, step, hashes);
  const [added, healthy, failed]: [ReleaseUser[], string[], string[]] = [[], [], []];
  const startless: CountedUser[] = [];
  for (const user of users) {
    const { userHash, slice, network, startedAt, ok } = user;
    const row = known.get(userHash);
    if (row === undefined) {
      if (startedAt === null) {
        startless.push(user);
        continue;
      }
      const firstAt = Math.min(Math.trunc(startedAt), write.at);
      added.push({
        ...step,
        userHash,
        slice,
        network,
        firstAt,
        ok: ok === null ? null : Number(ok),
      });
    } else if (row.ok === null && row.firstAt >= passedBefore) {
      // Another start before the first one was confirmed: that one has failed.
      const hasRestarted = startedAt !== null && startedAt > row.firstAt;
      if (hasRestarted || ok === false) failed.push(userHash);
      else if (ok === true) healthy.push(userHash);
    }
  }
  await insertCountedUsers(write, added);
  await setOutcomes(write, step, healthy, 1);
  await setOutcomes(write, step, failed, 0);
  return { isMore: added.length > 0, startless };
}

/** Of a network with too many users, those with the lowest hashes are counted: blind to slice and outcome. */
async function boundNetworks(
  write: UnitOfWork,
  step: StepId,
  usersMax: number,
  passedBefore: number,
): Promise<void> {
  for (const network of await listLargeNetworks(write.db, step, usersMax)) {
    const from = await findHashAt(write.db, step, network, usersMax);
    if (from !== undefined) await dropUsersFrom(write, step, network, from, passedBefore);
  }
}

/** Halves the hashes that are counted, of both slices alike, until there are few enough users. */
async function boundUsers(
  write: UnitOfWork,
  step: StepId,
  countedBelow: string,
  usersMax: number,
  passedBefore: number,
): Promise<void> {
  let below = countedBelow === '' ? allHashes : BigInt(`0x${countedBelow}`);
  const before = below;
  while (below > 0n && (await countCountedUsers(write.db, step)) > usersMax) {
    below /= 2n;
    await dropUsersFrom(write, step, null, textOf(below), passedBefore);
  }
  if (below === before) return;
  const { environment, release } = step;
  await write.db
    .updateTable('releases')
    .set({ countedBelow: textOf(below) })
    .where((where) => where.and({ environment, release }))
    .execute();
}

const allHashes = 2n ** 64n;

function textOf(hash: bigint): string {
  return hash.toString(16).padStart(16, '0');
}
