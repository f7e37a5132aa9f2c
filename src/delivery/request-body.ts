/** Reads the user context out of a request body: one parse, then the few checks CONTRACT.md names. */
import { isUtf8 } from 'node:buffer';
import { type Caller, makeCaller } from '../content/caller.js';
import { parseVersion } from '../content/version.js';
import { type Refusal, refusals } from './refusals.js';

/*
 * Written by hand because it runs per request: zod says the same in 2-3 times the time of the parse
 * (test/unit/delivery/request-body.test.ts keeps both in agreement).
 */
export function parseUserContext(bytes: Uint8Array): Caller | Refusal {
  if (bytes.byteLength === 0) return refusals.bodyEmpty;
  if (!isUtf8(bytes)) return refusals.bodyNotUtf8;
  let body: unknown;
  try {
    body = JSON.parse(asText(bytes));
  } catch {
    return refusals.bodyNotJson;
  }
  if (!isObject(body)) return refusals.bodyNotObject;
  // The defaults stand for what is absent; JSON gives no undefined, and an explicit null stays null.
  const { u = '', p = {}, v = null } = body;
  if (typeof u !== 'string') return refusals.userInvalid;
  if (!isObject(p)) return refusals.attributesInvalid;
  if (v !== null && (typeof v !== 'string' || parseVersion(v) === null)) {
    return refusals.versionInvalid;
  }
  return makeCaller(u, p, v);
}

function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
