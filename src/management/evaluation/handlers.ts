/** Evaluation and preview: what delivery responds, and what an edit would change. */
import { strict as assert } from 'node:assert';
import { type EvaluationContext, makeEvaluationContext } from '../../content/evaluation-context.js';
import { parseInstant } from '../../content/mapping/instant.js';
import { NO_VERSION, parseVersion } from '../../content/version.js';
import { evaluateContent } from '../../contract/operations/evaluate.js';
import { type Preview, previewContent } from '../../contract/operations/preview.js';
import { Problem } from '../../contract/problems.js';
import type { TakenSample } from '../attributes/context-samples.js';
import { listSeenValues } from '../attributes/seen-value-rows.js';
import { rawObject } from '../http/body/raw-json.js';
import { rawMembers } from '../http/body/raw-members.js';
import { readBody } from '../http/body/read-body.js';
import type { AdminContext } from '../http/context.js';
import { type Call, type Handler, handle } from '../http/handlers.js';
import { doWork } from '../jobs/work.js';
import { contentBodyBytesMax } from '../limits/bodies.js';
import {
  madeUpSampleBytesMax,
  previewContextsBytesMax,
  previewMsMax,
  previewTextBytesMax,
} from '../limits/evaluation.js';
import { listSampleUsers } from '../sample-users/rows.js';
import type { Db } from '../store/dialect.js';
import { readTrafficKept } from '../store/traffic-policies.js';
import { toIso } from '../to-iso.js';
import {
  type CandidateRead,
  type PreviewBody,
  readCandidate,
  readPreviewBody,
} from './candidate-body.js';
import { findDueReleases } from './due-releases.js';
import { type CandidateRequest, type LoadedCandidate, loadCandidate } from './load-candidate.js';
import type { MadeUpOptions } from './made-up/make-up-for-sides.js';
import { Moment } from './moment.js';
import { findRampOf, type ReleaseView, readReleaseView } from './release-view.js';
import { weightOf } from './weight.js';

export const evaluationHandlers: readonly Handler[] = [
  handle(evaluateContent, async ({ params: { env }, body, context, request }) => {
    const { u, v = null, at } = body;
    const { store, work, limits } = context;
    const raw = request.rawBody ?? new Uint8Array();
    const tried = await readCandidate(body, raw, limits);
    if (tried instanceof Problem) return tried;
    const nowMs = context.now();
    const atMs = at === undefined ? nowMs : (parseInstant(at) ?? nowMs);
    const isPast = tried.edit === null && tried.release === null && atMs < nowMs;
    const times = {
      past: isPast ? new Moment(env, atMs) : null,
      dueMs: atMs > nowMs ? atMs : null,
    };
    const wanted = { environment: env, id: body.id, ...tried, ...times };
    const version = v === null ? NO_VERSION : (parseVersion(v) ?? NO_VERSION);
    const read = await store.read(async (db) => {
      const release = await releaseFor(db, wanted, makeEvaluationContext(u ?? '', {}, null));
      if (release instanceof Problem) return release;
      const loaded = await loadCandidate(db, { ...wanted, release }, version);
      return loaded instanceof Problem ? loaded : { loaded, release };
    });
    if (read instanceof Problem) return read;
    const { loaded } = read;
    // The attributes as they were sent: parsing and writing them again could lose what decides.
    const userContext = rawObject({ u, v }, { p: rawMembers(raw).get('p') ?? '{}' });
    const { candidate, segments, layers, id, revision, live } = loaded;
    const levelsMax = limits.textLevelsMax;
    const input = { candidate, segments, layers, context: userContext, atMs, levelsMax };
    const done = await doWork(work, 'evaluateContext', input, weightOf(loaded, userContext));
    if (!done.ok) return new Problem(done.code, done.detail, done.errors);
    const { ok: _, response, ...evaluated } = done;
    const release = read.release?.release ?? null;
    const about = { id, revision, live, unsaved: tried.edit !== null, release };
    return rawObject(
      { ...about, segments: usedSegments(loaded), ...evaluated, at: toIso(atMs) },
      { answer: response ?? 'null' },
    );
  }),

  handle(previewContent, async ({ params: { env }, context, request }) => {
    const { limits, work } = context;
    const bytesMax = contentBodyBytesMax(limits) + previewContextsBytesMax;
    const whole = await readBody(context.bodies, request.raw, request, bytesMax);
    const body = await readPreviewBody(whole, limits);
    if (body instanceof Problem) return body;
    const { at, contexts } = body;
    if (contexts.byteLength > previewContextsBytesMax) {
      return tooLarge(`The contexts have more than ${previewContextsBytesMax} bytes.`);
    }
    const nowMs = context.now();
    const atMs = at === null ? nowMs : parseInstant(at);
    assert(atMs !== null, 'the time was validated');
    const sides = await loadSides(context, env, body, atMs, nowMs);
    if (sides instanceof Problem) return sides;
    const { now, edit, due, madeUp } = sides;
    const sampled = body.sampled ? await takeSample(context, env) : null;
    if (textBytesOf(edit) + (now === null ? 0 : textBytesOf(now)) > previewTextBytesMax) {
      return tooLarge(`The lines together have more than ${previewTextBytesMax} bytes.`);
    }
    const levelsMax = limits.textLevelsMax;
    const input = {
      ...{ now, edit, contexts, firstLine: 2, madeUp, sampled: sampled?.contexts ?? null },
      ...{ atMs, levelsMax },
    };
    const done = await work.run('previewContexts', input, { timeMsMax: previewMsMax });
    if (!done.ok) return new Problem(done.code, done.detail, done.errors);
    const { ok: _, ...report } = done;
    const { id, revision, live } = edit;
    const compared = now && {
      ...{ revision: now.revision, release: due?.release ?? null },
      segments: usedSegments(now),
    };
    const about = { id, revision, live, unsaved: body.edit !== null, compared };
    return { ...about, ...report, sampled: sampled && sampledJson(sampled), at: toIso(atMs) };
  }),
];

