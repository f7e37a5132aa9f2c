/** The contents that a sync or an import names. Pure. */
import type { TellableEvent } from './event-words.js';

export interface ChangedContent {
  readonly content: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Which revision became which. */
  readonly words: string;
}

const changes = ['added', 'changed', 'removed'] as const;

export function changedContents({ action, details }: TellableEvent): ChangedContent[] {
  if (action !== 'environment.sync' && action !== 'environment.import') return [];
  return changes.flatMap((change) => {
    const named = details[change] as Named | undefined;
    const synced = named?.contents?.map(({ id, before, from }) => ({
      content: id,
      change,
      words: `: r${from} of the source${before === null ? '' : `, before r${before}`}`,
    }));
    return synced ?? named?.ids?.map((content) => ({ content, change, words: '' })) ?? [];
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
