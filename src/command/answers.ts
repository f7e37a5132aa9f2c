/** What the admin API answers, as far as the commands read it. Types only. */

import type { SyncedContent, SyncedSegment } from '../contract/operations/sync.js';
import type { PointerChange } from '../management/contents/diff/diff-pointers.js';
import type { Evaluation } from '../management/evaluation/evaluate.js';
import type { PreviewReport } from '../management/evaluation/preview.js';
import type { ComparedConditions } from '../management/segments/compare-conditions.js';
import type { TestedContext } from '../management/segments/test-condition.js';
import type { ImportReport } from '../management/transfer/import-report.js';
import type { ProblemError } from './problem.js';

export interface EnvironmentAnswer {
  readonly id: string;
  readonly name: string;
  readonly protected: boolean;
}

export interface EnvironmentsAnswer {
  readonly environments: readonly EnvironmentAnswer[];
}

export interface UserAnswer {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** Ids; null: all. */
  readonly environments: readonly string[] | null;
}

export interface UserCreatedAnswer extends UserAnswer {
  /** Shown this once. */
  readonly token: string;
}

export interface UsersAnswer {
  readonly users: readonly UserAnswer[];
}

export interface TokenAnswer {
  readonly id: string;
  readonly label: string;
  /** The first characters of the token. */
  readonly prefix: string;
  readonly source: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export interface TokenCreatedAnswer extends TokenAnswer {
  readonly token: string;
}

export interface TokensAnswer {
  readonly tokens: readonly TokenAnswer[];
}

export interface AuditEventAnswer {
  readonly id: string;
  readonly at: string;
  readonly userName: string;
  readonly action: string;
  readonly environment: string;
  readonly name: string;
  readonly address: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** What a sync or import did to the content that was asked for by name. */
  readonly content?: AuditedContentAnswer | undefined;
}

/** Numbers of revisions; null: none, or not known. */
export interface AuditedContentAnswer {
  readonly id: string;
  readonly change: string;
  readonly before: number | null;
  readonly after: number | null;
  /** Null: an older event, which does not say what was live afterwards either. */
  readonly newest: number | null;
  readonly from: number | null;
}

export interface AuditAnswer {
  readonly events: readonly AuditEventAnswer[];
  readonly next: string | null;
}

export interface SegmentAnswer {
  readonly name: string;
  readonly when: unknown;
  readonly description: string;
  /** Ids of the contents whose mappings refer to it. */
  readonly usedBy: readonly string[];
  /** Number of the revision that holds the condition. */
  readonly revision: number;
  /** RFC 3339. */
  readonly updatedAt: string;
}

export interface UsedSegmentAnswer extends SegmentAnswer {
  readonly uses: readonly SegmentUseAnswer[];
}

export interface SegmentUseAnswer {
  readonly content: string;
  readonly revision: number;
  readonly live: boolean;
  readonly newest: boolean;
  /** Places in the mapping of that revision, from 0. */
  readonly rules: readonly number[];
}

export interface SegmentSavedAnswer extends SegmentAnswer {
  /** Ids of the contents that are delivered with it. */
  readonly reaches: readonly string[];
  readonly warnings: readonly ProblemError[];
}

export interface SegmentRevisionSummary {
  readonly revision: number;
  /** Rules that name the segment use it now. */
  readonly current: boolean;
  /** '' where it was saved before revisions were kept. */
  readonly author: string;
  readonly note: string;
  readonly createdAt: string;
  /** Where a sync brought it from. */
  readonly synced: { readonly from: string; readonly revision: number } | null;
}

export interface SegmentDiffAnswer {
  readonly name: string;
  /** Null: there is no revision before. */
  readonly from: SegmentRevisionSummary | null;
  readonly to: SegmentRevisionSummary;
  readonly pointers: readonly PointerChange[];
  readonly pointersCut: boolean;
  /** Unified diff of the conditions as they were sent. */
  readonly text: string;
  readonly textCut: boolean;
}

/** What a PUT would do. */
export interface SegmentPlanAnswer {
  readonly created: boolean;
  /** Its condition would be another one. */
  readonly changed: boolean;
  /** null: there is none of the name. */
  readonly updatedAt: string | null;
  readonly reaches: readonly string[];
  readonly warnings: readonly ProblemError[];
  readonly effect: ComparedConditions | null;
}

export interface SegmentsAnswer {
  readonly segments: readonly UsedSegmentAnswer[];
  /** Where the next page begins; null on the last one. */
  readonly next: string | null;
}

export interface SegmentTestAnswer {
  readonly contexts: number;
  readonly matching: number;
  readonly results: readonly TestedContext[];
  readonly warnings: readonly ProblemError[];
}

/** The evaluation with the wrapped answer as JSON inside; `answer` and `line` are null where delivery answers 404. */
export type EvaluationAnswer = Omit<Evaluation, 'answer'> & {
  readonly answer: unknown;
  /** RFC 3339. */
  readonly at: string;
};

export type PreviewAnswer = PreviewReport & {
  /** RFC 3339. */
  readonly at: string;
};

export interface WebhookAnswer {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** Null: all. */
  readonly environments: readonly string[] | null;
  readonly events: readonly string[] | null;
  readonly enabled: boolean;
  readonly disabledReason: string;
  /** Attempts that failed one after the other. */
  readonly failures: number;
  /** RFC 3339; until then the secret before the present one signs as well. */
  readonly secretBeforeUntil: string | null;
}

export interface WebhooksAnswer {
  readonly webhooks: readonly WebhookAnswer[];
}

export interface WebhookCreatedAnswer extends WebhookAnswer {
  /** No later answer has it. */
  readonly secret: string;
}

export interface DeliveryAnswer {
  readonly id: string;
  readonly event: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly lastStatus: number | null;
  readonly lastError: string;
  readonly lastDurationMs: number | null;
}

export interface DeliveriesAnswer {
  readonly deliveries: readonly DeliveryAnswer[];
  /** `before` of the next page; null on the last one. */
  readonly next: string | null;
}

export interface MessageAnswer extends DeliveryAnswer {
  readonly body: string;
}

export interface RetriedAnswer {
  /** How many messages are sent again. */
  readonly deliveries: number;
}

/** Who made what a sync covers; RFC 3339. */
interface EditedHereAnswer {
  readonly edited: { readonly author: string; readonly at: string } | null;
}

export type SyncedContentAnswer = Omit<SyncedContent, 'edited'> & EditedHereAnswer;
export type SyncedSegmentAnswer = Omit<SyncedSegment, 'edited'> & EditedHereAnswer;

export interface SyncAnswer {
  readonly added: readonly SyncedContentAnswer[];
  readonly changed: readonly SyncedContentAnswer[];
  /** Ids. */
  readonly unchanged: readonly string[];
  readonly onlyHere: readonly string[];
  readonly segments: readonly SyncedSegmentAnswer[];
  /** Sent along, it holds the sync to what this one showed. */
  readonly plan: string;
  readonly dryRun: boolean;
}

export interface ImportAnswer extends ImportReport {
  readonly dryRun: boolean;
}

/** One of the servers that share the store. */
export interface NodeAnswer {
  readonly name: string;
  /** Where players reach it. */
  readonly address: string;
  readonly version: string;
  readonly sequence: number;
  readonly lag: number;
  /** RFC 3339. */
  readonly seenAt: string;
  /** Listeners. */
  readonly serving: number;
  readonly live: boolean;
  /** It is the one that answered. */
  readonly self: boolean;
}

export interface NodesAnswer {
  readonly nodes: readonly NodeAnswer[];
}
