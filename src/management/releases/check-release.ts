/**
 * Checks all of a release together, as if it were live: its contents with its segments laid over the saved ones. The
 * checks take place ahead of the transaction that acts on them, which only looks whether they still hold.
 */
import { digestOf } from '../../content/hash.js';
import { Problem, type ValidationIssue } from '../../contract/problems.js';
import { stateOf } from '../contents/content-state.js';
import {
  type SegmentOverlay,
  type StateChecks,
  Strictness,
} from '../contents/validate/check-state.js';
import { releaseIssuesMax } from '../limits/releases.js';
import { syncTriesMax } from '../limits/transfer.js';
import { contentNamedBy } from '../store/contents/joins.js';
import { findRevision } from '../store/contents/revisions.js';
import type { Db } from '../store/dialect.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import type { ReleaseRecord } from '../store/releases/releases.js';
import { findSegmentRevision } from '../store/segments/segment-revisions.js';
import type { Store } from '../store/store.js';
import { type ChangeFacts, readChangeFacts } from './change-facts.js';
import { describeItem } from './describe-item.js';
import { type HeldRelease, type ReleaseRequest, readRelease } from './held-release.js';
import { type ChangeFindings, findInRelease } from './release-confirmation.js';
import { canTransition, type Transition } from './states.js';
import { wrongState } from './transition.js';

/** A release that was valid when it was checked. */
export interface CheckedRelease {
  readonly facts: readonly ChangeFacts[];
  /** Saved segments that its contents use, without those that it brings. */
  readonly segmentsUsed: readonly string[];
  /** What it does to values. */
  readonly found: readonly ChangeFindings[];
  /** Of everything that the result depends on. */
  readonly fingerprint: string;
}

/** The conditions that a release brings, by name of the segment. */
export async function overlayOf(
  db: Db,
  environment: string,
  changes: readonly Pick<ChangeFacts, 'kind' | 'name' | 'revision'>[],
): Promise<SegmentOverlay> {
  const overlay = new Map<string, string>();
  for (const { kind, name, revision } of changes) {
    if (kind !== 'segment' || revision === null) continue;
    const found = await findSegmentRevision(db, environment, name, revision);
    if (found !== null) overlay.set(name, found.condition);
  }
  return overlay;
}

/** Rejects a release that could not be delivered: `release_invalid`, with issues that name content and path. */
export async function checkRelease(
  db: Db,
  checks: StateChecks,
  release: ReleaseRecord,
): Promise<CheckedRelease | Problem> {
  const { environment } = release;
  const facts = await readChangeFacts(db, release);
  if (facts.length === 0) return invalid(release, [{ path: 'changes', message: 'is empty' }]);
  const errors: ValidationIssue[] = facts.filter(({ kept }) => !kept).map(notKept);
  const overlay = await overlayOf(db, environment, facts);
  const used = new Set<string>();
  const schemas = await schemasOf(db, release);
  const pace = new EventLoopYielder();
  for (const { kind, name, id, revision, kept } of facts) {
    if (kind !== 'content' || revision === null || !kept) continue;
    const found = await findRevision(db, environment, name, revision);
    if (found === null) continue;
    const schema = schemas.get(name) ?? null;
    const state = { ...stateOf(found), schema, guards: [], liveMapping: null };
    const checked = await checks.check(db, environment, state, Strictness.Live, overlay);
    if (checked instanceof Problem) errors.push(...issuesOf(id, checked));
    else for (const segment of checked.segments) if (!overlay.has(segment)) used.add(segment);
    await pace.step();
  }
  if (errors.length > 0) return invalid(release, errors);
  const segmentsUsed = [...used].sort();
  const found = await findInRelease(db, checks.findings, release, facts);
  return {
    facts,
    segmentsUsed,
    found,
    fingerprint: await fingerprintOf(db, release, segmentsUsed),
  };
}

/** Whether what was checked is still so. Cheap: no text is read. */
export async function stillHolds(
  db: Db,
  release: ReleaseRecord,
  { fingerprint, segmentsUsed }: CheckedRelease,
): Promise<boolean> {
  return (await fingerprintOf(db, release, segmentsUsed)) === fingerprint;
}

/** What the work of `checkedWrite` returns when the release has to be checked again; it has written nothing. */
export const checkAgain: unique symbol = Symbol('check again');

export interface CheckDeps {
  readonly store: Store;
  readonly checks: StateChecks;
  /** The server has a Prometheus server to ask (`--prometheus-url`). */
  readonly hasPrometheus: boolean;
}

/**
 * Checks a release while no transaction is held, then runs the work; checks again if anything moved in between.
 * @param transition is possible in the state of the release, or nothing is checked
 */
