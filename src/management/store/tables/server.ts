/** Tables of the store itself, its change log, and the servers that share it. Times are milliseconds since the epoch, booleans 0 or 1, JSON is text. */
import type { Generated } from 'kysely';

/** One row: who this store is, which numbers it has given out, and up to which its log was pruned. */
export interface StoreStateTable {
  id: 1;
  storeId: string;
  sequence: number;
  /** Sequences up to and including this one are no longer in the change log. */
  prunedTo: number;
  /** Time of the newest write, and who made it (PostgreSQL only): times of different nodes never run backwards. */
  writtenAt: Generated<number>;
  writer: Generated<string>;
  /** Step of the schema that a server must know to write: what older ones write would lack something. */
  writersMin: Generated<number>;
  hashRule: Generated<HashRule>;
  /** Secret, base64url (`stream-key.ts`). */
  streamKey: string;
}

/**
 * What the hash of a content with a mapping covers. `json`: the delivered JSON alone, as in all versions before step 5.
 * `state`: the mapping and its saved segments too. `changing`: writes follow the new rule, and what was there before is
 * being hashed again.
 */
export type HashRule = 'json' | 'changing' | 'state';

/** Each number that was given out. */
export interface SequencesTable {
  sequence: number;
  /** Random: distinguishes the number from the same one of another history. */
  mark: string;
  at: number;
}

/** Texts that were stored ahead of the write that will use them; housekeeping leaves them alone until then. */
export interface StagedTextsTable {
  /** One import. */
  holder: string;
  digest: string;
  /** Housekeeping may take it from then on: its holder was killed. */
  until: number;
}

/** Servers that share this store, each as it last said. Times are the database's. */
export interface NodesTable {
  id: string;
  name: string;
  /** Where players reach it. */
  address: string;
  version: string;
  /** The newest sequence that all its delivery processes serve. */
  sequence: number;
  /** Delivery processes that serve. */
  serving: number;
  startedAt: number;
  seenAt: number;
  /** The newest step of the schema that it knows; 0: it is older than step 5. */
  schema: number;
}

export interface ChangeLogTable {
  sequence: number;
  position: number;
  kind: 'environment' | 'environment-removed' | 'key' | 'segment' | 'content';
  environment: string;
  /** Key hash, segment name or lower-case content id; '' for an environment. */
  name: string;
}
