/** Tables of releases. Times are milliseconds since the epoch, booleans 0 or 1, JSON is text. */
import type { ReleaseState } from '../../../contract/schemas/release.js';

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
  /** Random, base64url: assigns users to buckets. It stays through pauses, stops and starts. */
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

/** What each ramp reached and delivered, kept after it: `release_reach` holds those that go on, and changes are edited after a stop. */
export interface RampItemsTable extends ReleaseKey {
  /** Time of its event `release.start` in the timeline. */
  startedAt: number;
  kind: 'content' | 'segment';
  /** Lower-case content id or segment name. */
  name: string;
  /** 1: the release changes it itself; 0: it uses a segment that the release changes. */
  changes: number;
  /** Null: the content is deleted, or the release does not change it. */
  revision: number | null;
}