export async function checkedWrite<T>(
  { store, checks, hasPrometheus }: CheckDeps,
  request: ReleaseRequest,
  transition: Transition,
  write: (checked: CheckedRelease) => Promise<T | Problem | typeof checkAgain>,
): Promise<T | Problem> {
  for (let tries = 1; tries <= syncTriesMax; tries++) {
    const checked = await store.readSnapshot(async (db) => {
      const read = await readRelease(db, request);
      if (read instanceof Problem) return read;
      const rejected =
        rejectState(read, transition) ??
        (needsBrake(read.release, transition) ? rejectBrake(read.release, hasPrometheus) : null);
      return rejected ?? checkRelease(db, checks, read.release);
    });
    if (checked instanceof Problem) return checked;
    const written = await write(checked);
    if (written !== checkAgain) return written;
  }
  const detail = 'The contents of the release change too fast to be checked; try again.';
  return new Problem('release_changed', detail);
}

/** Whether the brake of the release is expected to work after the transition. Going live ends it. */
function needsBrake({ steps }: ReleaseRecord, transition: Transition): boolean {
  if (transition === 'schedule') return steps.length > 0;
  return transition === 'submit' || transition === 'start';
}

/** Why the brake could not work here: without a result, its query would never trip. Null: it can. */
export function rejectBrake(
  release: Pick<ReleaseRecord, 'release' | 'brake'>,
  hasPrometheus: boolean,
): Problem | null {
  if (hasPrometheus || (release.brake?.query ?? null) === null) return null;
  const detail = `The brake of release ${release.release} has a query, and this server has no Prometheus server to ask: start it with --prometheus-url, or take the query out of the brake.`;
  const message = 'needs a server that runs with --prometheus-url';
  return new Problem('release_invalid', detail, [{ path: 'brake.query', message }]);
}

export function rejectState(
  { release, needsReview }: HeldRelease,
  transition: Transition,
): Problem | null {
  if (canTransition(release.state, transition, needsReview)) return null;
  return wrongState(release, transition, needsReview);
}

/** Revisions never change; schemas and guards do, and segments come and go. */
async function fingerprintOf(
  db: Db,
  release: ReleaseRecord,
  segmentsUsed: readonly string[],
): Promise<string> {
  const { environment, version } = release;
  const schemas = [...(await schemasOf(db, release))];
  const guards = await guardsOf(db, release);
  const found =
    segmentsUsed.length === 0
      ? []
      : await db
          .selectFrom('segments')
          .select('name')
          .where('environment', '=', environment)
          .where('name', 'in', segmentsUsed)
          .orderBy('name')
          .execute();
  return digestOf(
    Buffer.from(JSON.stringify([version, schemas, guards, found.map(({ name }) => name)])),
  );
}

/** JSON Schemas of the contents that a release changes, by lower-case id. */
async function schemasOf(
  db: Db,
  { environment, release }: ReleaseRecord,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('releaseChanges')
    .innerJoin('contents', contentNamedBy('releaseChanges'))
    .where('releaseChanges.environment', '=', environment)
    .where('releaseChanges.release', '=', release)
    .where('releaseChanges.kind', '=', 'content')
    .where('contents.schema', 'is not', null)
    .select(['contents.idLower', 'contents.schema'])
    .orderBy('contents.idLower')
    .execute();
  return new Map(rows.map(({ idLower, schema }) => [idLower, schema ?? '']));
}

/** Guards of the contents that a release changes. */
async function guardsOf(db: Db, { environment, release }: ReleaseRecord): Promise<unknown[]> {
  return db
    .selectFrom('releaseChanges')
    .innerJoin('contentGuards', (join) =>
      join
        .onRef('contentGuards.environment', '=', 'releaseChanges.environment')
        .onRef('contentGuards.idLower', '=', 'releaseChanges.name'),
    )
    .where('releaseChanges.environment', '=', environment)
    .where('releaseChanges.release', '=', release)
    .where('releaseChanges.kind', '=', 'content')
    .select(['contentGuards.idLower', 'contentGuards.guards'])
    .orderBy('contentGuards.idLower')
    .execute();
}

function notKept(facts: ChangeFacts): ValidationIssue {
  const message = `revision ${facts.revision} is no longer kept: choose another one, or drop the change`;
  return { path: describeItem(facts), message };
}

/** A slash never stands in an id: what follows it is the path in the content's own edit. */
function issuesOf(id: string, { detail, errors }: Problem): ValidationIssue[] {
  if (errors.length === 0) return [{ path: id, message: detail }];
  return errors.map((issue) => ({ ...issue, path: `${id}/${issue.path}` }));
}

function invalid({ release }: ReleaseRecord, errors: readonly ValidationIssue[]): Problem {
  const detail = `Release ${release} cannot be delivered as it is: correct what the issues name, and put it in again.`;
  return new Problem('release_invalid', detail, errors.slice(0, releaseIssuesMax));
}