/** Of an environment that keeps no contexts: none, whatever this server still has. */
async function takeSample(
  { store, contextSamples }: Pick<AdminContext, 'store' | 'contextSamples'>,
  environment: string,
): Promise<TakenSample> {
  const kept = await store.read((db) => readTrafficKept(db, environment));
  if (kept !== 'contexts') contextSamples.forget(environment);
  return contextSamples.take(environment);
}

function sampledJson({ requests, sinceMs, reduced }: TakenSample): Preview['sampled'] {
  return { requests, since: sinceMs === null ? null : toIso(sinceMs), reduced };
}

/** The release that is named; else, where nothing is, the ramp that the user is in, or what is live at a time in the future. */
async function releaseFor(
  db: Db,
  { environment, id, release, revision, edit, past, dueMs }: EvaluateRequest,
  caller: EvaluationContext,
): Promise<ReleaseView | Problem | null> {
  if (release !== null) return readReleaseView(db, environment, release);
  if (revision !== null || edit !== null) return null;
  if (past !== null) return past.rampOf(db, id, caller);
  const ramp = await findRampOf(db, environment, id, caller);
  if (ramp !== null || dueMs === null) return ramp;
  return findDueReleases(db, environment, id, dueMs, null);
}

interface EvaluateRequest extends Omit<CandidateRequest, 'release'>, CandidateRead {
  /** A time in the future, milliseconds since the epoch; null: the present or the past. */
  readonly dueMs: number | null;
}

interface Sides {
  /** What is live, or was at a time in the past; null: nothing. */
  readonly now: LoadedCandidate | null;
  readonly edit: LoadedCandidate;
  /** Scheduled releases that `now` is with, at a time in the future; null: none reaches the content. */
  readonly due: ReleaseView | null;
  readonly madeUp: MadeUpOptions | null;
}

/** In one transaction: both sides are of the same moment. */
function loadSides(
  { store }: Pick<Call<typeof previewContent>['context'], 'store'>,
  environment: string,
  body: PreviewBody,
  atMs: number,
  nowMs: number,
): Promise<Sides | Problem> {
  const past = atMs < nowMs ? new Moment(environment, atMs) : null;
  return store.read(async (db) => {
    const { id, revision, edit: unsaved } = body;
    const release =
      body.release === null ? null : await readReleaseView(db, environment, body.release);
    if (release instanceof Problem) return release;
    const due =
      atMs > nowMs ? await findDueReleases(db, environment, id, atMs, body.release) : null;
    // Without a revision, an edit or a release it is the draft that would be published next.
    const tried = revision ?? (release === null ? 'newest' : null);
    // An edit is published by itself, with the segments as they will be.
    const brought = release ?? (due && { ...due, revisions: new Map() });
    const wanted = { environment, id, revision: tried, edit: unsaved, past: null };
    const edit = await loadCandidate(db, { ...wanted, release: brought }, 'all');
    if (edit instanceof Problem) return edit;
    const madeUp =
      body.madeUp === null ? null : await readSamples(db, environment, body.madeUp, nowMs);
    if (past === null && due === null && edit.live === null) {
      return { edit, now: null, due, madeUp };
    }
    const live = { environment, id, revision: null, edit: null, release: due, past };
    const now = await loadCandidate(db, live, 'all');
    if (!(now instanceof Problem)) return { edit, now, due, madeUp };
    return now.code === 'content_not_found' ? { edit, now: null, due, madeUp } : now;
  });
}

/** Sample users, as many as there is room for, and values of requests: made-up users may have these. */
async function readSamples(
  db: Db,
  environment: string,
  count: number,
  nowMs: number,
): Promise<MadeUpOptions> {
  const samples: string[] = [];
  let bytesLeft = madeUpSampleBytesMax;
  for (const { context } of await listSampleUsers(db, environment)) {
    bytesLeft -= Buffer.byteLength(context);
    if (bytesLeft >= 0) samples.push(context);
  }
  const values = await listSeenValues(db, environment, nowMs);
  const seen = [...values].map(([name, frequent]) => {
    return [name, frequent.map(([json]) => json)] as const;
  });
  return { count, samples, seen };
}

function usedSegments({ segments }: LoadedCandidate): NonNullable<Preview['compared']>['segments'] {
  return segments.map(({ name, revision }) => ({ name, revision }));
}

function textBytesOf({ candidate }: LoadedCandidate): number {
  return candidate.lines.reduce((sum, { text }) => sum + text.byteLength, 0);
}

function tooLarge(detail: string): Problem {
  return new Problem('body_too_large', detail);
}
