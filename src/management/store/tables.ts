/** The store's tables as Kysely sees them. Times are milliseconds since the epoch, booleans 0 or 1, JSON is text. */
import type { Generated } from 'kysely';
import type { ReleaseState } from '../../contract/schemas/release.js';

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

export interface EnvironmentsTable {
  id: string;
  name: string;
  protected: number;
  createdAt: number;
}

export interface ApiKeysTable {
  id: string;
  environment: string;
  label: string;
  /** The first characters, by which people recognise keys. */
  prefix: string;
  /** SHA-256 of the key's text, lower-case hex. */
  hash: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

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

export interface ChangeLogTable {
  sequence: number;
  position: number;
  kind: 'environment' | 'environment-removed' | 'key' | 'segment' | 'content';
  environment: string;
  /** Key hash, segment name or lower-case content id; '' for an environment. */
  name: string;
}

export interface UsersTable {
  id: string;
  name: string;
  role: 'owner' | 'editor' | 'viewer';
  /** JSON array of the ids of the environments the role is for; null: all of them. */
  environments: string | null;
  createdAt: number;
}

export interface TokensTable {
  id: string;
  userId: string;
  /** SHA-256 of the token's text, lower-case hex. */
  hash: string;
  prefix: string;
  /** `environment`: it came from LOADOUT_ADMIN_TOKEN and is replaced when that changes. */
  source: 'made' | 'environment';
  createdAt: number;
  /** What it is for, in its maker's words. */
  label: string;
  /** To the minute or so: it is not written per request. */
  lastUsedAt: number | null;
}

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

export interface WebhooksTable {
  id: string;
  url: string;
  description: string;
  /** JSON array of environment ids; null: all. */
  environments: string | null;
  /** JSON array of event types; null: all. */
  events: string | null;
  /** What its messages are signed with: it cannot be a hash. */
  secret: string;
  /** The secret before it was changed, which signs as well until this time; null without one. */
  secretBefore: string | null;
  secretBeforeUntil: number | null;
  createdAt: number;
  /** Attempts that failed one after the other, and since when; 0 and null after one that did not. */
  failures: number;
  failingSince: number | null;
  /** Nothing is sent to it any more; null: it is on. */
  disabledAt: number | null;
  disabledReason: string;
}

/** Messages to webhooks: written with the change that they report, so that none is lost; removed after a time. */
export interface WebhookDeliveriesTable {
  /** Sorts by time. */
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  /** The body, as it is signed and sent. */
  payload: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  nextAttemptAt: number | null;
  lastAttemptAt: number | null;
  /** HTTP status; null: there was no response. */
  lastStatus: number | null;
  /** In plain words; '' when it did not fail. */
  lastError: string;
  /** How long the last attempt took, milliseconds. */
  lastDurationMs: number | null;
  createdAt: number;
}

/** Who is signed in at the console. */
export interface SessionsTable {
  id: string;
  /** The token it was made with, with which it ends. */
  tokenId: string;
  /** SHA-256 of the cookie's value, lower-case hex. */
  hash: string;
  createdAt: number;
  /** To a few minutes: it is not written per request. */
  usedAt: number;
}

/** User contexts that a team tries the contents of an environment with. */
export interface SampleUsersTable {
  environment: string;
  name: string;
  /** JSON object with `u`, `p` and `v`, as far as they were given. */
  context: string;
  createdAt: number;
  updatedAt: number;
}

/** Names of attributes that requests have carried. Never their values, nor whose they are. */
export interface SeenAttributesTable {
  environment: string;
  name: string;
  /** Beginning of the day (UTC) on which a request carried it last. */
  lastSeen: number;
}

/**
 * Environments in which players see nothing without approvals. A table of its own, as the next two: servers of earlier versions
 * select all columns of `environments`, `users` and `tokens`, and PostgreSQL ends such a statement when a column is added.
 */
export interface ReviewPoliciesTable {
  environment: string;
  /** Approvals that a release needs, at least 1. */
  required: number;
}

/** Environments in which findings have to be confirmed. A table of its own for the same reason. */
export interface ConfirmPoliciesTable {
  environment: string;
}

/** What values of a content must be. A table of its own for the same reason. A content without guards has no row. */
export interface ContentGuardsTable extends ContentKey {
  /** JSON array of guards. */
  guards: string;
}

/** What the last check of a release has found. */
export interface ReleaseFindingsTable extends ReleaseKey {
  /** JSON array: as many findings as a response lists. */
  findings: string;
  /** How many there are. */
  total: number;
  /** Digest that was confirmed; null: none. */
  confirmed: string | null;
  /** 1: a guard wants the approval of a second person. */
  needsApproval: number;
}

/** What is known of a user since step 8. It outlives the user: whose approvals count depends on users that are gone, too. */
export interface UserOriginsTable {
  userId: string;
  /** By which revisions name their authors. */
  name: string;
  /** A program, such as CI: it cannot approve releases. */
  service: number;
  /** JSON array of the ids of users that made it, or decided that it is no program; the server itself is none. */
  madeBy: string;
}

/** Who made a token, since step 8. It outlives the token. */
export interface TokenOriginsTable {
  tokenId: string;
  createdBy: string;
}

interface ReleaseKey {
  environment: string;
  /** From 1 in each environment. */
  release: number;
}

/** Changes that are reviewed, scheduled, ramped and reverted as one. */
export interface ReleasesTable extends ReleaseKey {
  title: string;
  description: string;
  state: ReleaseState;
  /** Goes up with each change: transitions are conditional updates of state and version. */
  version: number;
  /** Random, base64url: draws who is in. It stays through pauses, stops and starts. */
  salt: string;
  /** JSON array of `ReleaseStep`. */
  steps: string;
  /** JSON of `ReleaseBrake`, or null. */
  brake: string | null;
  scheduledAt: number | null;
  toleranceMs: number;
  createdBy: string;
  createdByName: string;
  createdAt: number;
  updatedAt: number;
  submittedBy: string | null;
  submittedByName: string | null;
  submittedAt: number | null;
  /** What the approvals that count are for; '' before it was submitted. */
  digest: string;
  /** How often the ramp was started. */
  run: number;
  /** Place in `steps` of the present step; 0 before the start. */
  step: number;
  /** When the step began or was resumed; null while it does not run. */
  stepAt: number | null;
  /** How much of the step's hold had passed when it was paused, milliseconds. */
  heldMs: number;
  /** Why it was paused, stopped or failed; ''. */
  reason: string;
  /** Users whose hash, 16 hex digits, is below it are counted in this step; '' for all. */
  countedBelow: string;
  /** Of the last transition that published. */
  sequence: number | null;
  /** The reason of an owner who went live without approvals. */
  emergency: string | null;
  liveAt: number | null;
  endedAt: number | null;
}

/** What a release changes: one row for each content item, segment, or the environment itself. */
export interface ReleaseChangesTable extends ReleaseKey {
  kind: 'content' | 'segment' | 'environment';
  /** Lower-case content id or segment name; '' for the environment. */
  name: string;
  /** As people write it. */
  id: string;
  /** Number of the revision; null: the content item is deleted, or it is no content. */
  revision: number | null;
  /** What was live when it was added or rebased; null: nothing was. */
  base: number | null;
  /** JSON of `EnvironmentEdit`; null for all else. */
  edit: string | null;
  /** What was live before the release went live, and what it made live; null: nothing, or it is not live. */
  liveBefore: number | null;
  liveAfter: number | null;
  addedBy: string;
  addedByName: string;
  addedAt: number;
}

/** What a release that ramps or is paused reaches. The primary key lets no two of them reach the same. */
export interface ReleaseReachTable {
  environment: string;
  kind: 'content' | 'segment';
  /** Lower-case content id or segment name. */
  name: string;
  release: number;
}

export interface ReleaseApprovalsTable extends ReleaseKey {
  userId: string;
  userName: string;
  /** The token that it was given with. */
  tokenId: string;
  digest: string;
  comment: string;
  at: number;
}

/** What happened to a release. Kept with it, whatever becomes of the audit. */
export interface ReleaseTimelineTable extends ReleaseKey {
  /** Sorts by time. */
  id: string;
  at: number;
  event: string;
  userId: string;
  userName: string;
  state: ReleaseState;
  sequence: number | null;
  permille: number | null;
  text: string;
}

/** Users that received receipts of a step, each once: a keyed hash, never who they are. */
export interface ReleaseUsersTable extends ReleaseKey {
  run: number;
  step: number;
  /** 16 lower-case hex digits. */
  userHash: string;
  slice: 'candidate' | 'control';
  /** IPv4 /24 or IPv6 /48, as a keyed hash. */
  network: string;
  /** When the first token was given. */
  firstAt: number;
  /** 1: a healthy start was confirmed; 0: a crash was reported; null: neither. */
  ok: number | null;
}

export interface Tables {
  segmentPublications: SegmentPublicationsTable;
  reviewPolicies: ReviewPoliciesTable;
  confirmPolicies: ConfirmPoliciesTable;
  contentGuards: ContentGuardsTable;
  userOrigins: UserOriginsTable;
  tokenOrigins: TokenOriginsTable;
  releases: ReleasesTable;
  releaseChanges: ReleaseChangesTable;
  releaseReach: ReleaseReachTable;
  releaseApprovals: ReleaseApprovalsTable;
  releaseTimeline: ReleaseTimelineTable;
  releaseUsers: ReleaseUsersTable;
  releaseFindings: ReleaseFindingsTable;
  storeState: StoreStateTable;
  environments: EnvironmentsTable;
  apiKeys: ApiKeysTable;
  segments: SegmentsTable;
  segmentRevisions: SegmentRevisionsTable;
  texts: TextsTable;
  contents: ContentsTable;
  revisions: RevisionsTable;
  revisionLines: RevisionLinesTable;
  revisionSegments: RevisionSegmentsTable;
  publications: PublicationsTable;
  changeLog: ChangeLogTable;
  sequences: SequencesTable;
  stagedTexts: StagedTextsTable;
  nodes: NodesTable;
  users: UsersTable;
  tokens: TokensTable;
  audit: AuditTable;
  auditedContents: AuditedContentsTable;
  webhooks: WebhooksTable;
  webhookDeliveries: WebhookDeliveriesTable;
  sessions: SessionsTable;
  sampleUsers: SampleUsersTable;
  seenAttributes: SeenAttributesTable;
}
