/** Tables of content items and saved segments, with their revisions and texts. Times are milliseconds since the epoch, booleans 0 or 1, JSON is text. */
import type { Generated } from 'kysely';

export interface SegmentsTable {
  environment: string;
  name: string;
  /** The condition as it was sent, JSON text. */
  condition: string;
  description: string;
  createdAt: number;
  updatedAt: number;
  /** Number of the revision that holds the condition. */
  revision: number;
}

/** Conditions that a segment has had. They stay when the segment is deleted, and one of the same name goes on counting. */
export interface SegmentRevisionsTable {
  environment: string;
  name: string;
  number: number;
  condition: string;
  /** '' where it was saved before revisions were kept, and the audit no longer says by whom. */
  author: string;
  note: string;
  createdAt: number;
  /** A sync made it: the environment it came from, and the number it has there. */
  syncedFrom: string | null;
  syncedRevision: number | null;
}

/**
 * What was live of a segment, and since when: until the next row. Only a segment that has had a draft has rows; each revision
 * of the others was live from its save on.
 */
export interface SegmentPublicationsTable {
  environment: string;
  name: string;
  at: number;
  /** Number of the revision; null: the segment was not live. */
  number: number | null;
  /** Number of the newest revision then; 0: there was none. */
  newest: number;
}

/** Texts of lines and mappings, byte for byte as they were sent, each stored once. */
export interface TextsTable {
  /** SHA-256, lower-case hex. */
  digest: string;
  bytes: Uint8Array;
}

interface ContentKey {
  environment: string;
  /** Lower-case form of the id: contents are matched without case. */
  idLower: string;
}

interface RevisionKey extends ContentKey {
  number: number;
}

export interface ContentsTable extends ContentKey {
  /** The spelling it was created with. */
  id: string;
  description: string;
  /** JSON array of strings. */
  tags: string;
  /** JSON Schema as it was sent, or null. */
  schema: string | null;
  /** Number of the newest revision. */
  newest: number;
  /** Number of the live revision; null: nothing is delivered. */
  live: number | null;
  /** Number of the revision that was live when the content was deleted; null: none was, or it is not deleted. */
  liveBefore: number | null;
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
}

export interface RevisionsTable extends RevisionKey {
  /** Digest of the mapping text, or null without one. */
  mapping: string | null;
  /** JSON array of JSON Pointers: what OFREP's bulk evaluation lists. Not among the texts, where older versions would tidy it away (D82). */
  flags: Generated<string>;
  author: string;
  note: string;
  createdAt: number;
  /** A sync made it: the environment it came from, and the number it has there. */
  syncedFrom: string | null;
  syncedRevision: number | null;
}

export interface RevisionLinesTable extends RevisionKey {
  /** Minimum app version, `X.Y.Z` without leading zeros. */
  version: string;
  /** Place of the line when lines are sorted by version: text columns cannot be. */
  position: number;
  /** Digest of the stored text. */
  textDigest: string;
  textBytes: number;
  /** Digest, hash and size of the delivered JSON. */
  jsonDigest: string;
  hash: string;
  jsonBytes: number;
  /** The hash that covers the mapping and its segments too; null where there is no mapping (`state-hashes.ts`). */
  stateHash: Generated<string | null>;
}

/** What was live of a content, and since when: until the next row. */
export interface PublicationsTable extends ContentKey {
  at: number;
  /** Number of the revision; null: nothing was delivered. */
  number: number | null;
}

/** Which saved segments a revision's mapping refers to. */
export interface RevisionSegmentsTable extends RevisionKey {
  segment: string;
}

/** What values of a content must be. A table of its own for the same reason. A content without guards has no row. */
export interface ContentGuardsTable extends ContentKey {
  /** JSON array of guards. */
  guards: string;
}
