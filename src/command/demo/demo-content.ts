/** What a content of the demo game is. Types only. */

/** One text of a content, for callers from `appVersion` (X.Y.Z) on. */
export interface DemoLine {
  readonly appVersion: string;
  /** JSON with comments. */
  readonly text: string;
}

export interface DemoContent {
  readonly id: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Ascending by version. */
  readonly lines: readonly DemoLine[];
  /** The dynamic mapping as JSON with comments, or null without one. */
  readonly mapping: string | null;
}
