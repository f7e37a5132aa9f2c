/** Shows what an edit would answer many user contexts, against what is live. */

import { previewContextsMax } from '../../contract/limits.js';
import type { Preview } from '../../contract/operations/preview.js';
import { Problem } from '../../contract/problems.js';
import {
  madeUpSampleBytesMax,
  previewContextsBytesMax,
  previewMsMax,
  previewTextBytesMax,
} from '../limits.js';
import { listSampleUsers } from '../sample-users/rows.js';
import type { Db } from '../store/dialect.js';
import { type EvaluationTools, editProblem } from './evaluate.js';
import { type CandidateRequest, type LoadedCandidate, loadCandidate } from './load-candidate.js';
import type { MadeUpOptions, PreviewedContexts } from './preview-contexts.js';

export interface PreviewRequest extends CandidateRequest {
  /** NDJSON: a user context on each line. */
  readonly contexts: Uint8Array;
  /** Number of its first line in what the author sent. */
  readonly firstLine: number;
  /** Users to be made up; null: only the contexts that are given. */
  readonly madeUp: number | null;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** What the response holds, but for the time. */
export type PreviewReport = Omit<Preview, 'at'>;

/** @throws WorkFailed, WorkTooLong */
export async function preview(
  { store, work, limits }: EvaluationTools,
  wish: PreviewRequest,
): Promise<PreviewReport | Problem> {
  if (wish.contexts.byteLength > previewContextsBytesMax) {
    return tooLarge(`The contexts have more than ${previewContextsBytesMax} bytes.`);
  }
  const { environment, id, contexts, firstLine, atMs, asOfMs } = wish;
  // One transaction: both sides are of the same moment.
  const sides = await store.read(async (db) => {
    // Without a revision or an edit it is the draft that would be published next.
    const revision = wish.revision ?? 'newest';
    const edit = await loadCandidate(db, { ...wish, revision, asOfMs: null }, 'all');
    if (edit instanceof Problem) return { edit, now: null, madeUp: null };
    const madeUp = await readSamples(db, environment, wish.madeUp);
    if (asOfMs === null && edit.live === null) return { edit, now: null, madeUp };
    const live = { environment, id, revision: null, edit: null, asOfMs };
    const now = await loadCandidate(db, live, 'all');
    const wasLive = !(now instanceof Problem && now.code === 'content_not_found');
    return { edit, now: wasLive ? now : null, madeUp };
  });
  const { edit, now, madeUp } = sides;
  if (edit instanceof Problem) return edit;
  if (now instanceof Problem) return now;
  if (textBytesOf(edit) + (now === null ? 0 : textBytesOf(now)) > previewTextBytesMax) {
    return tooLarge(`The lines together have more than ${previewTextBytesMax} bytes.`);
  }
  const input = { now, edit, contexts, firstLine, madeUp, atMs, levelsMax: limits.textLevelsMax };
  const done = await work.run('previewContexts', input, { timeMsMax: previewMsMax });
  if (!done.ok) return refusalOf(done);
  const { ok: _, ...report } = done;
  const { revision, live } = edit;
  const unsaved = wish.edit !== null;
  return { id: edit.id, revision, live, unsaved, compared: comparedOf(now), ...report };
}

/** Sample users, as many as there is room for: made-up ones may have their values. */
async function readSamples(
  db: Db,
  environment: string,
  count: number | null,
): Promise<MadeUpOptions | null> {
  if (count === null) return null;
  const samples: string[] = [];
  let bytesLeft = madeUpSampleBytesMax;
  for (const { context } of await listSampleUsers(db, environment)) {
    bytesLeft -= Buffer.byteLength(context);
    if (bytesLeft >= 0) samples.push(context);
  }
  return { count, samples };
}

function comparedOf(now: LoadedCandidate | null): PreviewReport['compared'] {
  if (now === null) return null;
  const segments = now.segments.map(({ name, revision }) => ({ name, revision }));
  return { revision: now.revision, segments };
}

function textBytesOf({ candidate }: LoadedCandidate): number {
  return candidate.lines.reduce((sum, { text }) => sum + text.byteLength, 0);
}

function tooLarge(detail: string): Problem {
  return new Problem('body_too_large', detail);
}

function refusalOf(fault: Extract<PreviewedContexts, { ok: false }>): Problem {
  if (fault.code === 'too_many_contexts') {
    return tooLarge(`A preview takes at most ${previewContextsMax} contexts.`);
  }
  return editProblem(fault.code, fault.errors);
}
