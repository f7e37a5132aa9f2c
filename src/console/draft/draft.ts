/**
 * What is typed of a content item and not saved yet, on top of the revision it started from. The text, targeting and preview
 * tabs all read and change it. Every value is the source as typed, so its spelling survives.
 */
import type { ValidationIssue } from '../../contract/problems.js';
import type { Confirmation, GuardInput } from '../../contract/schemas/guard.js';

export interface VersionLine {
  /** X.Y.Z, canonical. */
  readonly appVersion: string;
  readonly text: string;
}

/** The complete editable state of a content item. */
export interface ContentState {
  /** Lowest version first; at least one. */
  readonly lines: readonly VersionLine[];
  /** JSON source of the array of rules; '[]' for none. */
  readonly mapping: string;
  /** JSON Pointers, in the order in which OFREP lists them. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly tags: readonly string[];
  /** JSON source of the JSON Schema; 'null' for none. */
  readonly schema: string;
  /** What its values must be; not part of a revision. */
  readonly guards: readonly GuardInput[];
}

/** What the server holds: the newest revision, and which one is live. */
export interface SavedContent extends ContentState {
  readonly env: string;
  readonly id: string;
  /** Number of the newest revision, on which a save builds; 0: the content item does not exist yet. */
  readonly newest: number;
  readonly live: number | null;
  readonly author: string;
  readonly updatedAt: string;
}

/** The server's result of a dry run of a state. */
export interface ValidationResult {
  /** The state that was validated; a newer one may have been typed since. */
  readonly state: ContentState;
  /**
   * Why the server would reject a save, or with the code `schema_mismatch` only a publish: by `path` (`text`,
   * `mapping[2].when`, …), for a text with line and column.
   */
  readonly errors: readonly ValidationIssue[];
  readonly warnings: readonly ValidationIssue[];
  /** What publishing the state has to confirm; null: nothing, or it was checked as a draft. */
  readonly confirmation: Confirmation | null;
}
