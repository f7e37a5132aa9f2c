/** Reads what a stream is opened with: what a refresh asks for, and what its events are to carry. */
import { parseRefreshRequest, type RefreshRequest } from '../http/refresh-request.js';
import type { RequestBody } from '../http/request-body.js';
import { Problem, problems } from '../problems.js';
import { Mode } from './stream.js';

export interface StreamRequest extends RefreshRequest {
  readonly mode: Mode;
}

/**
 * @param query the raw text after the question mark
 * @returns why the request is rejected otherwise (docs/delivery-api.md)
 */
export function parseStreamRequest(query: string, body: RequestBody): StreamRequest | Problem {
  const refresh = parseRefreshRequest(query, body);
  if (refresh instanceof Problem) return refresh;
  const mode = modes.get(body['mode'] ?? 'data');
  return mode === undefined ? problems.modeInvalid : { ...refresh, mode };
}

const modes: ReadonlyMap<unknown, Mode> = new Map([
  ['data', Mode.Data],
  ['notify', Mode.Notify],
]);
