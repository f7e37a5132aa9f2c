/** Reads a request body, and the user context out of it: one parse, then the few checks docs/delivery-api.md names. */
import { EvaluationContext } from '../../content/evaluation-context.js';
import { evaluationWorkFor } from '../../content/evaluation-work.js';
import { NO_VERSION, parseVersion } from '../../content/version.js';
import { type Problem, problems } from '../problems.js';

/** Rejects what is not UTF-8, and leaves a byte order mark to `JSON.parse`, which rejects that. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The members of a request body, as they came. Endpoints ignore those that they do not define. */
export type RequestBody = Readonly<Record<string, unknown>>;

export function parseRequestBody(bytes: ArrayBuffer | Uint8Array): RequestBody | Problem {
  if (bytes.byteLength === 0) return problems.bodyEmpty;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return problems.bodyNotUtf8;
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return problems.bodyNotJson;
  }
  return isObject(body) ? body : problems.bodyNotObject;
}

/**
 * Written by hand because it runs per request: zod says the same in 2-3 times the time of the parse
 * (test/unit/delivery/request-body.test.ts keeps both in agreement).
 * @param bodyBytes length of the whole body, by which the rules may do work
 */
export function parseUserContext(
  body: RequestBody,
  bodyBytes: number,
): EvaluationContext | Problem {
  // The defaults stand for what is absent; JSON gives no undefined, and an explicit null stays null.
  const { u = '', p = {}, v = null } = body;
  if (typeof u !== 'string') return problems.userInvalid;
  if (!isObject(p)) return problems.attributesInvalid;
  const workMax = evaluationWorkFor(bodyBytes);
  if (v === null || v === '') return new EvaluationContext(u, p, '', NO_VERSION, workMax);
  const version = typeof v === 'string' ? parseVersion(v) : null;
  if (version === null) return problems.versionInvalid;
  return new EvaluationContext(u, p, v as string, version, workMax);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
