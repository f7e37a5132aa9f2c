/** The complete state of a content (lines, mapping and flags) on its way to a revision. check-state.ts checks it. */
import type { SyncedContent } from '../../contract/operations/sync.js';
import { type ContentAbout, setLive } from '../store/contents/contents.js';
import { insertRevision, type LineDraft, type Revision } from '../store/contents/revisions.js';
import { findHash } from '../store/contents/state-hashes.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

export interface ContentState {
  /** Ascending by version; at least one. */
  readonly lines: readonly LineDraft[];
  /** Digest of the mapping text, or null. */
  readonly mapping: string | null;
  /** JSON Pointers to the values that OFREP's bulk evaluation lists, in its order. */
  readonly flags: readonly string[];
  /** Texts that the store may not have yet, by digest. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
}

const noTexts: ReadonlyMap<string, Uint8Array> = new Map();

/** The state that a revision holds. */
export function stateOf(revision: Revision): ContentState {
  const { lines, mapping, flags } = revision;
  return { lines, mapping, flags, texts: noTexts };
}

export function sameState(a: Omit<ContentState, 'texts'>, b: Omit<ContentState, 'texts'>): boolean {
  return (
    a.mapping === b.mapping &&
    sameFlags(a.flags, b.flags) &&
    a.lines.length === b.lines.length &&
    a.lines.every(
      (line, index) =>
        line.version === b.lines[index]?.version && line.textDigest === b.lines[index]?.textDigest,
    )
  );
}

/** Their order counts: a bulk evaluation lists them in it. */
export function sameFlags(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((flag, index) => flag === b[index]);
}

type AboutChange = SyncedContent['about'][number];

/** Which of the facts that are kept beside the revisions differ. */
export function changedAbout(before: ContentAbout, after: ContentAbout): AboutChange[] {
  const changed: AboutChange[] = [];
  if (before.description !== after.description) changed.push('description');
  if (JSON.stringify(before.tags) !== JSON.stringify(after.tags)) changed.push('tags');
  if (before.schema !== after.schema) changed.push('schema');
  if (before.guards !== after.guards) changed.push('guards');
  return changed;
}

/** Where a state is committed to. `live` is null when nothing is delivered. */
export interface CommitTarget {
  readonly environment: string;
  readonly idLower: string;
  readonly live: number | null;
}

export interface Committed {
  readonly revision: number;
  /** The live revision, or null. */
  readonly live: number | null;
  /** Hash of the highest version line. */
  readonly hash: string;
}

/**
 * Makes the state the newest revision, unless it is that already, and delivers it if wanted.
 * @param newest number of the newest revision of the history (deleted or not), 0 without one
 * @param base the newest revision when it is what the state builds on; null: a new number in any case
 */
export async function commitState(
  write: UnitOfWork,
  target: CommitTarget,
  newest: number,
  base: Revision | null,
  state: ContentState & { readonly segments: readonly string[]; readonly note: string },
  publish: boolean,
): Promise<Committed> {
  const { environment, idLower, live } = target;
  const same = base !== null && sameState(base, state);
  const revision = same ? newest : await insertRevision(write, environment, idLower, newest, state);
  if (publish && live !== revision) await setLive(write, environment, idLower, revision);
  const hash = await findHash(write.db, environment, idLower, revision);
  return { revision, live: publish ? revision : live, hash };
}
