/** What a state of a content responds to one user context, and why. */
import { strict as assert } from 'node:assert';
import { gzipSync } from 'node:zlib';
import type { Evaluation } from '../../contract/operations/evaluate.js';
import type { PlainProblem } from '../contents/validate/validate-state.js';
import { type CandidateState, readCandidate } from './candidate.js';
import { explainRules } from './explain-rules.js';
import { overworked, readContext, withoutWorkLimit } from './read-context.js';
import { Renderer, wrap } from './render.js';

export interface EvaluateContext extends CandidateState {
  /** How deep an edited text may nest. */
  readonly levelsMax: number;
  /** JSON text of `{u?, p?, v?}`. */
  readonly context: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** What the context itself decides of an evaluation. */
type EvaluatedFields = Pick<
  Evaluation,
  'line' | 'lineReason' | 'hash' | 'uid' | 'mod' | 'rules' | 'sizes'
>;

export type EvaluatedContext =
  | ({ readonly ok: false } & PlainProblem)
  | ({
      readonly ok: true;
      /** The wrapped response; null where delivery responds 404. */
      readonly response: Uint8Array | null;
    } & EvaluatedFields);

export function evaluateContext(input: EvaluateContext): EvaluatedContext {
  const candidate = readCandidate(input, input.levelsMax);
  if ('code' in candidate) return { ok: false, ...candidate };
  const caller = readContext(input.context);
  if (typeof caller === 'string') return invalidContext(caller);
  const { uid, mod } = caller;
  const { plan } = candidate;
  const line = plan.line(caller.version);
  if (line === null) {
    const lineReason = `No line admits the app version ${caller.v}: the lowest is ${plan.lines[0]?.versionText}.`;
    const none = { line: null, hash: null, response: null, rules: [], sizes: null };
    return { ok: true, lineReason, uid, mod, ...none };
  }
  const selection = plan.select(caller, input.atMs);
  if (selection === null) return invalidContext(overworked);
  withoutWorkLimit(caller);
  const rendered = new Renderer().render(line, selection);
  const response = wrap(rendered, line.hash, caller);
  const { missed } = rendered;
  assert(line.text.byteLength > 0, 'the text of the chosen line was loaded');
  return {
    ok: true,
    line: line.versionText,
    lineReason: describeLine(plan.lines.length, caller.v),
    hash: line.hash,
    uid,
    mod,
    response,
    rules: explainRules(candidate, caller, input.atMs, selection.choices, missed),
    sizes: {
      textBytes: line.text.byteLength,
      jsonBytes: line.json().byteLength,
      dataBytes: rendered.json.byteLength,
      answerBytes: response.byteLength,
      gzipBytes: gzipSync(response).byteLength,
    },
  };
}

function invalidContext(message: string): EvaluatedContext {
  const detail = 'The user context is not valid.';
  return { ok: false, code: 'invalid_body', detail, errors: [{ path: 'p', message }] };
}

function describeLine(lines: number, v: string): string {
  if (lines === 1) return 'It is the only line.';
  if (v === '') return `It is the highest of ${lines} lines: the context has no app version.`;
  return `Of ${lines} lines it is the highest that is not above the app version ${v}.`;
}
