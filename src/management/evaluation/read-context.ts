/** Reads a user context as delivery does, for tests and previews; CONTRACT.md says what is valid. */
import { type Caller, makeCaller } from '../../content/caller.js';
import { parseVersion } from '../../content/version.js';
import { contextBytesMax } from '../limits.js';

/** @returns the caller, or what is wrong with the context */
export function readContext(json: Uint8Array): Caller | string {
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
export function contextOf(value: unknown): Caller | string {
  if (!isObject(value)) return 'must be an object';
  const { u = '', p = {}, v = null } = value;
  if (typeof u !== 'string') return 'u must be a text';
  if (!isObject(p)) return 'p must be an object';
  if (v === null) return makeCaller(u, p, null);
  if (typeof v !== 'string' || parseVersion(v) === null) return 'v must have the form X.Y.Z';
  return makeCaller(u, p, v);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
