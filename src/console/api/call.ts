/** Calls the admin API: gives what it answers, or throws what it refused. */

import {
  type ArgumentsOf,
  type KnownRoute,
  type ResponseTo,
  requestOf,
} from '../../contract/client.js';
import type { Fault, Problem } from '../generated/admin-client.js';
import { defaults } from '../generated/admin-client.js';
import { sessionEnded } from '../session/session-end.js';
import { consoleHeaders } from './presence.js';

defaults.baseUrl = '';
defaults.fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(consoleHeaders())) headers.set(name, value);
  return fetch(input, { ...init, headers });
};

/** What the admin API refused, in its own words. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: Problem['code'];
  readonly errors: readonly Fault[];
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.problem = problem;
  }
}

/** The server could not be asked: it is away, or the network is. What was typed is still here. */
export class ServerAway extends Error {
  constructor(cause: unknown) {
    super('The server does not answer. What you typed is kept: try again once it is back.', {
      cause,
    });
  }
}

interface Answered {
  readonly status: number;
  readonly data?: unknown;
}

type Success<A> = A extends { status: 200 | 201 | 202 | 204; data: infer D }
  ? D
  : A extends { status: 204 }
    ? undefined
    : never;

/**
 * `await call(getContent({ env, id }))`: the data of a success.
 * @throws ApiProblem, ServerAway
 */
export async function call<A extends Answered>(asked: Promise<A>): Promise<Success<A>> {
  const answer = await asked.catch((cause: unknown) => {
    throw new ServerAway(cause);
  });
  if (answer.status >= 200 && answer.status < 300) return answer.data as Success<A>;
  throw problemOf(answer.status, answer.data);
}

/**
 * `await request('GET /environments/:env/keys', { params: { env } })`: what a success holds.
 * @throws ApiProblem, ServerAway
 */
export async function request<R extends KnownRoute>(
  route: R,
  args: ArgumentsOf<R>,
  signal?: AbortSignal,
): Promise<ResponseTo<R>> {
  const { method, path, body } = requestOf(route, args);
  const text = await callText(path, {
    method,
    ...(body === null ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  return (text === '' ? undefined : JSON.parse(text)) as ResponseTo<R>;
}

export interface RawRequest {
  readonly method?: string;
  /** JSON text as it is to be sent. */
  readonly body?: string;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/**
 * For values whose spelling must survive (1.10, long integers), which `JSON.parse` and `JSON.stringify` would change.
 * @returns the answer's text
 * @throws ApiProblem, ServerAway
 */
export async function callText(path: string, request: RawRequest = {}): Promise<string> {
  const { method = 'GET', body, contentType = 'application/json', signal } = request;
  const headers = new Headers({ ...consoleHeaders(), accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', contentType);
  const init: RequestInit = { method, headers, body: body ?? null, signal: signal ?? null };
  const answer = await fetch(path, init).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ServerAway(cause);
  });
  const text = await answer.text().catch((cause: unknown) => {
    throw new ServerAway(cause);
  });
  if (answer.ok) return text;
  throw problemOf(answer.status, text);
}

/** What a proxy answers when there is nobody behind it. */
const goneStatuses: readonly number[] = [502, 503, 504];

function problemOf(status: number, data: unknown): Error {
  const problem = typeof data === 'string' ? parsed(data) : data;
  // A proxy before a server that is gone answers in words of its own.
  if (typeof problem !== 'object' || problem === null || !('code' in problem)) {
    return goneStatuses.includes(status)
      ? new ServerAway(`status ${status}`)
      : new Error(`Something before the server refused this, with status ${status}.`);
  }
  if (status === 401) sessionEnded.note();
  return new ApiProblem(problem as Problem);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What to tell a person of something that was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
