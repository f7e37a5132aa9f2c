/** Tables of the audit. Times are milliseconds since the epoch, booleans 0 or 1, JSON is text. */

export interface AuditTable {
  /** Sorts by time: milliseconds in hex, then randomness. */
  id: string;
  at: number;
  userId: string;
  userName: string;
  /** `noun.verb`. */
  action: string;
  environment: string;
  name: string;
  /** Address the request came from. */
  address: string;
  /** JSON object. */
  details: string;
}

/** What an event of the audit that is about many contents did to each. */
export interface AuditedContentsTable {
  auditId: string;
  idLower: string;
  /** In the spelling of the environment. */
  id: string;
  change: 'added' | 'changed' | 'removed';
  /** Numbers of its revisions; null: none, or not known (events from before the table). */
  liveBefore: number | null;
  liveAfter: number | null;
  newest: number | null;
  /** Of a sync: the revision of the source. */
  fromRevision: number | null;
}

/** How far the index of changes reaches: one row. Ids of events; see `audit/index/change-index.ts`. */
export interface ChangeIndexTable {
  id: 1;
  /** Events up to and including this one are indexed, as far back as `filledFrom`; '' before the first. */
  indexedTo: string;
  /** Events before this one are not indexed yet; '': all of them are. */
  filledFrom: string;
}

/** What an event of the audit changed in the values of one content, in short. */
export interface AuditChangesTable {
  auditId: string;
  /** From 0, in the order of the ids. */
  item: number;
  idLower: string;
  /** In the spelling of the environment. */
  id: string;
  /** The revisions that were compared; null: there was none, or is none any more. */
  fromRevision: number | null;
  toRevision: number | null;
  /** How many places are indexed. */
  places: number;
  /** 1: more places changed than are indexed. */
  cut: number;
}

/** A value that an event changed in one content. */
export interface AuditPlacesTable {
  auditId: string;
  item: number;
  /** From 0 within the item. */
  position: number;
  idLower: string;
  /** The app version line of the text; '': it is in the mapping. */
  version: string;
  /** JSON pointer. */
  path: string;
  /** JSON texts, cut where they are long; null: there was none, or is none any more. */
  valueBefore: string | null;
  valueAfter: string | null;
}
