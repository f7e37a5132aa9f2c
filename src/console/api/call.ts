/** Calls the admin API: returns the response, or throws the problem. */
import {
  type ArgumentsOf,
  type KnownRoute,
  type ResponseTo,
  requestOf,
} from '../../contract/client.js';
import type { Problem, ProblemCode, ValidationIssue } from '../../contract/problems.js';
import type { Confirmation } from '../../contract/schemas/guard.js';
import { consoleHeaders } from './presence.js';
import { sessionEnded } from './session-end.js';

/** The members of a problem document that the console reads. */
type ProblemDocument = Pick<Problem, 'status' | 'code' | 'detail'> &
  Partial<Pick<Problem, 'errors'> & Omit<Confirmation, 'required'>>;

/** The admin API's problem, with its own message. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: ProblemCode;
  readonly errors: readonly ValidationIssue[];
  /** Of `confirmation_required`: what to look at, and how to confirm it; null: another problem. */
  readonly confirmation: Confirmation | null;

  constructor({ status, code, detail, errors = [], ...findings }: ProblemDocument) {
    super(detail);
    const { digest, warnings = [], warningsCut = false } = findings;
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.confirmation =
      digest === undefined ? null : { digest, warnings, warningsCut, required: true };
  }
}

/** The server could not be reached. */
export class ServerAway extends Error {
  constructor(cause: unknown) {
    super('Can’t reach the server. Your edits are kept: try again once it is back.', { cause });
  }
}

/**
 * `await request('GET /environments/:env/keys', { params: { env } })`: the response of a success.
 * @throws ApiProblem, ServerAway, InvalidName
 */
export async function request<R extends KnownRoute>(
  route: R,
  args: ArgumentsOf<R>,
  signal?: AbortSignal,
): Promise<ResponseTo<R>> {
  const text = await requestText(route, args, signal);
  return (text === '' ? undefined : JSON.parse(text)) as ResponseTo<R>;
}

/**
 * For values whose spelling must survive (1.10, long integers), which `JSON.parse` and `JSON.stringify` would change.
 * @returns the text of the response
 * @throws ApiProblem, ServerAway, InvalidName
 */
export async function requestText<R extends KnownRoute>(
  route: R,
  args: ArgumentsOf<R>,
  signal?: AbortSignal,
): Promise<string> {
  const { method, path, body, bodyType } = requestOf(route, args);
  return send(path, { method, body, signal: signal ?? null }, bodyType);
}

/**
 * For documents that are no operations, such as `/openapi-delivery.json`.
 * @throws ServerAway
 */
export function fetchText(path: string): Promise<string> {
  return send(path, { method: 'GET', body: null, signal: null });
}

async function send(
  path: string,
  init: Required<Pick<RequestInit, 'method' | 'body' | 'signal'>>,
  contentType = 'application/json',
): Promise<string> {
  const headers = new Headers({ ...consoleHeaders(), accept: 'application/json' });
  if (init.body !== null) headers.set('content-type', contentType);
  const response = await fetch(path, { ...init, headers }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    throw new ServerAway(cause);
  });
  const text = await response.text().catch((cause: unknown) => {
    throw new ServerAway(cause);
  });
  if (response.ok) return text;
  throw problemOf(response.status, text);
}

/** From a proxy that has no server behind it. */
const goneStatuses: readonly number[] = [502, 503, 504];

function problemOf(status: number, text: string): Error {
  const problem = parsed(text);
  // A proxy in front of a server that is gone responds with text of its own.
  if (typeof problem !== 'object' || problem === null || !('code' in problem)) {
    return goneStatuses.includes(status)
      ? new ServerAway(`status ${status}`)
      : new Error(`Something in front of the server rejected this, with status ${status}.`);
  }
  if (status === 401) sessionEnded.note();
  return new ApiProblem(problem as ProblemDocument);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The message of something that was thrown, for people. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
