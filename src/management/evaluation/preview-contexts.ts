/** What an edit would respond to many user contexts, compared with what they receive now. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { previewContextsMax } from '../../contract/limits.js';
import type { ComparedContexts, Preview } from '../../contract/operations/preview.js';
import type { PlainProblem } from '../contents/validate/validate-state.js';
import { previewErrorsMax } from '../limits/evaluation.js';
import { type Candidate, type CandidateState, readCandidate } from './candidate.js';
import { type MadeUpOptions, makeUpForSides } from './made-up/make-up-for-sides.js';
import { PreviewChanges } from './preview-changes.js';
import { PreviewSide } from './preview-side.js';
import { overworked, readContext } from './read-context.js';

export interface PreviewContexts {
  /** What is live; null: nothing is. */
  readonly now: CandidateState | null;
  readonly edit: CandidateState;
  /** How deep an edited text may nest. */
  readonly levelsMax: number;
  /** NDJSON: a user context on each line. */
  readonly contexts: Uint8Array;
  /** Number of its first line in what the author sent. */
  readonly firstLine: number;
  /** Null: only the contexts that are given. */
  readonly madeUp: MadeUpOptions | null;
  /** NDJSON: contexts of requests; null: only the contexts that are given. */
  readonly sampled: Uint8Array | null;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** What is counted: the contexts that are given, those that are made up, or those of requests. */
export type CountedPreview = ComparedContexts & Pick<Preview, 'now' | 'edit' | 'madeUp' | 'given'>;

export type PreviewedContexts =
  | ({ readonly ok: false } & PlainProblem)
  | ({ readonly ok: true } & CountedPreview);

export function previewContexts(input: PreviewContexts): PreviewedContexts {
  const edit = readCandidate(input.edit, input.levelsMax);
  if ('code' in edit) return { ok: false, ...edit };
  const now = input.now && readCandidate(input.now, input.levelsMax);
  if (now !== null && 'code' in now) return { ok: false, ...now };

  const given = new Comparison(now, edit, input.atMs);
  if (!given.takeLines(input.contexts, input.firstLine)) {
    const detail = `A preview takes at most ${previewContextsMax} contexts.`;
    return { ok: false, code: 'body_too_large', detail, errors: [] };
  }
  const beside = { given: given.isEmpty ? null : given.report() };
  if (input.sampled !== null) {
    const main = new Comparison(now, edit, input.atMs);
    main.takeLines(input.sampled, 1);
    return { ok: true, ...main.report(), ...main.shares(), madeUp: null, ...beside };
  }
  if (input.madeUp === null) {
    return { ok: true, ...given.report(), ...given.shares(), madeUp: null, given: null };
  }
  const { users, withoutUserId } = makeUpForSides(
    now === null ? [edit] : [edit, now],
    input.madeUp,
    input.atMs,
  );
  const main = new Comparison(now, edit, input.atMs).takeAll(users);
  const anonymous = new Comparison(now, edit, input.atMs).takeAll(withoutUserId);
  const { contexts, changed } = anonymous.report();
  return {
    ok: true,
    ...main.report(),
    ...main.shares(),
    madeUp: { withoutUserId: { contexts, changed } },
    ...beside,
  };
}

/** Lets both sides respond to contexts, and counts. */
class Comparison {
  readonly #nowSide: PreviewSide;
  readonly #editSide: PreviewSide;
  readonly #changes = new PreviewChanges();
  readonly #atMs: number;
  readonly #errors: { line: number; message: string }[] = [];
  #contexts = 0;
  #faulty = 0;

  constructor(now: Candidate | null, edit: Candidate, atMs: number) {
    this.#nowSide = new PreviewSide(now);
    this.#editSide = new PreviewSide(edit);
    this.#atMs = atMs;
  }

  get isEmpty(): boolean {
    return this.#contexts + this.#faulty === 0;
  }

  /** False: there are more than a preview takes. */
  takeLines(bytes: Uint8Array, firstLine: number): boolean {
    let at = firstLine - 1;
    for (const line of linesOf(bytes)) {
      at++;
      if (isBlank(line)) continue;
      if (this.#contexts + this.#faulty === previewContextsMax) return false;
      const caller = readContext(line);
      if (typeof caller === 'string') this.#reject(at, caller);
      else this.#take(caller, at);
    }
    return true;
  }

  takeAll(callers: readonly EvaluationContext[]): this {
    for (const [index, caller] of callers.entries()) this.#take(caller, index + 1);
    return this;
  }

  /** @param at where it stands, from 1 */
  #take(caller: EvaluationContext, at: number): void {
    const now = this.#nowSide.select(caller, this.#atMs);
    const edit = this.#editSide.select(caller, this.#atMs);
    if (now === undefined || edit === undefined) {
      this.#reject(at, overworked);
      return;
    }
    this.#contexts++;
    this.#changes.add(caller, at, this.#nowSide.respond(now), this.#editSide.respond(edit));
  }

  #reject(line: number, message: string): void {
    this.#faulty++;
    if (this.#errors.length < previewErrorsMax) this.#errors.push({ line, message });
  }

  report(): ComparedContexts {
    return {
      contexts: this.#contexts,
      faulty: this.#faulty,
      errors: this.#errors,
      ...this.#changes.report(this.#nowSide, this.#editSide),
    };
  }

  shares(): Pick<Preview, 'now' | 'edit'> {
    return { now: this.#nowSide.shares(), edit: this.#editSide.shares() };
  }
}

const LINE_FEED = 0x0a;

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.byteLength : found;
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

/** Nothing but the white space of JSON. */
function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
