/** What players may receive differently because of a release: what it changes, and every content that uses a changed segment. */
import { contentKey } from '../../content/content-id.js';
import { contentNamedBy } from '../store/contents/joins.js';
import type { Db } from '../store/dialect.js';
import type { ReleaseChangeRecord } from '../store/releases/release-changes.js';
import { listReach, type ReachedName } from '../store/releases/release-reach.js';
import { type ReleaseRecord, rampStates } from '../store/releases/releases.js';
import { listSegmentUses } from '../store/segments/segments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

export interface Reach {
  /** Ids as people write them, by lower-case id. */
  readonly contents: ReadonlyMap<string, string>;
  readonly segments: readonly string[];
}

/** What a release with these changes reaches now. A candidate that uses a changed segment is a change itself. */
export async function computeReach(
  db: Db,
  environment: string,
  changes: readonly Pick<ReleaseChangeRecord, 'kind' | 'name' | 'id'>[],
): Promise<Reach> {
  const contents = new Map<string, string>();
  const segments: string[] = [];
  for (const { kind, name, id } of changes) {
    if (kind === 'content') contents.set(name, id);
    if (kind === 'segment') segments.push(name);
  }
  for (const name of segments) {
    for (const { content, live } of await listSegmentUses(db, environment, { name })) {
      if (live && !contents.has(contentKey(content))) contents.set(contentKey(content), content);
    }
  }
  return { contents: inOrder(contents), segments: segments.sort() };
}

/** What a release reaches: as it was locked while it ramps or is paused, else as it is now. */
export async function readReach(
  db: Db,
  release: ReleaseRecord,
  changes: readonly Pick<ReleaseChangeRecord, 'kind' | 'name' | 'id'>[],
): Promise<Reach> {
  if (!rampStates.includes(release.state)) return computeReach(db, release.environment, changes);
  const rows = await listReach(db, release);
  const namesOf = (kind: ReachedName['kind']): string[] =>
    rows.filter((row) => row.kind === kind).map(({ name }) => name);
  const ids = await idsOf(db, release);
  const contents = namesOf('content').map((name): [string, string] => [
    name,
    ids.get(name) ?? name,
  ]);
  return { contents: new Map(contents), segments: namesOf('segment') };
}

/** The ids of a ramp's contents as they were created, by lower-case id. */
async function idsOf(
  db: Db,
  { environment, release }: ReleaseRecord,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('releaseReach')
    .innerJoin('contents', contentNamedBy('releaseReach'))
    .where('releaseReach.environment', '=', environment)
    .where('releaseReach.release', '=', release)
    .where('releaseReach.kind', '=', 'content')
    .select(['contents.idLower', 'contents.id'])
    .execute();
  return new Map(rows.map(({ idLower, id }) => [idLower, id]));
}

export function namesOfReach({ contents, segments }: Reach): ReachedName[] {
  return [
    ...[...contents.keys()].map((name) => ({ kind: 'content' as const, name })),
    ...segments.map((name) => ({ kind: 'segment' as const, name })),
  ];
}

/** Delivery reads all of it again, under the number of this commit. */
export function markReach(write: UnitOfWork, environment: string, reach: Reach): void {
  for (const { kind, name } of namesOfReach(reach)) write.markChanged(kind, environment, name);
}

function inOrder(contents: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1)));
}
