/** A state of a content item that many players are evaluated in: each distinct response is looked into once. */
import type { Selection } from '../../../content/content-plan.js';
import type { EvaluationContext } from '../../../content/evaluation-context.js';
import { indexDocument, type JsonDocument } from '../../../content/json/document.js';
import { locateNode, NOT_FOUND } from '../../../content/mutation/document-child.js';
import { jsonEqual } from '../../../content/mutation/json-equal.js';
import type { JsonPointer } from '../../../content/mutation/json-pointer.js';
import { Untouched } from '../../../content/mutation/json-value.js';
import type { Candidate, CandidateLine } from '../../evaluation/candidate.js';
import { withinWork, withoutWorkLimit } from '../../evaluation/read-context.js';
import { Renderer } from '../../evaluation/render.js';
import { getOrAdd } from '../../get-or-add.js';
import type { CohortOutcome, WalkedState } from './walk-periods.js';

/** What is looked for. */
export interface Wanted {
  readonly pointer: JsonPointer;
  /** null: any value. */
  readonly equals: JsonDocument | null;
}

export class JudgedState implements WalkedState {
  readonly #candidate: Candidate;
  readonly #wanted: Wanted;
  readonly #renderer = new Renderer();
  readonly #has = new Map<CandidateLine, Map<Selection, boolean>>();

  constructor(candidate: Candidate, wanted: Wanted) {
    this.#candidate = candidate;
    this.#wanted = wanted;
  }

  outcome(caller: EvaluationContext, atMs: number): CohortOutcome {
    const { plan } = this.#candidate;
    const line = plan.line(caller.version);
    if (line === null) return 'other';
    // A request begins with nothing derived: what rules may do for it must not depend on the states before.
    caller.forgetDerived();
    const selection = withinWork(caller, () => plan.select(caller, atMs));
    if (selection === null) return 'rejected';
    const ofLine = getOrAdd(this.#has, line, () => new Map<Selection, boolean>());
    const has = getOrAdd(ofLine, selection, () => this.#look(line, selection));
    return has ? 'given' : 'other';
  }

  changesAtMs(caller: EvaluationContext, atMs: number): number {
    const { plan } = this.#candidate;
    if (!plan.hasWindows) return Number.POSITIVE_INFINITY;
    withoutWorkLimit(caller);
    return plan.changesAtMs(caller, atMs);
  }

  #look(line: CandidateLine, selection: Selection): boolean {
    const { pointer, equals } = this.#wanted;
    const document = indexDocument(this.#renderer.render(line, selection).json);
    const node = locateNode(document, pointer);
    if (node === NOT_FOUND) return false;
    return equals === null || jsonEqual(new Untouched(document, node), new Untouched(equals, 0));
  }
}
