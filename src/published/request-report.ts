/** What a delivery process reports of requests, and of those that it rejected. */

/** One reason, as often as it was counted at least. */
export type RejectedItem = readonly [item: string, count: number, lastMs: number];

/** The most frequent reasons. A count may lack `offset`, and what is not there may have occurred so often. */
export interface RejectedItems {
  readonly items: readonly RejectedItem[];
  readonly offset: number;
}

/** Counted since the last report. The environment is '' where a request had no key, or one that is not served. */
export interface RequestReport {
  readonly requests: readonly (readonly [environment: string, count: number])[];
  /** Exact: problem codes are known in advance, and so are environments. */
  readonly rejected: readonly (readonly [
    environment: string,
    code: string,
    status: number,
    count: number,
  ])[];
  /** Of requests with a key that is served. */
  readonly keyed: RejectedItems;
  /** Of the others, apart: they cost a stranger nothing, and must not push those out. */
  readonly unkeyed: RejectedItems;
}

/** Codes of the problems of delivery, OFREP's among them. What a follower of a newer version has beside these is `other`. */
export const rejectionCodes = [
  'body_too_large',
  'content_not_found',
  'content_unavailable',
  'internal',
  'invalid_api_key',
  'invalid_body',
  'invalid_content_type',
  'invalid_context',
  'invalid_query',
  'invalid_receipt',
  'invalid_sequence',
  'invalid_token',
  'method_not_allowed',
  'not_found',
  'overloaded',
  'rate_limited',
  'request_timeout',
  'sequence_not_reached',
  'targeting_key_missing',
  'too_many_flags',
] as const;

/** Why requests were rejected. */
export interface RejectionItem {
  readonly code: string;
  readonly status: number;
  readonly environment: string;
  /** SHA-256 of the key, lower-case hex; '': there was none, or it was too long for one. */
  readonly keyHash: string;
  /** What was requested, as the client spelled it; '': nothing that has an id. */
  readonly content: string;
}

/** The item as text, which sketches count. The last part may be any text. */
export function rejectionText(item: RejectionItem): string {
  const { code, status, environment, keyHash, content } = item;
  return `${code}\n${status}\n${environment}\n${keyHash}\n${content}`;
}

export function parseRejection(text: string): RejectionItem {
  const [code = '', status = '', environment = '', keyHash = '', ...content] = text.split('\n');
  return { code, status: Number(status), environment, keyHash, content: content.join('\n') };
}
