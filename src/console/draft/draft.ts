/**
 * What has been typed of a content and not yet saved, on top of the revision it was begun on. The text, mapping and
 * preview tabs all read and change this one; every value is the source as typed, so nothing is respelled on its way.
 */
import type { ValidationIssue } from '../../contract/problems.js';

export interface DraftLine {
  /** X.Y.Z, canonical. */
  readonly appVersion: string;
  readonly text: string;
}

/** The complete state of a content that one may edit. */
export interface ContentState {
  /** Lowest version first; at least one. */
  readonly lines: readonly DraftLine[];
  /** JSON source of the array of rules; '[]' for none. */
  readonly mapping: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** JSON source of the JSON Schema; 'null' for none. */
  readonly schema: string;
}

/** What the server holds: the newest revision, with what is live. */
export interface SavedContent extends ContentState {
  readonly env: string;
  readonly id: string;
  /** Number of the newest revision, on which a save builds; 0: the content does not exist yet. */
  readonly newest: number;
  readonly live: number | null;
  readonly author: string;
  readonly updatedAt: string;
}

/** What the server says of the typed state, by a dry run. */
export interface Verdict {
  /** Of the state that it is about; a newer one may have been typed since. */
  readonly state: ContentState;
  /**
   * Why a save would be refused, or with the code `schema_mismatch` only publishing: by `path` (`text`,
   * `mapping[2].when`, …), for a text with line and column.
   */
  readonly errors: readonly ValidationIssue[];
  readonly warnings: readonly ValidationIssue[];
}

export interface ContentDraft {
  readonly saved: SavedContent;
  readonly state: ContentState;
  /** Whether anything differs from what is saved. */
  readonly isDirty: boolean;
  readonly mayEdit: boolean;
  /** Null until the first verdict on anything. */
  readonly verdict: Verdict | null;
  change(part: Partial<ContentState>): void;
  changeText(appVersion: string, text: string): void;
  /** Back to what is saved. */
  discard(): void;
}
