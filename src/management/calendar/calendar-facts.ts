/** Reads what the calendar of an environment is made of: which mappings are live, drafted or in a release, and when releases are due. */
import { contentKey } from '../../content/content-id.js';
import { getOrAdd } from '../get-or-add.js';
import { readReach } from '../releases/reach.js';
import { listMappedRevisions, type MappedRevision } from '../store/contents/mapped-revisions.js';
import type { Db } from '../store/dialect.js';
import {
  type BroughtContent,
  listBroughtContents,
  listCalendarReleases,
} from '../store/releases/calendar-releases.js';
import { listReleaseChanges } from '../store/releases/release-changes.js';
import { findLastTime } from '../store/releases/release-timeline.js';
import { type ReleaseRecord, rampStates } from '../store/releases/releases.js';
import { listLiveSegmentRevisions, listSegmentUses } from '../store/segments/segments.js';
import type { Store } from '../store/store.js';
import type { CalendarRange } from './calendar-range.js';
import { type ProjectedRelease, projectRelease } from './project-release.js';

/** A mapping as players receive it: what has a digest, or is a revision of a segment, never changes. */
export interface MappingRef {
  /** Digest. */
  readonly mapping: string;
  /** The saved segments that it uses, by name, as far as they are there. */
  readonly segments: readonly SegmentRef[];
}

export interface SegmentRef {
  readonly name: string;
  readonly revision: number;
}

/** What is live or drafted of a content. */
export interface ContentMapping {
  readonly id: string;
  readonly revision: number;
  readonly ref: MappingRef;
}

export interface CalendarReleaseFacts {
  readonly release: ReleaseRecord;
  readonly projected: ProjectedRelease;
  /** Ids of the contents that it reaches, as they were created, by lower-case id. */
  readonly reach: ReadonlyMap<string, string>;
  /** By lower-case id, what it changes. Of a release that is live, nothing. */
  readonly changes: ReadonlyMap<string, BroughtContent>;
  /** Names of the segments that it changes, with their revisions. */
  readonly segments: ReadonlyMap<string, number>;
}

/** All by lower-case id. */
export interface CalendarFacts {
  readonly live: ReadonlyMap<string, ContentMapping>;
  /** Newest revisions that are not live. */
  readonly drafts: ReadonlyMap<string, ContentMapping>;
  readonly releases: readonly CalendarReleaseFacts[];
  /** Revisions of the segments that are live, by name. */
  readonly segments: ReadonlyMap<string, number>;
}

/**
 * Null: there is no such environment. Contents are read in several snapshots: one that is edited meanwhile is as it was before or
 * after.
 */
export async function readCalendarFacts(
  store: Store,
  environment: string,
  range: CalendarRange,
): Promise<CalendarFacts | null> {
  const live = await listMappedRevisions(store, environment, 'live');
  const newest = await listMappedRevisions(store, environment, 'newest');
  if (live === null || newest === null) return null;
  return store.read(async (db) => {
    const segments = await listLiveSegmentRevisions(db, environment);
    const names = new Map<string, string[]>();
    for (const { content, revision, segment } of await listSegmentUses(db, environment)) {
      getOrAdd(names, revisionKey(content, revision), () => []).push(segment);
    }
    const mappingOf = ({ id, revision, mapping }: MappedRevision): [string, ContentMapping] => {
      const used = names.get(revisionKey(id, revision)) ?? [];
      return [contentKey(id), { id, revision, ref: refOf(mapping, used, segments) }];
    };
    return {
      live: new Map(live.map(mappingOf)),
      drafts: new Map(newest.filter((one) => !one.live).map(mappingOf)),
      releases: await readReleases(db, environment, range),
      segments,
    };
  });
}

/** @param revisions of segments, by name */
export function refOf(
  mapping: string,
  names: readonly string[],
  revisions: ReadonlyMap<string, number>,
): MappingRef {
  const segments = names.flatMap((name) => {
    const revision = revisions.get(name);
    return revision === undefined ? [] : [{ name, revision }];
  });
  return { mapping, segments };
}

function revisionKey(id: string, revision: number): string {
  return `${contentKey(id)} ${revision}`;
}

async function readReleases(
  db: Db,
  environment: string,
  { fromMs, untilMs }: CalendarRange,
): Promise<CalendarReleaseFacts[]> {
  const found: CalendarReleaseFacts[] = [];
  for (const release of await listCalendarReleases(db, environment, fromMs, untilMs)) {
    const isRamp = rampStates.includes(release.state);
    const projected = projectRelease(release, {
      startedMs: isRamp ? await findLastTime(db, release, ['release.start']) : null,
      steppedMs: isRamp ? await findLastTime(db, release, ['release.start', 'release.step']) : null,
    });
    if (projected.fromMs >= untilMs || (projected.untilMs ?? untilMs) < fromMs) continue;
    const changes = await listReleaseChanges(db, release);
    const { contents: reach } = await readReach(db, release, changes);
    const isLive = release.state === 'live';
    found.push({
      ...{ release, projected, reach },
      changes: isLive ? new Map() : await listBroughtContents(db, release),
      segments: isLive ? new Map() : segmentsOf(changes),
    });
  }
  return found;
}

function segmentsOf(
  changes: Awaited<ReturnType<typeof listReleaseChanges>>,
): ReadonlyMap<string, number> {
  const segments = new Map<string, number>();
  for (const { kind, name, revision } of changes) {
    if (kind === 'segment' && revision !== null) segments.set(name, revision);
  }
  return segments;
}
