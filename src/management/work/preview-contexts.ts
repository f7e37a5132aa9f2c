/** What an edit would answer many user contexts, against what they are answered now. */
import {
  type Candidate,
  type CandidateFaults,
  type CandidateInput,
  readCandidate,
  type SegmentInput,
} from '../evaluation/candidate.js';
import { type ChangesReport, PreviewChanges } from '../evaluation/preview-changes.js';
import { PreviewSide, type SideShares } from '../evaluation/preview-side.js';
import { overworked, readContext } from '../evaluation/read-context.js';
import { previewContextsMax, previewErrorsMax } from '../limits.js';

/** A state of a content, with the saved segments it uses. */
export interface PreviewState {
  readonly candidate: CandidateInput;
  readonly segments: readonly SegmentInput[];
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
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

export interface Preview extends ChangesReport {
  /** Those that are valid: all counts and shares are of these. */
  readonly contexts: number;
  readonly faulty: number;
  /** The first faulty ones. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
  readonly now: SideShares;
  readonly edit: SideShares;
}

export type PreviewedContexts =
  | ({ readonly ok: false } & CandidateFaults)
  | { readonly ok: false; readonly code: 'too_many_contexts' }
  | ({ readonly ok: true } & Preview);

export function previewContexts(input: PreviewContexts): PreviewedContexts {
  const edit = read(input.edit, input.levelsMax);
  if ('code' in edit) return { ok: false, ...edit };
  const now = input.now === null ? null : read(input.now, input.levelsMax);
  if (now !== null && 'code' in now) return { ok: false, ...now };

  const nowSide = new PreviewSide(now);
  const editSide = new PreviewSide(edit);
  const changes = new PreviewChanges();
  const errors: { line: number; message: string }[] = [];
  let contexts = 0;
  let faulty = 0;
  let at = input.firstLine - 1;
  for (const line of linesOf(input.contexts)) {
    at++;
    if (isBlank(line)) continue;
    if (contexts + faulty === previewContextsMax) return { ok: false, code: 'too_many_contexts' };
    const caller = readContext(line);
    const isRefused =
      typeof caller !== 'string' &&
      (nowSide.refuses(caller, input.atMs) || editSide.refuses(caller, input.atMs));
    if (typeof caller === 'string' || isRefused) {
      faulty++;
      const message = typeof caller === 'string' ? caller : overworked;
      if (errors.length < previewErrorsMax) errors.push({ line: at, message });
      continue;
    }
    contexts++;
    const answeredNow = nowSide.answer(caller, input.atMs);
    changes.add(caller, at, answeredNow, editSide.answer(caller, input.atMs));
  }
  return {
    ok: true,
    contexts,
    faulty,
    errors,
    now: nowSide.shares(),
    edit: editSide.shares(),
    ...changes.report(nowSide, editSide),
  };
}

function read(
  { candidate, segments }: PreviewState,
  levelsMax: number,
): Candidate | CandidateFaults {
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
