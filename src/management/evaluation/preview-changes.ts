/** Which callers receive another response from an edit than they do now, by kind, with examples of each. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { pointersPerLineMax } from '../../contract/limits.js';
import type {
  ChangeKind,
  ComparedContexts,
  PreviewChange,
} from '../../contract/operations/preview.js';
import { diffPointers } from '../contents/diff/diff-pointers.js';
import { getOrAdd } from '../get-or-add.js';
import { previewChangesMax, previewExamplesMax } from '../limits/evaluation.js';
import { type PreviewResponse, type PreviewSide, shareOf } from './preview-side.js';
import { ruleChanges } from './rule-changes.js';

/** What is compared of the valid contexts. */
export type ChangesReport = Omit<ComparedContexts, 'contexts' | 'faulty' | 'errors'>;

interface Pair {
  readonly now: PreviewResponse | null;
  readonly edit: PreviewResponse | null;
  readonly kind: ChangeKind | null;
  count: number;
  withoutUserId: number;
  readonly examples: PreviewChange['examples'][number][];
}

/** A user id of an example is shown up to here. */
const shownUserCharsMax = 128;
/** Data that is parsed for its differences, over all the changes of a preview: ~100 ms. */
const comparedBytesMax = 8 * 1024 * 1024;

export class PreviewChanges {
  /** By the response that they receive now, then by that of the edit. */
  readonly #pairs = new Map<PreviewResponse | null, Map<PreviewResponse | null, Pair>>();
  #contexts = 0;

  /** @param at number of the line that the context stands in */
  add(
    caller: EvaluationContext,
    at: number,
    now: PreviewResponse | null,
    edit: PreviewResponse | null,
  ): void {
    this.#contexts++;
    const ofNow = getOrAdd(this.#pairs, now, () => new Map<PreviewResponse | null, Pair>());
    const pair = getOrAdd(ofNow, edit, () => {
      const counts = { count: 0, withoutUserId: 0 };
      return { now, edit, kind: kindOf(now, edit), ...counts, examples: [] };
    });
    pair.count++;
    if (caller.u === '') pair.withoutUserId++;
    if (pair.kind === null || pair.examples.length === previewExamplesMax) return;
    const v = caller.v === '' ? null : caller.v;
    pair.examples.push({ at, u: caller.u.slice(0, shownUserCharsMax), v });
  }

  report(nowSide: PreviewSide, editSide: PreviewSide): ChangesReport {
    const byKind = { appeared: 0, gone: 0, data: 0, hash: 0, report: 0 };
    const pairs: (Pair & { readonly kind: ChangeKind })[] = [];
    const all = [...this.#pairs.values()].flatMap((ofNow) => [...ofNow.values()]);
    for (const pair of all) {
      if (!isChange(pair)) continue;
      byKind[pair.kind] += pair.count;
      // Every edit of a mapping gives all callers another hash: that alone is nothing that a player notices.
      if (pair.kind !== 'hash') pairs.push(pair);
    }
    pairs.sort((a, b) => b.count - a.count);
    const contexts = pairs.reduce((sum, { count }) => sum + count, 0);
    let bytesLeft = comparedBytesMax;
    const changes = pairs.slice(0, previewChangesMax).map((pair): PreviewChange => {
      const { kind, now, edit, count, examples } = pair;
      bytesLeft -= (now?.dataBytes ?? 0) + (edit?.dataBytes ?? 0);
      const comparable = kind === 'data' && now !== null && edit !== null && bytesLeft >= 0;
      const pointers = comparable
        ? diffPointers(nowSide.render(now).json, editSide.render(edit).json, pointersPerLineMax)
        : null;
      const counted = { contexts: count, share: shareOf(count, this.#contexts) };
      return { kind, ...counted, now: shown(now), edit: shown(edit), pointers, examples };
    });
    return {
      changed: { contexts, share: shareOf(contexts, this.#contexts) },
      byKind,
      changes,
      changesLeftOut: pairs.length - changes.length,
      ruleChanges: ruleChanges(nowSide.rules, editSide.rules, all),
    };
  }
}

function isChange(pair: Pair): pair is Pair & { readonly kind: ChangeKind } {
  return pair.kind !== null;
}

/** Null: the same response. */
function kindOf(now: PreviewResponse | null, edit: PreviewResponse | null): ChangeKind | null {
  if (now === null) return edit === null ? null : 'appeared';
  if (edit === null) return 'gone';
  if (now.digest !== edit.digest) return 'data';
  if (now.seg !== edit.seg) return 'report';
  return now.line.hash === edit.line.hash ? null : 'hash';
}

function shown(response: PreviewResponse | null): PreviewChange['now'] {
  if (response === null) return null;
  const { line, dataBytes, seg } = response;
  return { line: line.versionText, hash: line.hash, dataBytes, seg: JSON.parse(seg) };
}
