/** Speaks to the admin API: one call, one answer, or a failure worded for people. Retries nothing. */

import {
  type ArgumentsOf,
  InvalidName,
  type KnownRoute,
  type ResponseTo,
  requestOf,
  type SentRequest,
} from '../contract/client.js';
import type { Method } from '../contract/operation.js';
import { CommandFailure, misuse } from './failure.js';
import { noteFleet } from './fleet-wait.js';
import { answerBytesMax } from './limits.js';
import { formatProblem, type ProblemError, parseProblem } from './problem.js';
import { formatBytes, showProgress } from './progress.js';

/** An answer with the very text that carried it: `--json` prints that, so numbers stay as they are. */
export interface Answer<T> {
  readonly value: T;
  readonly text: string;
}

/** A body on its way. */
export interface Upload {
  readonly type: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** Words an error of a refusal, for those to whom a line of the body says less than its file. */
  readonly wordError: (error: ProblemError) => ProblemError;
}

export class AdminClient {
  readonly #url: string;
  readonly #token: string | null;
  readonly #waitsForFleet: boolean;

  /**
   * `url` without a slash at its end, such as `http://127.0.0.1:8081`.
   * @param waitsForFleet asks with every change that all servers serve it, and says which do not
   */
  constructor(url: string, token: string | null, waitsForFleet = false) {
    this.#url = url;
    this.#token = token;
    this.#waitsForFleet = waitsForFleet;
  }

  /**
   * Sends one request of the contract. Server and command come from one package, so the response is not checked again.
   * @throws CommandFailure when the server refuses, fails or cannot be reached
   */
  async request<R extends KnownRoute>(
    route: R,
    args: ArgumentsOf<R>,
  ): Promise<Answer<ResponseTo<R>>> {
    const { method, path, body } = toRequest(route, args);
    return this.call(method, path, body);
  }

  /**
   * Sends one request; `body` is JSON text unless its `type` says otherwise. The caller names the shape of the answer: server and
   * command come from one package, so it is not checked again here.
   * @throws CommandFailure when the server refuses, fails or cannot be reached
   */
  async call<T>(
    method: Method,
    path: string,
    body: string | null = null,
    type = 'application/json',
  ): Promise<Answer<T>> {
    const size = body === null ? '' : ` (${formatBytes(body.length)})`;
    const sent = method === 'GET' ? path : this.#publishing(path);
    const exchange = this.#exchange<T>(method, sent, body, type);
    const answer = await showProgress(`${method} ${path}${size}`, exchange);
    return method === 'GET' ? answer : this.#noted(answer);
  }

