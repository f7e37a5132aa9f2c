/**
 * The hashes by which clients notice that a content changed (docs/delivery-api.md, D63). That of the delivered JSON never changes; what
 * a mapping makes of it also depends on the saved segments and the layers, so it is kept for live and newest revisions only, and
 * computed again with every write that changes something it covers.
 */

import { AssertionError } from 'node:assert';
import { sql } from 'kysely';
import { contentHash, type HashedRules } from '../../../content/hash.js';
import type { Db } from '../dialect.js';
import { EventLoopYielder } from '../event-loop-yielder.js';
import { readLayers } from '../layers/read-layers.js';
import type { HashRule } from '../tables/server.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { deliveredJson, hashedRules } from './delivered-json.js';
import { liveOrNewest, ofRevision } from './joins.js';
import { readText } from './texts.js';

interface HashedLine {
  readonly textDigest: string;
  readonly jsonHash: string;
}

/** Lines and mapping of a revision, saved or about to be. */
export interface HashedState {
  readonly lines: readonly HashedLine[];
  /** Digest of the mapping text, or null. */
  readonly mapping: string | null;
  /** Saved segments that the mapping refers to. */
  readonly segments: readonly string[];
  /** Texts that the store may not have yet, by digest. */
  readonly texts?: ReadonlyMap<string, Uint8Array>;
}

/** The hash of a line as clients see it, of a query with `revisionLines`. */
export const shownHash = sql<string>`coalesce(revision_lines.state_hash, revision_lines.hash)`.as(
  'hash',
);

/** By which rule writes hash now. */
export async function readHashRule(db: Db): Promise<HashRule> {
  const { hashRule } = await db
    .selectFrom('storeState')
    .select('hashRule')
    .executeTakeFirstOrThrow();
  return hashRule;
}

export async function setHashRule(write: UnitOfWork, hashRule: HashRule): Promise<void> {
  await write.db.updateTable('storeState').set({ hashRule }).execute();
}

/**
 * What mappings add to hashes, by environment and mapping, as long as no segment and no layer changes. Contents that name one
 * segment mostly share few mappings.
 */
export type KnownRules = Map<string, HashedRules | null>;

const knownRulesMax = 100;

/**
 * For each line of a state, the hash that covers its mapping and the environment's segments; null: there is none.
 * @param overlay conditions that stand in front of the saved ones, JSON text by name of the segment
 */
export async function stateHashesOf(
  db: Db,
  environment: string,
  state: HashedState,
  known: KnownRules = new Map(),
  overlay: ReadonlyMap<string, string> = noOverlay,
): Promise<readonly (string | null)[]> {
  const { lines, mapping, segments } = state;
  const none = lines.map(() => null);
  if (mapping === null || (await readHashRule(db)) === 'json') return none;
  const text = (digest: string): Uint8Array | Promise<Uint8Array> =>
    state.texts?.get(digest) ?? readText(db, digest);
  const key = `${environment} ${mapping}`;
  let rules = known.get(key);
  if (rules === undefined) {
    const conditions = await conditionsOf(db, environment, segments, overlay);
    rules = hashedRules(await text(mapping), conditions, await readLayers(db, environment));
    if (known.size >= knownRulesMax) known.clear();
    known.set(key, rules);
  }
  // A list without rules is no mapping; the hash that covers it is that of the JSON.
  if (rules === null) return lines.map(({ jsonHash }) => jsonHash);
  const hashes: string[] = [];
  for (const { textDigest } of lines) {
    hashes.push(contentHash(deliveredJson(await text(textDigest)), rules));
  }
  return hashes;
}

const noOverlay: ReadonlyMap<string, string> = new Map();

async function conditionsOf(
  db: Db,
  environment: string,
  names: readonly string[],
  overlay: ReadonlyMap<string, string>,
): Promise<{ readonly name: string; readonly condition: string }[]> {
  const laid = names.flatMap((name) => {
    const condition = overlay.get(name);
    return condition === undefined ? [] : [{ name, condition }];
  });
  const others = names.filter((name) => !overlay.has(name));
  if (others.length === 0) return laid;
  const saved = await db
    .selectFrom('segments')
    .select(['name', 'condition'])
    .where('environment', '=', environment)
    .where('name', 'in', others)
    .execute();
  return [...laid, ...saved];
}

