/** Shows what a caller would be answered, byte for byte as delivery does it, and why. */

import { NO_VERSION, parseVersion } from '../../content/version.js';
import type { Evaluation as FullEvaluation } from '../../contract/operations/evaluate.js';
import { Problem } from '../../contract/problems.js';
import { doWork, type Work } from '../jobs/work.js';
import type { ManagementLimits } from '../limits.js';
import type { Store } from '../store/store.js';
import type { EvaluatedContext } from './evaluate-context.js';
import { type CandidateRequest, loadCandidate } from './load-candidate.js';
import { weightOf } from './weight.js';

export interface EvaluateRequest extends CandidateRequest {
  /** JSON text of `{u?, p?, v?}`. */
  readonly context: Uint8Array;
  /** The `v` of the context; null: it has none. */
  readonly appVersion: string | null;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** What the response holds, but for the time; the wrapped response is JSON text. */
export type Evaluation = Omit<FullEvaluation, 'at' | 'answer'> & {
  readonly answer: Uint8Array | null;
};

export interface EvaluationTools {
  readonly store: Store;
  readonly work: Work;
  readonly limits: ManagementLimits;
}

/** @throws WorkFailed, WorkTooLong */
export async function evaluate(
  { store, work, limits }: EvaluationTools,
  wish: EvaluateRequest,
): Promise<Evaluation | Problem> {
  const { context, appVersion, atMs } = wish;
  const version = appVersion === null ? NO_VERSION : (parseVersion(appVersion) ?? NO_VERSION);
  const loaded = await store.read((db) => loadCandidate(db, wish, version));
  if (loaded instanceof Problem) return loaded;
  const { id, revision, live, candidate, segments } = loaded;
  const input = { candidate, segments, context, atMs, levelsMax: limits.textLevelsMax };
  const done = await doWork(work, 'evaluateContext', input, weightOf(candidate, segments, context));
  if (!done.ok) return refusalOf(done);
  const { ok: _, ...evaluated } = done;
  const used = segments.map((segment) => ({ name: segment.name, revision: segment.revision }));
  return { id, revision, live, unsaved: wish.edit !== null, segments: used, ...evaluated };
}

function refusalOf(fault: Extract<EvaluatedContext, { ok: false }>): Problem {
  if (fault.code === 'invalid_context') {
    const errors = [{ path: 'p', message: fault.message }];
    return new Problem('invalid_body', 'The user context is not valid.', errors);
  }
  return editProblem(fault.code, fault.errors);
}

/** An edit that could not be saved cannot be tried out either. */
export function editProblem(
  code: 'invalid_content' | 'invalid_mapping',
  errors: Problem['errors'],
): Problem {
  const detail =
    code === 'invalid_content'
      ? 'The text is not JSON (comments aside).'
      : 'The mapping has faults.';
  return new Problem(code, detail, errors);
}
