/** What an edit would answer many user contexts, against what they are answered now. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { previewContextsMax } from '../../contract/limits.js';
import type { ComparedContexts, Preview } from '../../contract/operations/preview.js';
import { previewErrorsMax } from '../limits.js';
import {
  type Candidate,
  type CandidateInput,
  type CandidateIssues,
  readCandidate,
  type SegmentInput,
} from './candidate.js';
import { makeUpForSides } from './made-up/make-up-for-sides.js';
import { PreviewChanges } from './preview-changes.js';
import { PreviewSide } from './preview-side.js';
import { overworked, readContext } from './read-context.js';

/** A state of a content, with the saved segments it uses. */
export interface PreviewState {
  readonly candidate: CandidateInput;
  readonly segments: readonly SegmentInput[];
}

/** Users to be made up for the edit. */
export interface MadeUpOptions {
  readonly count: number;
  /** JSON texts: contexts of sample users, whose values they may have too. */
  readonly samples: readonly string[];
}

export interface PreviewContexts {
  /** What is live; null: nothing is. */
  readonly now: PreviewState | null;
  readonly edit: PreviewState;
  /** How deep an edited text may nest. */
  readonly levelsMax: number;
  /** NDJSON: a user context on each line. */
  readonly contexts: Uint8Array;
  /** Number of its first line in what the author sent. */
  readonly firstLine: number;
  /** Null: only the contexts that are given. */
  readonly madeUp: MadeUpOptions | null;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** What is counted: the contexts that are given, or those that are made up. */
export type CountedPreview = ComparedContexts & Pick<Preview, 'now' | 'edit' | 'madeUp' | 'given'>;

export type PreviewedContexts =
  | ({ readonly ok: false } & CandidateIssues)
  | { readonly ok: false; readonly code: 'too_many_contexts' }
  | ({ readonly ok: true } & CountedPreview);

export function previewContexts(input: PreviewContexts): PreviewedContexts {
  const edit = read(input.edit, input.levelsMax);
  if ('code' in edit) return { ok: false, ...edit };
  const now = input.now === null ? null : read(input.now, input.levelsMax);
  if (now !== null && 'code' in now) return { ok: false, ...now };

  const given = new Comparison(now, edit, input.atMs);
  if (!given.takeLines(input.contexts, input.firstLine)) {
    return { ok: false, code: 'too_many_contexts' };
  }
  if (input.madeUp === null) {
    return { ok: true, ...given.report(), ...given.shares(), madeUp: null, given: null };
  }
  const { users, withoutUserId } = makeUpForSides({ now, edit, ...input.madeUp }, input.atMs);
  const main = new Comparison(now, edit, input.atMs);
  for (const [index, caller] of users.entries()) main.take(caller, index + 1);
  const anonymous = new Comparison(now, edit, input.atMs);
  for (const [index, caller] of withoutUserId.entries()) anonymous.take(caller, index + 1);
  const { contexts, changed } = anonymous.report();
  return {
    ok: true,
    ...main.report(),
    ...main.shares(),
    madeUp: { withoutUserId: { contexts, changed } },
    given: given.isEmpty ? null : given.report(),
  };
}

/** Answers contexts by both sides, and counts. */
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
      if (typeof caller === 'string') this.#refuse(at, caller);
      else this.take(caller, at);
    }
    return true;
  }

  /** @param at where it stands, from 1 */
  take(caller: EvaluationContext, at: number): void {
    const atMs = this.#atMs;
    if (this.#nowSide.refuses(caller, atMs) || this.#editSide.refuses(caller, atMs)) {
      this.#refuse(at, overworked);
      return;
    }
    this.#contexts++;
    const answeredNow = this.#nowSide.answer(caller, atMs);
    this.#changes.add(caller, at, answeredNow, this.#editSide.answer(caller, atMs));
  }

  #refuse(line: number, message: string): void {
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

function read(
  { candidate, segments }: PreviewState,
  levelsMax: number,
): Candidate | CandidateIssues {
  return readCandidate(candidate, segments, levelsMax);
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
