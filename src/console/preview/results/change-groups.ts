/** Changes that are the same to a person: users with different answers, whose answers change in the same way. */
import type { PreviewChange } from '../../../contract/operations/preview.js';

export interface ChangeGroup {
  readonly kind: PreviewChange['kind'];
  readonly contexts: number;
  /** The rules that were reported, and would be: `newcomers/more-gems, us-players`. */
  readonly before: string;
  readonly after: string;
  readonly pointers: PreviewChange['pointers'];
  readonly examples: PreviewChange['examples'];
}

/** The most frequent first. */
export function groupChanges(changes: readonly PreviewChange[]): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const { kind, contexts, now, edit, pointers, examples } of changes) {
    const before = wordRules(now?.seg);
    const after = wordRules(edit?.seg);
    // Which rules they are in matters where those differ; the same change to all of them is one.
    const rules = before === after ? '' : `${before} to ${after}`;
    const key = JSON.stringify([kind, rules, pointers]);
    const known = groups.get(key);
    groups.set(key, {
      kind,
      contexts: contexts + (known?.contexts ?? 0),
      before: known?.before ?? before,
      after: known?.after ?? after,
      pointers,
      examples: [...(known?.examples ?? []), ...examples],
    });
  }
  return [...groups.values()].sort((a, b) => b.contexts - a.contexts);
}

/** `meta.seg` in words. */
function wordRules(seg: unknown): string {
  if (!Array.isArray(seg) || seg.length === 0) return 'none';
  return seg
    .map((one: { readonly n?: unknown; readonly v?: unknown }) =>
      typeof one.v === 'string' ? `${String(one.n)}/${one.v}` : String(one.n),
    )
    .join(', ');
}
