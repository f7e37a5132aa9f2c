/** Groups changes that look the same to a person: users with different responses that change in the same way. */
import type { PreviewChange } from '../../../contract/operations/preview.js';

export interface ChangeGroup
  extends Pick<PreviewChange, 'kind' | 'contexts' | 'pointers' | 'examples'> {
  /** The reported rules before and after, where they differ: `newcomers/more-gems → none`; else null. */
  readonly rules: string | null;
}

/** The most frequent first. */
export function groupChanges(changes: readonly PreviewChange[]): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const { kind, contexts, now, edit, pointers, examples } of changes) {
    const [before, after] = [formatRules(now?.seg), formatRules(edit?.seg)];
    const isSeen = before !== after && kind !== 'gone' && kind !== 'appeared';
    // Users in different rules are one group if the change is the same and keeps them there.
    const key = JSON.stringify([kind, before === after ? '' : [before, after], pointers]);
    const known = groups.get(key);
    groups.set(key, {
      kind,
      contexts: contexts + (known?.contexts ?? 0),
      rules: isSeen ? `${before} → ${after}` : null,
      pointers,
      examples: [...(known?.examples ?? []), ...examples],
    });
  }
  return [...groups.values()].sort((a, b) => b.contexts - a.contexts);
}

/** Formats `meta.seg`. */
function formatRules(seg: unknown): string {
  if (!Array.isArray(seg) || seg.length === 0) return 'none';
  return seg
    .map((one: { readonly n?: unknown; readonly v?: unknown }) =>
      typeof one.v === 'string' ? `${String(one.n)}/${one.v}` : String(one.n),
    )
    .join(', ');
}

/** What users of the group would get. */
export const kindTexts: Readonly<Record<PreviewChange['kind'], string>> = {
  appeared: 'the content item, instead of a 404',
  gone: 'a 404, instead of the content item',
  data: 'other data',
  hash: 'the same data under another hash, so clients fetch it again',
  report: 'the same data; only the reported rules differ',
};
