/** What the admin API answers, as far as the commands read it. Types only. */

import type { Evaluation } from '../management/authoring/evaluate.js';
import type { ProblemError } from './problem.js';

export interface EnvironmentAnswer {
  readonly id: string;
  readonly name: string;
  readonly protected: boolean;
}

export interface EnvironmentsAnswer {
  readonly environments: readonly EnvironmentAnswer[];
}

export interface KeyAnswer {
  readonly id: string;
  /** The first characters of the key. */
  readonly prefix: string;
  readonly label: string;
  /** RFC 3339, or null: never. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export interface KeyCreatedAnswer extends KeyAnswer {
  /** The key itself; no later answer has it. */
  readonly key: string;
}

export interface KeysAnswer {
  readonly keys: readonly KeyAnswer[];
}

export interface SegmentAnswer {
  readonly name: string;
  readonly when: unknown;
  readonly description: string;
  /** Ids of the contents whose mappings refer to it. */
  readonly usedBy: readonly string[];
}

export interface SegmentSavedAnswer extends SegmentAnswer {
  readonly warnings: readonly ProblemError[];
}

export interface SegmentsAnswer {
  readonly segments: readonly SegmentAnswer[];
}

export interface LineAnswer {
  /** Minimum app version, X.Y.Z. */
  readonly appVersion: string;
  readonly text: string;
}

export interface ContentAnswer {
  readonly id: string;
  readonly lines: readonly LineAnswer[];
}

export interface ContentSummary {
  readonly id: string;
  readonly live: number | null;
  readonly newest: number;
  readonly hash: string;
  readonly dynamic: boolean;
  readonly lines: number;
  /** Delivered bytes of the highest line. */
  readonly jsonBytes: number;
  readonly tags: readonly string[];
  readonly updatedAt: string;
}

export interface ContentListAnswer {
  readonly contents: readonly ContentSummary[];
  /** Where the next page begins; null on the last one. */
  readonly next: string | null;
}

export interface RevisionSummary {
  readonly revision: number;
  readonly live: boolean;
  readonly hash: string;
  readonly author: string;
  readonly note: string;
  readonly createdAt: string;
}

export interface RevisionsAnswer {
  readonly revisions: readonly RevisionSummary[];
}

/** After a PUT, publish, rollback or the removal of a line. */
export interface SavedAnswer {
  readonly id: string;
  readonly revision: number;
  readonly live: number | null;
  /** Hash of the highest line. */
  readonly hash: string;
  readonly warnings: readonly ProblemError[];
}

/** The evaluation with the wrapped answer as JSON inside; `answer` and `line` are null where delivery answers 404. */
export type EvaluationAnswer = Omit<Evaluation, 'answer' | 'appVersion'> & {
  readonly answer: unknown;
  readonly line: string | null;
  /** RFC 3339. */
  readonly at: string;
};
