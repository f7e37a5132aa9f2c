/** A page of the listing of segments, by name: the live ones, and on request those that are only drafts. */
import type { Problem } from '../../contract/problems.js';
import { segmentPageCharsMax } from '../limits/evaluation.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { listDraftSizes, listNewestRevisions } from '../store/segments/segment-revisions.js';
import * as rows from '../store/segments/segments.js';
import { type ShownSegment, showSegment } from './shown-segment.js';

export interface SegmentPageRequest {
  /** Name after which the page begins. */
  readonly after: string;
  readonly limit: number;
  /** Also segments that are not live. */
  readonly drafts: boolean;
}

export interface SegmentPage {
  readonly segments: readonly ShownSegment[];
  readonly uses: readonly rows.SegmentUse[];
  /** Name after which the next page begins; null: this is the last. */
  readonly next: string | null;
}

/** A page ends early where the conditions on it are large. */
export async function readSegmentPage(
  db: Db,
  env: string,
  { after, limit, drafts }: SegmentPageRequest,
): Promise<SegmentPage | Problem> {
  if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
  const live = await rows.listSegmentSizes(db, env, after, limit + 1);
  const others = drafts ? await listDraftSizes(db, env, after, limit + 1) : [];
  const sizes = [...live, ...others].sort(byName);
  let chars = 0;
  let count = 0;
  for (const size of sizes.slice(0, limit)) {
    chars += size.chars;
    if (count > 0 && chars > segmentPageCharsMax) break;
    count++;
  }
  const last = sizes[count - 1];
  if (last === undefined) return { segments: [], uses: [], next: null };
  const shown = await liveBetween(db, env, after, last.name);
  for (const { name } of others.filter((one) => byName(one, last) <= 0)) {
    const draft = await showSegment(db, env, name);
    if (draft !== null) shown.push(draft);
  }
  return {
    segments: shown.sort(byName),
    uses: await rows.listSegmentUses(db, env, { after, last: last.name }),
    next: count < sizes.length ? last.name : null,
  };
}

async function liveBetween(
  db: Db,
  env: string,
  after: string,
  last: string,
): Promise<ShownSegment[]> {
  const newest = await listNewestRevisions(db, env, after, last);
  return (await rows.listSegmentsBetween(db, env, after, last)).map((segment) => ({
    ...segment,
    live: segment.revision,
    newest: newest.get(segment.name) ?? segment.revision,
  }));
}

/** In the order of the store: by bytes. */
function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}
