/**
 * How a typed state is saved: one PUT takes the text of one line, so that several changed lines go one after the other,
 * as drafts, and the last call carries all the rest and publishes.
 */
import type { ContentState, SavedContent } from './draft.js';
import { partsOf } from './state-parts.js';

export type SaveStep =
  | {
      readonly kind: 'put';
      readonly appVersion: string | null;
      readonly text: string | null;
      /** With what is said about the content, the mapping, and whether to publish. */
      readonly isLast: boolean;
    }
  | { readonly kind: 'remove'; readonly appVersion: string };

/** What a PUT is to say besides the text; left out where nothing changed. */
export interface ChangedRest {
  readonly mapping?: string;
  readonly schema?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
}

export function saveSteps(saved: SavedContent, state: ContentState): SaveStep[] {
  const isNew = saved.newest === 0;
  const before = new Map(
    isNew ? [] : saved.lines.map(({ appVersion, text }) => [appVersion, text] as const),
  );
  const kept = new Set(state.lines.map(({ appVersion }) => appVersion));
  const texts = state.lines.filter(({ appVersion, text }) => before.get(appVersion) !== text);
  const removed = [...before.keys()].filter((appVersion) => !kept.has(appVersion));
  const puts = texts.map(({ appVersion, text }) => ({
    kind: 'put' as const,
    appVersion,
    text,
    isLast: false,
  }));
  const removes = removed.map((appVersion) => ({ kind: 'remove' as const, appVersion }));
  // At least one line is there between any two steps: the last text waits only where another one stays meanwhile.
  const waits =
    removes.length === 0 || state.lines.length > 1 || before.has(puts.at(-1)?.appVersion ?? '');
  const last = waits ? puts.pop() : undefined;
  return [
    ...puts,
    ...removes,
    {
      kind: 'put',
      appVersion: last?.appVersion ?? null,
      text: last?.text ?? null,
      isLast: true,
    },
  ];
}

export function changedRest(saved: SavedContent, state: ContentState): ChangedRest {
  const before = partsOf(saved);
  const after = partsOf(state);
  // Of a content that is not there (any more), nothing is saved that could be left out.
  const changed = (name: string): boolean =>
    saved.newest === 0 || before.get(name) !== after.get(name);
  return {
    ...(changed('mapping') && { mapping: state.mapping }),
    ...(changed('schema') && { schema: state.schema }),
    ...(changed('description') && { description: state.description }),
    ...(changed('tags') && { tags: state.tags }),
  };
}