  /**
   * The answer's bytes as they come, for answers that are larger than memory should hold. An answer that
   * is cut off throws where it is read.
   * @throws CommandFailure when the server refuses, fails or cannot be reached
   */
  async stream(method: Method, path: string, body: string | null = null): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.#url + path, {
        method,
        headers: this.#headers(body),
        body,
        redirect: 'manual',
      });
    } catch (error) {
      throw new CommandFailure(this.#wordFault(error));
    }
    if (response.ok) return response;
    throw new CommandFailure(this.#wordRefusal(response.status, await readAnswer(response)));
  }

  /**
   * Sends a body that is read while it is sent, because it is larger than memory should hold.
   * @throws CommandFailure like `call`, and what the body's own reading fails with
   */
  async upload<T>(path: string, { type, body, wordError }: Upload): Promise<Answer<T>> {
    let status: number;
    let text: string;
    try {
      const response = await fetch(this.#url + this.#publishing(path), {
        method: 'POST',
        headers: this.#headers('', type),
        body: ReadableStream.from(body),
        duplex: 'half',
        redirect: 'manual',
      });
      status = response.status;
      text = await readAnswer(response);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      for (const fault of [error, cause]) if (fault instanceof CommandFailure) throw fault;
      throw new CommandFailure(this.#wordFault(error));
    }
    const problem = status === 200 || status === 401 ? null : parseProblem(text);
    if (problem !== null) {
      const errors = (problem.errors ?? []).map(wordError);
      throw new CommandFailure(formatProblem({ ...problem, errors }));
    }
    if (status !== 200) throw new CommandFailure(this.#wordRefusal(status, text));
    return this.#noted({ value: JSON.parse(text) as T, text });
  }

  #publishing(path: string): string {
    if (!this.#waitsForFleet) return path;
    return `${path}${path.includes('?') ? '&' : '?'}wait=fleet`;
  }

  #noted<T>(answer: Answer<T>): Answer<T> {
    if (this.#waitsForFleet) noteFleet(answer.value);
    return answer;
  }

  async #exchange<T>(
    method: Method,
    path: string,
    body: string | null,
    type: string,
  ): Promise<Answer<T>> {
    let status: number;
    let text: string;
    try {
      const response = await fetch(this.#url + path, {
        method,
        headers: this.#headers(body, type),
        body,
        // A redirect would lose the token on the way to another host, or hand it to one.
        redirect: 'manual',
      });
      status = response.status;
      text = await readAnswer(response);
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      throw new CommandFailure(this.#wordFault(error));
    }
    if (status < 200 || status > 299) throw new CommandFailure(this.#wordRefusal(status, text));
    if (text === '') return { value: undefined as T, text };
    try {
      return { value: JSON.parse(text) as T, text };
    } catch {
      throw new CommandFailure(`What answers at ${this.#url} is not Loadout's admin API.`);
    }
  }

  #headers(body: string | null, type = 'application/json'): Record<string, string> {
    return {
      accept: 'application/json',
      ...(body === null ? {} : { 'content-type': type }),
      ...(this.#token === null ? {} : { authorization: `Bearer ${this.#token}` }),
    };
  }

  #wordRefusal(status: number, text: string): string {
    const problem = parseProblem(text);
    if (status === 401) {
      const reason =
        this.#token === null
          ? 'LOADOUT_TOKEN is not set.'
          : `The token in LOADOUT_TOKEN is not known at ${this.#url}.`;
      return `${reason} Set LOADOUT_TOKEN to a token of this server; its first start printed the owner's.`;
    }
    if (problem !== null) return formatProblem(problem);
    return `${this.#url} answered ${status} in a form the admin API does not use. Is LOADOUT_URL (or --url) the address that \`loadout serve\` printed as "console"?`;
  }

  #wordFault(error: unknown): string {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = (cause as NodeJS.ErrnoException | undefined)?.code;
    const address = 'LOADOUT_URL (or --url)';
    switch (code) {
      case 'ECONNREFUSED':
        return `Nothing listens at ${this.#url}. Start \`loadout serve\`, or set ${address} to the address it printed as "console".`;
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return `The host of ${this.#url} is not known here. Check ${address}.`;
      case 'ECONNRESET':
      case 'UND_ERR_SOCKET':
        return `${this.#url} closed the connection before it answered. Whether the call took effect is not known: look before you repeat it.`;
      default: {
        const message = cause instanceof Error ? cause.message : String(error);
        return `The admin API at ${this.#url} cannot be reached: ${message}. Check ${address}.`;
      }
    }
  }
}

function toRequest<R extends KnownRoute>(route: R, args: ArgumentsOf<R>): SentRequest {
  try {
    return requestOf(route, args);
  } catch (error) {
    throw error instanceof InvalidName ? misuse(error.message) : error;
  }
}

async function readAnswer(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > answerBytesMax) {
      throw new CommandFailure(`The answer is larger than ${formatBytes(answerBytesMax)}.`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * The path of something under `/admin/v1`, each part escaped. A part that a URL would resolve away
 * is refused: `contents/..` names the environment, and `DELETE` on it would remove everything.
 */
export function adminPath(...parts: readonly string[]): string {
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..') throw misuse(`"${part}" is not a name.`);
  }
  return `/admin/v1/${parts.map(encodeURIComponent).join('/')}`;
}