/** Computes the hashes of a saved revision again: it becomes live again, or what its mapping refers to has changed. */
export async function refreshHashes(
  write: UnitOfWork,
  environment: string,
  idLower: string,
  number: number,
  known?: KnownRules,
): Promise<void> {
  const { db } = write;
  const found = await db
    .selectFrom('revisions')
    .select('mapping')
    .where((row) => row.and({ environment, idLower, number }))
    .executeTakeFirst();
  if (found === undefined || found.mapping === null) return;
  const of = { environment, idLower, number };
  const lines = await db
    .selectFrom('revisionLines')
    .select(['version', 'textDigest', 'hash as jsonHash', 'stateHash'])
    .where((where) => where.and(of))
    .execute();
  const named = await db
    .selectFrom('revisionSegments')
    .select('segment')
    .where((where) => where.and(of))
    .execute();
  const segments = named.map(({ segment }) => segment);
  const state = { lines, mapping: found.mapping, segments };
  const hashes = await stateHashesOf(db, environment, state, known).catch(unlessDamaged);
  if (hashes === null) return;
  for (const [at, { version, stateHash }] of lines.entries()) {
    if (hashes[at] === stateHash) continue;
    await db
      .updateTable('revisionLines')
      .set({ stateHash: hashes[at] ?? null })
      .where((where) => where.and({ ...of, version }))
      .execute();
  }
}

/** A text that is not what was saved keeps its hash: the daily check of texts and the publisher say so. */
function unlessDamaged(error: unknown): null {
  if (error instanceof AssertionError) return null;
  throw error;
}

/** The hash that the highest line of a state would have once it is saved. */
export async function hashOfState(
  db: Db,
  environment: string,
  state: HashedState,
): Promise<string> {
  const lines = state.lines.slice(-1);
  const [stateHash] = await stateHashesOf(db, environment, { ...state, lines });
  return stateHash ?? lines[0]?.jsonHash ?? '';
}

/** The hash of a saved revision's highest line, as clients see it. */
export async function findHash(
  db: Db,
  environment: string,
  idLower: string,
  number: number,
): Promise<string> {
  const line = await db
    .selectFrom('revisionLines')
    .select(shownHash)
    .where((row) => row.and({ environment, idLower, number }))
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return line?.hash ?? '';
}

/**
 * Gives the contents that a saved segment is delivered with their new hashes, under the number of the segment's own
 * change: a server that serves the one serves the other.
 */
export async function refreshUsesOf(
  write: UnitOfWork,
  environment: string,
  segment: string,
): Promise<void> {
  const used = await mappedRevisions(write.db)
    .innerJoin('revisionSegments', ofRevision('revisionSegments', 'revisions'))
    .where('contents.environment', '=', environment)
    .where('revisionSegments.segment', '=', segment)
    .execute();
  const pace = new EventLoopYielder();
  const known: KnownRules = new Map();
  for (const revision of used) {
    await refreshAndMark(write, revision, known);
    await pace.step();
  }
}

/**
 * Hashes live and newest revisions that have a mapping and no hash that covers it: those that a version wrote which did
 * not know of it.
 * @param msMax after which it leaves the rest for another write
 * @returns whether none is left
 */
export async function hashUnhashed(write: UnitOfWork, msMax: number): Promise<boolean> {
  const found = await mappedRevisions(write.db)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('revisionLines')
          .select('revisionLines.number')
          .whereRef('revisionLines.environment', '=', 'revisions.environment')
          .whereRef('revisionLines.idLower', '=', 'revisions.idLower')
          .whereRef('revisionLines.number', '=', 'revisions.number')
          .where('revisionLines.stateHash', 'is', null),
      ),
    )
    .limit(unhashedPerWrite)
    .execute();
  const until = performance.now() + msMax;
  const pace = new EventLoopYielder();
  const known: KnownRules = new Map();
  for (const [at, revision] of found.entries()) {
    await refreshAndMark(write, revision, known);
    if (at + 1 === found.length) break;
    if (performance.now() > until) return false;
    await pace.step();
  }
  return found.length < unhashedPerWrite;
}

const unhashedPerWrite = 500;

export interface MappedRevision {
  readonly environment: string;
  readonly idLower: string;
  readonly number: number;
  readonly live: number | null;
}

/** Live and newest revisions that have a mapping, of contents that are not deleted. */
export function mappedRevisions(db: Db) {
  return db
    .selectFrom('contents')
    .innerJoin('revisions', liveOrNewest('revisions'))
    .where('contents.deletedAt', 'is', null)
    .where('revisions.mapping', 'is not', null)
    .select(['contents.environment', 'contents.idLower', 'contents.live', 'revisions.number'])
    .orderBy('contents.environment')
    .orderBy('contents.idLower');
}

export async function refreshAndMark(
  write: UnitOfWork,
  { environment, idLower, number, live }: MappedRevision,
  known: KnownRules,
): Promise<void> {
  await refreshHashes(write, environment, idLower, number, known);
  if (number === live) write.markChanged('content', environment, idLower);
}
