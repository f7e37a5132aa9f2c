/** Reads the bytes that a revision delivers, and checks that they are what was saved. */
import { digestOf } from '../../../content/hash.js';
import type { PublishedDelivery, PublishedLine } from '../../../published/change.js';
import type { Db } from '../dialect.js';
import { TextDamaged } from '../store-errors.js';
import { deliveredJson } from './delivered-json.js';
import { ofRevision } from './joins.js';
import { parseFlags } from './revision-flags.js';
import { listRevisionSegments } from './revisions.js';
import { shownHash, stateHashesOf } from './state-hashes.js';
import { readText } from './texts.js';

/** Which revision is delivered. */
export interface DeliveredRevision {
  readonly environment: string;
  readonly idLower: string;
  /** The spelling it was created with. */
  readonly id: string;
  readonly number: number;
}

/**
 * What a revision delivers, with the hashes that are kept with it: those of live revisions cover the saved segments.
 * @returns null: there is no such revision
 * @throws TextDamaged
 */
export async function readDelivery(
  db: Db,
  revision: DeliveredRevision,
): Promise<PublishedDelivery | null> {
  return (await readRevision(db, revision))?.delivery ?? null;
}

/**
 * The same with the hashes that it has with other conditions of segments. Hashes of drafts are not kept up to date, so
 * they are computed here.
 * @param overlay conditions that stand in front of the saved ones, JSON text by name of the segment
 */
export async function readDeliveryWith(
  db: Db,
  revision: DeliveredRevision,
  overlay: ReadonlyMap<string, string>,
): Promise<PublishedDelivery | null> {
  const found = await readRevision(db, revision);
  if (found === null) return null;
  const { environment, idLower, number } = revision;
  const { delivery, mappingDigest: mapping, lines, texts } = found;
  const segments = await listRevisionSegments(db, environment, idLower, number);
  const state = { lines, mapping, segments, texts };
  const hashes = await stateHashesOf(db, environment, state, new Map(), overlay);
  const hashed = delivery.lines.map((line, at) => ({
    ...line,
    hash: hashes[at] ?? lines[at]?.jsonHash ?? line.hash,
  }));
  return { ...delivery, lines: hashed };
}

interface ReadRevision {
  readonly delivery: PublishedDelivery;
  /** Null: it has no mapping. */
  readonly mappingDigest: string | null;
  readonly lines: readonly { readonly textDigest: string; readonly jsonHash: string }[];
  /** By digest. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
}

async function readRevision(
  db: Db,
  { environment, idLower, id, number }: DeliveredRevision,
): Promise<ReadRevision | null> {
  const rows = await db
    .selectFrom('revisions')
    .innerJoin('revisionLines', ofRevision('revisionLines', 'revisions'))
    .innerJoin('texts', 'texts.digest', 'revisionLines.textDigest')
    .where('revisions.environment', '=', environment)
    .where('revisions.idLower', '=', idLower)
    .where('revisions.number', '=', number)
    .select(['revisions.mapping', 'revisions.flags', 'revisionLines.version', 'texts.bytes'])
    .select(['revisionLines.jsonDigest', 'revisionLines.textDigest', shownHash])
    .select('revisionLines.hash as jsonHash')
    .orderBy('revisionLines.position')
    .execute();
  const first = rows[0];
  if (first === undefined) return null;
  const usedBy = `${environment}/${id}`;
  const texts = new Map<string, Uint8Array>();
  const lines: PublishedLine[] = rows.map((row) => {
    check(row.bytes, row.textDigest, usedBy);
    texts.set(row.textDigest, row.bytes);
    const { version, jsonDigest: digest, hash } = row;
    return { version, digest, hash, json: deliveredJson(row.bytes) };
  });
  let mapping = '';
  if (first.mapping !== null) {
    const text = await readText(db, first.mapping);
    check(text, first.mapping, usedBy);
    texts.set(first.mapping, text);
    mapping = Buffer.from(text).toString();
  }
  const delivery = { lines, mapping, flags: parseFlags(first.flags) };
  return { delivery, mappingDigest: first.mapping, lines: rows, texts };
}

/** What is published is what was saved: some 2 ms a megabyte, once for each publishing. */
function check(bytes: Uint8Array, digest: string, usedBy: string): void {
  if (digestOf(bytes) !== digest) throw new TextDamaged(digest, usedBy);
}
