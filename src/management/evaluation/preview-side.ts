/** One side of a preview: what a state of a content responds to many callers, each distinct response rendered once. */
import type { Selection } from '../../content/content-plan.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { digestOf } from '../../content/hash.js';
import { NOT_APPLIED } from '../../content/selection.js';
import type { Counted, RuleShares, SideShares } from '../../contract/operations/preview.js';
import { getOrAdd } from '../get-or-add.js';
import type { Candidate, CandidateLine } from './candidate.js';
import { withinWork } from './read-context.js';
import { type Rendered, Renderer } from './render.js';

/** What some callers receive: the same bytes but for `meta.uid` and `meta.mod`. */
export interface PreviewResponse extends Selected {
  /** SHA-256 of the value of `data`, and its size. */
  readonly digest: string;
  readonly dataBytes: number;
  /** JSON text. */
  readonly seg: string;
  /** Rules that were selected but could not apply. */
  readonly missed: ReadonlySet<number>;
  /** How many callers get it. */
  count: number;
}

/** What a state selects for a caller. */
interface Selected {
  readonly line: CandidateLine;
  readonly selection: Selection;
}

export class PreviewSide {
  readonly #candidate: Candidate | null;
  readonly #renderer = new Renderer();
  readonly #responses = new Map<CandidateLine, Map<Selection, PreviewResponse>>();
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

  /**
   * What the rules select for a caller, without counting it. Null: delivery responds 404; undefined: delivery rejects the
   * caller, for whose attributes the rules need too much work.
   */
  select(caller: EvaluationContext, atMs: number): Selected | null | undefined {
    const plan = this.#candidate?.plan;
    const line = plan?.line(caller.version) ?? null;
    if (plan === undefined || line === null) return null;
    const selection = withinWork(caller, () => plan.select(caller, atMs));
    return selection === null ? undefined : { line, selection };
  }

  /** Counts a caller. Null: delivery responds 404. */
  respond(selected: Selected | null): PreviewResponse | null {
    this.#contexts++;
    if (selected === null) {
      this.#notFound++;
      return null;
    }
    const { line, selection } = selected;
    const ofLine = getOrAdd(this.#responses, line, () => new Map<Selection, PreviewResponse>());
    const response = getOrAdd(ofLine, selection, () => this.#renderFirst(line, selection));
    response.count++;
    return response;
  }

  /** The value of `data` again: only what responses are compared by is kept. */
  render({ line, selection }: PreviewResponse): Rendered {
    return this.#renderer.render(line, selection);
  }

  #renderFirst(line: CandidateLine, selection: Selection): PreviewResponse {
    const { json, seg, missed } = this.#renderer.render(line, selection);
    const digest = selection.mutations.length === 0 ? line.digest : digestOf(json);
    const about = { line, selection, digest, dataBytes: json.byteLength, seg };
    return { ...about, missed: new Set(missed.keys()), count: 0 };
  }

  shares(): SideShares {
    const lines = (this.#candidate?.plan.lines ?? []).map((line) => {
      let contexts = 0;
      for (const { count } of this.#responses.get(line)?.values() ?? []) contexts += count;
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
    const responses = this.#all();
    return this.rules.map((rule, index) => {
      let applied = 0;
      let missed = 0;
      const byVariant = new Map<number, number>();
      for (const { selection, missed: missedRules, count } of responses) {
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
    return [...this.#responses.values()].flatMap((ofLine) => [...ofLine.values()]);
  }

  #counted(contexts: number): Counted {
    return { contexts, share: shareOf(contexts, this.#contexts) };
  }
}

/** Equal for responses that differ in `meta.uid` and `meta.mod` only. */
export function responseKey({ digest, line, seg }: PreviewResponse): string {
  return `${digest} ${line.hash} ${seg}`;
}

/** To four decimals: 10,000 contexts have no more. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}
