/** Which callers an edit gives another answer than they have now, by kind, with examples of each. */
import type { Caller } from '../../content/caller.js';
import { pointersPerLineMax } from '../../contract/limits.js';
import { diffPointers, type PointerChange } from '../authoring/diff-pointers.js';
import { previewChangesMax, previewExamplesMax } from '../limits.js';
import { type Counted, type PreviewAnswer, type PreviewSide, shareOf } from './preview-side.js';
import { type RuleChange, ruleChanges } from './rule-changes.js';

/**
 * `appeared`: 404 until now; `gone`: 404 from now on; `data`: other data; `report`: the same data, another `meta.seg`;
 * `hash`: both the same, under another hash, so that clients fetch it anew.
 */
export const changeKinds = ['appeared', 'gone', 'data', 'hash', 'report'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Callers who go from one answer to another. */
export interface PreviewChange extends Counted {
  readonly kind: ChangeKind;
  /** What they are answered now; null: 404. */
  readonly now: ShownAnswer | null;
  readonly edit: ShownAnswer | null;
  /** Where `data` differs; null where nothing is compared, or it is too large to. */
  readonly pointers: readonly PointerChange[] | null;
  readonly examples: readonly ContextExample[];
}

export interface ShownAnswer {
  /** Minimum app version of the line. */
  readonly line: string;
  readonly hash: string;
  readonly dataBytes: number;
  /** As in `meta.seg`. */
  readonly seg: unknown;
}

export interface ContextExample {
  /** Number of the line that it stands in, from 1. */
  readonly at: number;
  readonly u: string;
  readonly v: string | null;
}

export interface ChangesReport {
  /** All kinds but `hash`. */
  readonly changed: Counted;
  readonly byKind: Readonly<Record<ChangeKind, number>>;
  /** The most frequent first; all kinds but `hash`. */
  readonly changes: readonly PreviewChange[];
  /** Further ones, with fewer callers, that are not shown. */
  readonly changesLeftOut: number;
  /** Every rule of either side, those that are removed last. */
  readonly ruleChanges: readonly RuleChange[];
}

interface Pair {
  readonly now: PreviewAnswer | null;
  readonly edit: PreviewAnswer | null;
  readonly kind: ChangeKind | null;
  count: number;
  withoutUserId: number;
  readonly examples: ContextExample[];
}

/** A user id of an example is shown up to here. */
const shownUserCharsMax = 128;
/** Data that is parsed for its differences, over all the changes of a preview: ~100 ms. */
const comparedBytesMax = 8 * 1024 * 1024;

export class PreviewChanges {
  /** By what they are answered now, then by what the edit answers. */
  readonly #pairs = new Map<PreviewAnswer | null, Map<PreviewAnswer | null, Pair>>();
  #contexts = 0;

  /** @param at number of the line that the context stands in */
  add(caller: Caller, at: number, now: PreviewAnswer | null, edit: PreviewAnswer | null): void {
    this.#contexts++;
    const pair = this.#find(now, edit);
    pair.count++;
    if (caller.u === '') pair.withoutUserId++;
    if (pair.kind === null || pair.examples.length === previewExamplesMax) return;
    const v = caller.v === '' ? null : caller.v;
    pair.examples.push({ at, u: caller.u.slice(0, shownUserCharsMax), v });
  }

  #find(now: PreviewAnswer | null, edit: PreviewAnswer | null): Pair {
    let ofNow = this.#pairs.get(now);
    if (ofNow === undefined) {
      ofNow = new Map();
      this.#pairs.set(now, ofNow);
    }
    let pair = ofNow.get(edit);
    if (pair === undefined) {
      pair = { now, edit, kind: kindOf(now, edit), count: 0, withoutUserId: 0, examples: [] };
      ofNow.set(edit, pair);
    }
    return pair;
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

/** Null: the same answer. */
function kindOf(now: PreviewAnswer | null, edit: PreviewAnswer | null): ChangeKind | null {
  if (now === null) return edit === null ? null : 'appeared';
  if (edit === null) return 'gone';
  if (now.digest !== edit.digest) return 'data';
  if (now.seg !== edit.seg) return 'report';
  return now.line.hash === edit.line.hash ? null : 'hash';
}

function shown(answer: PreviewAnswer | null): ShownAnswer | null {
  if (answer === null) return null;
  const { line, dataBytes, seg } = answer;
  return { line: line.versionText, hash: line.hash, dataBytes, seg: JSON.parse(seg) };
}
