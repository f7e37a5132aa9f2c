/** What OFREP's routes read of a request before its body is there: which flag, whose key, which sequence. */
import type { HttpRequest } from 'uWebSockets.js';

export const flagsPath = '/ofrep/v1/evaluate/flags';
export const streamPath = '/ofrep/v1/stream';

/** What all paths of OFREP begin with, known or not. */
export const ofrepPrefix = '/ofrep/';

const bearer = /^bearer[ \t]+(\S+)[ \t]*$/i;

/** The API key of a request: X-Api-Key or, without that, `Authorization: Bearer`; '' for none. */
export function credentialOf(req: HttpRequest): string {
  const key = req.getHeader(apiKeyName);
  if (key !== '') return key;
  return bearer.exec(req.getHeader('authorization'))?.[1] ?? '';
}

const apiKeyName = Buffer.from('x-api-key');

/**
 * The key of a flag, percent-decoded once: `%2F` and `/` are the same. What does not decode stays as it is.
 * @param path of the request, without its query
 */
export function flagKeyOf(path: string): string {
  const key = path.slice(flagsPath.length + 1);
  if (!key.includes('%')) return key;
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** As a provider takes it from an event's `etag`; quotes around it do no harm. */
const configEtagForm = /^(?:W\/)?"?(\d{1,15})"?$/;

/**
 * The sequence that `flagConfigEtag` asks for.
 * @param query the raw text after the question mark
 * @returns -1 without one, and null for what is no sequence
 */
export function configSequenceOf(query: string): number | null {
  if (query === '') return -1;
  const etag = new URLSearchParams(query).get('flagConfigEtag');
  if (etag === null || etag === '') return -1;
  const digits = configEtagForm.exec(etag)?.[1];
  return digits === undefined ? null : Number(digits);
}
