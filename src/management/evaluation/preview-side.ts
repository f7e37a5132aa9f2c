/** One side of a preview: what a state of a content answers many callers, each distinct answer rendered once. */
import { strict as assert } from 'node:assert';
import type { Selection } from '../../content/content-plan.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { digestOf } from '../../content/hash.js';
import { NOT_APPLIED } from '../../content/selection.js';
import type { Counted, RuleShares, SideShares } from '../../contract/operations/preview.js';
import type { Candidate, CandidateLine } from './candidate.js';
import { withinWork } from './read-context.js';
import { type Rendered, Renderer } from './render.js';

/** What some callers are answered: the same bytes but for `meta.uid` and `meta.mod`. */
export interface PreviewResponse {
  readonly line: CandidateLine;
  readonly selection: Selection;
  /** SHA-256 of the value of `data`, and its size. */
  readonly digest: string;
  readonly dataBytes: number;
  /** JSON text. */
  readonly seg: string;
  /** Rules that were selected but could not apply. */
  readonly missed: ReadonlySet<number>;
  /** Callers that get it. */
  count: number;
}

export class PreviewSide {
  readonly #candidate: Candidate | null;
  readonly #renderer = new Renderer();
  readonly #answers = new Map<CandidateLine, Map<Selection, PreviewResponse>>();
  #notFound = 0;
  #contexts = 0;

  /** @param candidate null: nothing is delivered */
  constructor(candidate: Candidate | null) {
    this.#candidate = candidate;
  }

  /** Of its mapping, in order. */
  get rules(): Candidate['rules'] {
    return this.#candidate?.rules ?? [];
  }

  /** Whether delivery refuses the caller, for whose attributes the rules need too much work. Counts nothing. */
  refuses(caller: EvaluationContext, atMs: number): boolean {
    const plan = this.#candidate?.plan ?? null;
    if (plan === null || plan.line(caller.version) === null) return false;
    return withinWork(caller, () => plan.select(caller, atMs)) === null;
  }

  /** Counts a caller that is not refused. Null: delivery answers 404. */
  answer(caller: EvaluationContext, atMs: number): PreviewResponse | null {
    this.#contexts++;
    const plan = this.#candidate?.plan ?? null;
    const line = plan?.line(caller.version) ?? null;
    if (plan === null || line === null) {
      this.#notFound++;
      return null;
    }
    const selection = withinWork(caller, () => plan.select(caller, atMs));
    assert(selection !== null, 'the caller is not refused');
    const answer = this.#find(line, selection);
    answer.count++;
    return answer;
  }

  /** The value of `data` again: only what answers are compared by is kept. */
  render(answer: PreviewResponse): Rendered {
    return this.#renderer.render(answer.line, answer.selection);
  }

  #find(line: CandidateLine, selection: Selection): PreviewResponse {
    let ofLine = this.#answers.get(line);
    if (ofLine === undefined) {
      ofLine = new Map();
      this.#answers.set(line, ofLine);
    }
    let answer = ofLine.get(selection);
    if (answer === undefined) {
      const { json, seg, missed } = this.#renderer.render(line, selection);
      const digest = selection.mutations.length === 0 ? line.digest : digestOf(json);
      const about = { line, selection, digest, dataBytes: json.byteLength, seg };
      answer = { ...about, missed: new Set(missed.keys()), count: 0 };
      ofLine.set(selection, answer);
    }
    return answer;
  }

  shares(): SideShares {
    const lines = (this.#candidate?.plan.lines ?? []).map((line) => {
      let contexts = 0;
      for (const { count } of this.#answers.get(line)?.values() ?? []) contexts += count;
      return { appVersion: line.versionText, ...this.#counted(contexts) };
    });
    return {
      lines,
      notFound: this.#counted(this.#notFound),
      rules: this.#ruleShares(),
      answers: new Set(this.#all().map(responseKey)).size,
    };
  }

  #ruleShares(): RuleShares[] {
    const answers = this.#all();
    return this.rules.map((rule, index) => {
      let applied = 0;
      let missed = 0;
      const byVariant = new Map<number, number>();
      for (const { selection, missed: missedRules, count } of answers) {
        const choice = selection.choices[index] ?? NOT_APPLIED;
        if (choice === NOT_APPLIED) continue;
        if (missedRules.has(index)) {
          missed += count;
          continue;
        }
        applied += count;
        byVariant.set(choice, (byVariant.get(choice) ?? 0) + count);
      }
      const variants = (rule.variants ?? []).map(
        ({ name, from, to }, choice): RuleShares['variants'][number] => {
          return { name, groups: [from, to], ...this.#counted(byVariant.get(choice) ?? 0) };
        },
      );
      return { rule: index, segment: rule.segment, missed, variants, ...this.#counted(applied) };
    });
  }

  #all(): PreviewResponse[] {
    return [...this.#answers.values()].flatMap((ofLine) => [...ofLine.values()]);
  }

  #counted(contexts: number): Counted {
    return { contexts, share: shareOf(contexts, this.#contexts) };
  }
}

/** Equal for answers that differ in `meta.uid` and `meta.mod` only. */
export function responseKey({ digest, line, seg }: PreviewResponse): string {
  return `${digest} ${line.hash} ${seg}`;
}

/** To four decimals: 10,000 contexts have no more. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}
