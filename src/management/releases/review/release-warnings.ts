/** What a person should know of the changes of a release before it goes on: the warnings that saving each of them gives. */
import type { FastifyRequest } from 'fastify';
import { releaseWarningsMax } from '../../../contract/limits.js';
import type { ReleaseWarnings } from '../../../contract/operations/releases/releases.js';
import { Problem, type ValidationIssue } from '../../../contract/problems.js';
import { stateOf } from '../../contents/content-state.js';
import { liveMappingOf } from '../../contents/draft-edit.js';
import {
  type CheckedState,
  type SegmentOverlay,
  Strictness,
} from '../../contents/validate/check-state.js';
import { contentWarnings, segmentWarnings } from '../../contents/warnings/attribute-warnings.js';
import type { AdminContext } from '../../http/context.js';
import { doWork } from '../../jobs/work.js';
import { findContent } from '../../store/contents/contents.js';
import { findRevision } from '../../store/contents/revisions.js';
import type { Db } from '../../store/dialect.js';
import { EventLoopYielder } from '../../store/event-loop-yielder.js';
import { type ChangeFacts, readChangeFacts } from '../change-facts.js';
import { overlayOf } from '../check-release.js';
import { type ReleaseRequest, readRelease } from '../held-release.js';

type Context = Pick<AdminContext, 'store' | 'checks' | 'work' | 'attributes'>;
type Item = ReleaseWarnings['items'][number];

/** A change as the store has it, checked with the segments of its release. */
type CheckedChange =
  | { readonly kind: 'content'; readonly id: string; readonly checked: CheckedState | Problem }
  | { readonly kind: 'segment'; readonly id: string; readonly condition: string };

/** @throws WorkFailed, WorkTooLong */
export async function findReleaseWarnings(
  context: Context,
  asked: ReleaseRequest,
  request: FastifyRequest,
): Promise<ReleaseWarnings | Problem> {
  const changes = await context.store.readSnapshot(async (db) => {
    const read = await readRelease(db, asked);
    if (read instanceof Problem) return read;
    const facts = await readChangeFacts(db, read.release);
    return checkChanges(db, context, asked.environment, facts);
  });
  if (changes instanceof Problem) return changes;
  const items: Item[] = [];
  for (const change of changes) {
    const warnings =
      change.kind === 'content'
        ? await warningsOfContent(context, request, asked.environment, change.id, change.checked)
        : await warningsOfSegment(context, request, asked.environment, change);
    if (warnings.length === 0) continue;
    if (items.length === releaseWarningsMax) return { items, cut: true };
    items.push({ kind: change.kind, id: change.id, warnings });
  }
  return { items, cut: false };
}

/** What is deleted, or not kept, has no warnings. */
async function checkChanges(
  db: Db,
  { checks }: Context,
  environment: string,
  facts: readonly ChangeFacts[],
): Promise<CheckedChange[]> {
  const overlay = await overlayOf(db, environment, facts);
  const pace = new EventLoopYielder();
  const changes: CheckedChange[] = [];
  for (const { kind, name, id, revision } of facts) {
    if (revision === null) continue;
    if (kind === 'segment') {
      const condition = overlay.get(name);
      if (condition !== undefined) changes.push({ kind, id, condition });
    } else if (kind === 'content') {
      const checked = await checkContent(db, checks, { environment, name, revision }, overlay);
      if (checked !== null) changes.push({ kind, id, checked });
    }
    await pace.step();
  }
  return changes;
}

interface ContentChange {
  readonly environment: string;
  /** Lower-case id. */
  readonly name: string;
  readonly revision: number;
}

/** Null: the revision is not kept. */
async function checkContent(
  db: Db,
  checks: Context['checks'],
  { environment, name, revision }: ContentChange,
  overlay: SegmentOverlay,
): Promise<CheckedState | Problem | null> {
  const found = await findRevision(db, environment, name, revision);
  const content = await findContent(db, environment, name);
  if (found === null || content === null) return null;
  const liveMapping = await liveMappingOf(db, content, found);
  const state = { ...stateOf(found), schema: content.schema, guards: [], liveMapping };
  return checks.check(db, environment, state, Strictness.Live, overlay);
}

async function warningsOfContent(
  context: Context,
  request: FastifyRequest,
  environment: string,
  id: string,
  checked: CheckedState | Problem,
): Promise<readonly ValidationIssue[]> {
  if (checked instanceof Problem) {
    return checked.errors.length > 0 ? checked.errors : [{ path: '', message: checked.detail }];
  }
  const { warnings, uses } = checked;
  return [...warnings, ...(await contentWarnings(context, request, environment, id, uses))];
}

async function warningsOfSegment(
  context: Context,
  request: FastifyRequest,
  environment: string,
  { id, condition }: Extract<CheckedChange, { kind: 'segment' }>,
): Promise<readonly ValidationIssue[]> {
  const checked = await doWork(context.work, 'checkCondition', condition, condition.length);
  const { warnings, attributes } = checked;
  return [...warnings, ...(await segmentWarnings(context, request, environment, id, attributes))];
}
