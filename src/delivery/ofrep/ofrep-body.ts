/** Reads the body of an OFREP evaluation: the evaluation context as OpenFeature's providers send it. */
import { EvaluationContext } from '../../content/evaluation-context.js';
import { evaluationWorkFor } from '../../content/evaluation-work.js';
import { NO_VERSION, parseVersion } from '../../content/version.js';
import { parseRequestBody, type RequestBody } from '../http/request-body.js';
import { type Problem, problems } from '../problems.js';
import { ofrepProblems } from './ofrep-errors.js';

const noBody: RequestBody = {};
const noContext: RequestBody = {};

/** An empty body is an empty object. */
export function parseOfrepBody(bytes: ArrayBuffer | Uint8Array): RequestBody | Problem {
  if (bytes.byteLength === 0) return noBody;
  const body = parseRequestBody(bytes);
  return body === problems.bodyNotObject ? ofrepProblems.bodyNotObject : body;
}

/**
 * `context.targetingKey` is the user id, `context.appVersion` the app version where it has the form of one, and the other
 * members are the attributes. A context that is null counts as absent: providers of languages with a null send it so.
 * @param bodyBytes length of the whole body, by which the rules may do work
 */
export function parseOfrepContext(
  body: RequestBody,
  bodyBytes: number,
): EvaluationContext | Problem {
  const context = body['context'] ?? noContext;
  if (typeof context !== 'object' || Array.isArray(context)) return ofrepProblems.contextNotObject;
  // A rest keeps an own `__proto__` as an own member, and leaves an object as fast as one that was parsed.
  const { targetingKey = '', appVersion, ...p } = context as Record<string, unknown>;
  if (typeof targetingKey !== 'string') return ofrepProblems.targetingKeyInvalid;
  const workMax = evaluationWorkFor(bodyBytes);
  const version = typeof appVersion === 'string' ? parseVersion(appVersion) : null;
  return version === null
    ? new EvaluationContext(targetingKey, p, '', NO_VERSION, workMax)
    : new EvaluationContext(targetingKey, p, appVersion as string, version, workMax);
}
