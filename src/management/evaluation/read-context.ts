/** Reads a user context as delivery does, for tests and previews; docs/delivery-api.md says what is valid. */
import { type EvaluationContext, makeEvaluationContext } from '../../content/evaluation-context.js';
import { evaluationWorkMax } from '../../content/evaluation-work.js';
import { parseVersion } from '../../content/version.js';
import { contextBytesMax } from '../../contract/limits.js';

/** @returns the caller, or what is wrong with the context */
export function readContext(json: Uint8Array): EvaluationContext | string {
  if (json.byteLength > contextBytesMax) return `is larger than ${contextBytesMax} bytes`;
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(json));
  } catch {
    return 'is not JSON in UTF-8';
  }
  return contextOf(value);
}

/** The same for a context that was parsed already. */
export function contextOf(value: unknown): EvaluationContext | string {
  if (!isObject(value)) return 'must be an object';
  const { u = '', p = {}, v = null } = value;
  if (typeof u !== 'string') return 'u must be a text';
  if (!isObject(p)) return 'p must be an object';
  if (v === null || v === '') return makeEvaluationContext(u, p, null);
  if (typeof v !== 'string' || parseVersion(v) === null) return 'v must have the form X.Y.Z';
  return makeEvaluationContext(u, p, v);
}

/** What is wrong with a context that delivery rejects because the rules need too much work for it. */
export const overworked =
  'has attributes that the rules need more work for than one request may cause: send fewer or shorter ones';

/**
 * Whether `work` ends within what rules may do for one request. Each time the context has as much as a request has.
 * @returns null when it does not
 */
export function withinWork<T>(caller: EvaluationContext, work: () => T): T | null {
  caller.workLeft = evaluationWorkMax;
  const result = work();
  return caller.isOverworked ? null : result;
}

/** For explanations, which look at more than a request does: they end, and no event loop waits for them. */
export function withoutWorkLimit(caller: EvaluationContext): void {
  caller.workLeft = Number.MAX_SAFE_INTEGER;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
