/** What the receipts of a ramp's present step say: counts of both slices, and the evidence for a fault. */
import type { Release } from '../../../contract/schemas/release.js';
import type { Db } from '../../store/dialect.js';
import {
  type CountedKind,
  countNetworks,
  listCountedKinds,
  listMissingUsers,
  type StepId,
} from '../../store/releases/release-users.js';
import { type ReleaseRecord, rampStates } from '../../store/releases/releases.js';
import { permilleOf } from '../transition.js';
import { receiptMsMax } from './count-users.js';
import { CountedNetworks } from './counted-networks.js';
import { candidateShare, evidenceLimit, evidenceOf } from './evidence.js';

type Ramp = NonNullable<Release['ramp']>;

export interface StepReceipts {
  /** Null: the ramp has no receipts. */
  readonly counts: Ramp['counts'];
  /** Null: there are no receipts, or everybody is in and there is nothing to compare with. */
  readonly evidence: Ramp['evidence'];
}

const noReceipts: StepReceipts = { counts: null, evidence: null };

/**
 * Users of one slice below which nothing is compared: each network then contributes at most 2 % of it, since it counts once
 * at least.
 */
const sliceUsersMin = 50;

/** @param nowMs milliseconds since the epoch */
export async function readStepReceipts(
  db: Db,
  release: ReleaseRecord,
  nowMs: number,
): Promise<StepReceipts> {
  const msMax = receiptMsMax(release);
  if (msMax === null || !rampStates.includes(release.state)) return noReceipts;
  const { environment, run, step } = release;
  const of: StepId = { environment, release: release.release, run, step };
  const passedBefore = nowMs - msMax;
  const kinds = await listCountedKinds(db, of, passedBefore);
  const networks = await countNetworks(db, of);
  const kindsOf = (slice: CountedKind['slice']) => kinds.filter((kind) => kind.slice === slice);
  const [candidate, control] = [kindsOf('candidate'), kindsOf('control')];
  const counts = {
    candidate: { ...countsOf(candidate), networks: networks.get('candidate') ?? 0 },
    control: { ...countsOf(control), networks: networks.get('control') ?? 0 },
  };
  const share = candidateShare(permilleOf(release) ?? 0);
  if (share === null) return { counts, evidence: null };
  const isEarly = Math.min(passedOf(candidate), passedOf(control)) < sliceUsersMin;
  const value = isEarly ? 1 : await evidenceIn(db, of, passedBefore, share);
  return { counts, evidence: { value, limit: evidenceLimit(release.steps.length) } };
}

/** Why the receipts stop a release; null: they do not. */
export async function receiptsTrip(
  db: Db,
  release: ReleaseRecord,
  nowMs: number,
): Promise<string | null> {
  const { counts, evidence } = await readStepReceipts(db, release, nowMs);
  if (counts === null || evidence === null || evidence.value < evidence.limit) return null;
  const { candidate, control } = counts;
  const minutes = release.brake?.receipts?.minutes ?? 0;
  const decided = ({ users, waiting }: typeof candidate) => figure(users - waiting);
  return `Of ${decided(candidate)} players with the release, ${figure(candidate.missing)} have not confirmed a healthy start within ${minutes} min; of ${decided(control)} without it, ${figure(control.missing)}. They come from ${figure(candidate.networks)} and ${figure(control.networks)} networks. The evidence is ${figure(evidence.value)}, and the limit ${figure(evidence.limit)}.`;
}

async function evidenceIn(
  db: Db,
  of: StepId,
  passedBefore: number,
  share: number,
): Promise<number> {
  const networks = new CountedNetworks();
  for (const { network, slice } of await listMissingUsers(db, of, passedBefore)) {
    networks.add(network, slice);
  }
  return evidenceOf(networks.kinds, share);
}

function passedOf(kinds: readonly CountedKind[]): number {
  return kinds.reduce((sum, { passed }) => sum + passed, 0);
}

/** Each user is healthy, missing or waiting. */
function countsOf(kinds: readonly CountedKind[]) {
  const counts = { users: 0, healthy: 0, failed: 0, missing: 0, waiting: 0 };
  for (const { ok, users, passed } of kinds) {
    counts.users += users;
    if (ok === 0) counts.failed += users;
    if (ok === 1) {
      counts.healthy += users;
    } else {
      counts.missing += passed;
      counts.waiting += users - passed;
    }
  }
  return counts;
}

function figure(value: number): string {
  return Math.floor(value).toLocaleString('en');
}
