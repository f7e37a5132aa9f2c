/** Reads the user context out of a request body: one parse, then the few checks docs/delivery-api.md names. */
import { Caller } from '../content/caller.js';
import { evaluationWorkFor } from '../content/evaluation-work.js';
import { NO_VERSION, parseVersion } from '../content/version.js';
import { type Refusal, refusals } from './refusals.js';

/** Refuses what is not UTF-8, and leaves a byte order mark to `JSON.parse`, which refuses that. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/*
 * Written by hand because it runs per request: zod says the same in 2-3 times the time of the parse
 * (test/unit/delivery/request-body.test.ts keeps both in agreement).
 */
export function parseUserContext(bytes: ArrayBuffer | Uint8Array): Caller | Refusal {
  if (bytes.byteLength === 0) return refusals.bodyEmpty;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refusals.bodyNotUtf8;
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refusals.bodyNotJson;
  }
  if (!isObject(body)) return refusals.bodyNotObject;
  // The defaults stand for what is absent; JSON gives no undefined, and an explicit null stays null.
  const { u = '', p = {}, v = null } = body;
  if (typeof u !== 'string') return refusals.userInvalid;
  if (!isObject(p)) return refusals.attributesInvalid;
  const workMax = evaluationWorkFor(bytes.byteLength);
  if (v === null || v === '') return new Caller(u, p, '', NO_VERSION, workMax);
  const version = typeof v === 'string' ? parseVersion(v) : null;
  if (version === null) return refusals.versionInvalid;
  return new Caller(u, p, v as string, version, workMax);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
