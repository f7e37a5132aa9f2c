/** Makes what people read of what delivery processes counted: names of keys, links to contents, and the state that follows. */
import { contentKey, isContentId } from '../../../content/content-id.js';
import { type RejectionCounts, rejectionState } from '../../../contract/health/rejection-state.js';
import {
  rejectionMinutes,
  rejectionReasonsMax,
  rejectionStateMinutes,
} from '../../../contract/limits.js';
import type {
  RejectionReason,
  Rejections,
} from '../../../contract/operations/health/rejections.js';
import { rejectedContentCharsMax, rejectionsLookedUpMax } from '../../limits/experiments.js';
import type { Db } from '../../store/dialect.js';
import type { User } from '../../store/users/users.js';
import { toIso } from '../../to-iso.js';
import type { CountedReason, RequestMinutes } from './request-minutes.js';
import { findContents, findKeysByHash, type RejectedKey } from './rows.js';
import { shownText } from './shown-text.js';

export interface RejectionsRequest {
  /** Null: of the whole server. */
  readonly environment: string | null;
  readonly user: Pick<User, 'role' | 'environments'>;
  readonly nowMs: number;
}

/** A reason with its environment, if the store knows that. */
interface PlacedReason extends CountedReason {
  /** The delivery processes did not know it: the key is revoked. */
  readonly isOfStore: boolean;
}

/** All but which server it is. */
export async function listRejections(
  minutes: RequestMinutes,
  db: Db,
  request: RejectionsRequest,
): Promise<Omit<Rejections, 'node' | 'nodes'>> {
  const { environment, user, nowMs } = request;
  const placed = await placeReasons(db, minutes.reasons(rejectionMinutes));
  const recent = await placeReasons(db, minutes.reasons(rejectionStateMinutes));
  const counts = countsOf(minutes, placed, environment, rejectionMinutes);
  const state = rejectionState(countsOf(minutes, recent, environment, rejectionStateMinutes));
  const visible = placed.filter((reason) => isVisible(reason, request));
  const isOwner = user.role === 'owner' && user.environments === null;
  const listed = (isOwner ? visible : withoutDigests(visible)).slice(0, rejectionReasonsMax);
  const reasons = await describeReasons(db, listed, { isOwner, nowMs });
  const listedCount = reasons.reduce((sum, { count }) => sum + count, 0);
  const { fromMs } = minutes;
  return {
    from: toIso(fromMs),
    minutes: Math.floor((nowMs - fromMs) / 60_000),
    state,
    requests: counts.requests,
    rejected: counts.rejected,
    codes: codesOf(minutes, placed, environment),
    reasons,
    other: Math.max(0, counts.rejected - listedCount),
  };
}

/** Finds the environments of revoked keys: those of the most frequent ones, so that a flood of made-up keys costs no more. */
async function placeReasons(db: Db, reasons: readonly CountedReason[]): Promise<PlacedReason[]> {
  const unplaced = reasons.filter(
    ({ environment, keyHash }) => environment === '' && keyHash !== '',
  );
  const hashes = [...new Set(unplaced.map(({ keyHash }) => keyHash))];
  const keys = await findKeysByHash(db, hashes.slice(0, rejectionsLookedUpMax));
  return reasons.map((reason) => {
    const key = reason.environment === '' ? keys.get(reason.keyHash) : undefined;
    if (key === undefined) return { ...reason, isOfStore: false };
    return { ...reason, environment: key.environment, isOfStore: true };
  });
}

/** Requests with a revoked key of the environment, which the delivery processes did not count for it. */
function ofRevokedKeys(
  reasons: readonly PlacedReason[],
  environment: string | null,
): readonly PlacedReason[] {
  if (environment === null) return [];
  return reasons.filter(({ isOfStore, environment: of }) => isOfStore && of === environment);
}

function countsOf(
  minutes: RequestMinutes,
  reasons: readonly PlacedReason[],
  environment: string | null,
  ofMinutes: number,
): RejectionCounts {
  const counts = minutes.counts(environment, ofMinutes);
  const more = ofRevokedKeys(reasons, environment).reduce((sum, { count }) => sum + count, 0);
  return { ...counts, requests: counts.requests + more, rejected: counts.rejected + more };
}

function codesOf(
  minutes: RequestMinutes,
  reasons: readonly PlacedReason[],
  environment: string | null,
): Rejections['codes'] {
  const sums = new Map<string, Rejections['codes'][number]>();
  const all = [
    ...minutes.codes(environment, rejectionMinutes),
    ...ofRevokedKeys(reasons, environment),
  ];
  for (const { code, status, count } of all) {
    const name = `${code}\n${status}`;
    sums.set(name, { code, status, count: count + (sums.get(name)?.count ?? 0) });
  }
  return [...sums.values()].sort(
    (one, other) => other.count - one.count || (one.code < other.code ? -1 : 1),
  );
}

function isVisible(
  { environment: of }: PlacedReason,
  { environment, user }: RejectionsRequest,
): boolean {
  if (environment !== null) return of === environment;
  return of === '' || user.environments === null || user.environments.includes(of);
}

/** One row for all unknown keys with the same code. */
function withoutDigests(reasons: readonly PlacedReason[]): PlacedReason[] {
  const rows: PlacedReason[] = [];
  const unknown = new Map<string, PlacedReason>();
  for (const reason of reasons) {
    if (reason.environment !== '') {
      rows.push(reason);
      continue;
    }
    const name = `${reason.code}\n${reason.status}`;
    const sum = unknown.get(name);
    unknown.set(name, {
      ...reason,
      keyHash: '',
      count: reason.count + (sum?.count ?? 0),
      lastMs: Math.max(reason.lastMs, sum?.lastMs ?? 0),
    });
  }
  return [...rows, ...unknown.values()].sort((one, other) => other.count - one.count);
}

async function describeReasons(
  db: Db,
  reasons: readonly PlacedReason[],
  { isOwner, nowMs }: { readonly isOwner: boolean; readonly nowMs: number },
): Promise<RejectionReason[]> {
  const contents = await findContents(
    db,
    reasons
      .filter(({ content }) => isContentId(content))
      .map(({ environment, content }) => ({ environment, idLower: contentKey(content) })),
  );
  const hashes = reasons.map(({ keyHash }) => keyHash).filter((hash) => hash !== '');
  const keys = await findKeysByHash(db, [...new Set(hashes)]);
  return reasons.map(({ code, status, environment, keyHash, content, count, lastMs }) => {
    const key = keys.get(keyHash);
    const isUnknown = key === undefined && keyHash !== '';
    return {
      code,
      status,
      environment: environment === '' ? null : environment,
      key: key === undefined ? null : keyJson(key, nowMs),
      keyDigest: isOwner && isUnknown ? keyHash.slice(0, digestDigits) : null,
      content: content === '' ? null : shownText(content, rejectedContentCharsMax),
      contentExists: contents.has(`${environment}/${contentKey(content)}`),
      count,
      lastAt: toIso(lastMs),
    };
  });
}

/** Enough to compare with, and too few to be a key's hash. */
const digestDigits = 12;

function keyJson(
  { id, label, prefix, expiresAtMs, revokedAtMs }: RejectedKey,
  nowMs: number,
): NonNullable<RejectionReason['key']> {
  const isExpired = expiresAtMs !== null && expiresAtMs <= nowMs;
  return {
    id,
    label,
    prefix,
    state: revokedAtMs !== null ? 'revoked' : isExpired ? 'expired' : 'active',
  };
}
