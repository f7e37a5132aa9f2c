/** What a content of the demo game is, and how it came to be. Types only. */

import type { PersonId } from './people.js';
import type { StoryTime } from './story-time.js';

/** One text of a content, for callers from `appVersion` (X.Y.Z) on. */
export interface DemoLine {
  readonly appVersion: string;
  /** JSON with comments. */
  readonly text: string;
}

export interface DemoMoment {
  readonly at: StoryTime;
  readonly by: PersonId;
}

export interface DemoSave extends DemoMoment {
  /** Why, as it stands in the history. */
  readonly note: string;
  /** What it changed in the highest line: each `after` stands in the text once, in the place of `before`. */
  readonly changes?: readonly (readonly [before: string, after: string])[];
  /** The mapping came with it. */
  readonly mapping?: true;
  /** It was a mistake, and was rolled back: its changes are not in the text. */
  readonly undone?: DemoMoment;
}

export interface DemoContent {
  readonly id: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** As it is live in the end. Ascending by version. */
  readonly lines: readonly DemoLine[];
  /** The dynamic mapping as JSON with comments, or null without one. */
  readonly mapping: string | null;
  /** JSON Schema of what it delivers. */
  readonly schema?: string;
  /** Oldest first. Without any it was never live, and is a draft. */
  readonly saves: readonly DemoSave[];
  /** What was saved last and is not live: its changes are beyond the text. */
  readonly draft?: DemoSave;
  readonly deleted?: DemoMoment;
}
