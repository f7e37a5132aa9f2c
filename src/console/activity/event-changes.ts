/** What an event changed: the revisions to compare, and the content items that a sync or an import names. Pure. */
import type { DescribedEvent } from './describe-event.js';

export interface ComparedRevisions {
  readonly kind: 'content' | 'segment';
  readonly env: string;
  /** Of the content item, or the name of the segment. */
  readonly id: string;
  /** Null: there was none. */
  readonly from: number | null;
  readonly to: number;
}

/** Null: the event neither made a revision nor put one live, or predates the numbers of segments' revisions. */
export function comparedRevisions(event: DescribedEvent): ComparedRevisions | null {
  const { action, environment: env, name: id, details } = event;
  const { before, after } = details;
  if (segmentActions.has(action)) {
    const [from, to] = [member(before, 'revision'), member(after, 'revision')];
    return to === null || to === from ? null : { kind: 'segment', env, id, from, to };
  }
  const to = member(details, 'revision');
  if (!savingActions.has(action) || to === null) return null;
  // A publish or rollback replaces what players saw; a save continues from the newest revision.
  const from = member(before, publishingActions.has(action) ? 'live' : 'revision');
  return { kind: 'content', env, id, from: from ?? member(before, 'revision'), to };
}

const segmentActions = new Set(['segment.draft', 'segment.put', 'segment.rollback']);
const publishingActions = new Set(['content.publish', 'content.rollback']);
const savingActions = new Set([...publishingActions, 'content.put', 'content.remove-line']);

function member(value: unknown, name: string): number | null {
  if (typeof value !== 'object' || value === null) return null;
  const found = (value as Readonly<Record<string, unknown>>)[name];
  return typeof found === 'number' ? found : null;
}

export interface ChangedContent {
  readonly content: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Which revision replaced which: ": r5 of the source, before r2"; '' where the event does not say. */
  readonly revisions: string;
}

export function changedContents({ action, details }: DescribedEvent): ChangedContent[] {
  if (action !== 'environment.sync' && action !== 'environment.import') return [];
  return (['added', 'changed', 'removed'] as const).flatMap((change) => {
    const named = details[change] as Named | undefined;
    const synced = named?.contents?.map(({ id, before, from }) => ({
      content: id,
      change,
      revisions: `: r${from} of the source${before === null ? '' : `, before r${before}`}`,
    }));
    return synced ?? named?.ids?.map((content) => ({ content, change, revisions: '' })) ?? [];
  });
}

/** A sync says more of each than an import. */
interface Named {
  readonly contents?: readonly {
    readonly id: string;
    readonly before: number | null;
    readonly from: number;
  }[];
  readonly ids?: readonly string[];
}
