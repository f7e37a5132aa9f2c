/** The ramps of an environment, as its content items and segments are published with them. */
import type { Db } from '../dialect.js';
import { findSegmentRevision } from '../segments/segment-revisions.js';
import { listReleaseChanges } from './release-changes.js';
import { listReach } from './release-reach.js';
import { listReleasesIn, type ReleaseRecord, rampStates } from './releases.js';

export interface Ramp {
  readonly release: ReleaseRecord;
  /** By lower-case content id, the revision that it delivers; null: it deletes the content. */
  readonly revisions: ReadonlyMap<string, number | null>;
  /** Conditions of the segments that it changes, JSON text by name. */
  readonly conditions: ReadonlyMap<string, string>;
}

export interface EnvironmentRamps {
  /** By lower-case content id, the one ramp that reaches it. */
  readonly byContent: ReadonlyMap<string, Ramp>;
  /** Lower-case ids of the contents that ramps change: nothing of some of them may be live. */
  readonly brought: readonly string[];
  /** Conditions of all segments that ramps change, JSON text by name. */
  readonly conditions: ReadonlyMap<string, string>;
}

export const noRamps: EnvironmentRamps = {
  byContent: new Map(),
  brought: [],
  conditions: new Map(),
};

/** One query where nothing ramps. */
export async function readRamps(db: Db, environment: string): Promise<EnvironmentRamps> {
  const releases = await listReleasesIn(db, environment, rampStates);
  if (releases.length === 0) return noRamps;
  const byContent = new Map<string, Ramp>();
  const brought: string[] = [];
  const conditions = new Map<string, string>();
  for (const release of releases) {
    const ramp = await readRamp(db, release);
    for (const { kind, name } of await listReach(db, release)) {
      if (kind === 'content') byContent.set(name, ramp);
    }
    brought.push(...ramp.revisions.keys());
    for (const [name, condition] of ramp.conditions) conditions.set(name, condition);
  }
  return { byContent, brought, conditions };
}

async function readRamp(db: Db, release: ReleaseRecord): Promise<Ramp> {
  const revisions = new Map<string, number | null>();
  const conditions = new Map<string, string>();
  for (const { kind, name, revision } of await listReleaseChanges(db, release)) {
    if (kind === 'content') revisions.set(name, revision);
    if (kind !== 'segment' || revision === null) continue;
    const saved = await findSegmentRevision(db, release.environment, name, revision);
    if (saved !== null) conditions.set(name, saved.condition);
  }
  return { release, revisions, conditions };
}
