/** Sends requests to the admin API: one call, one response, or a failure with a message. Retries nothing. */

import {
  type ArgumentsOf,
  escapeName,
  InvalidName,
  type KnownRoute,
  type LinesRoute,
  type ResponseTo,
  requestOf,
  type TargetOf,
  targetOf,
} from '../../contract/client.js';
import { ndjsonType } from '../../contract/media-types.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { responseBytesMax } from '../terminal/limits.js';
import { formatBytes, showProgress } from '../terminal/progress.js';
import { ConfirmationRequired } from './confirmation-required.js';
import { noteFleet } from './fleet-wait.js';
import { formatProblem, type ProblemError, parseProblem } from './problem.js';

/** A response with the very text that carried it: `--json` prints that, so numbers stay as they are. */
export interface ClientResponse<T> {
  readonly value: T;
  readonly text: string;
}

/** A body of NDJSON that is read while it is sent. */
export interface Upload {
  readonly body: AsyncIterable<Uint8Array>;
  /** Rewrites an error of a problem where the file behind a line of the body says more than the line. */
  readonly rewriteError: (error: ProblemError) => ProblemError;
}

interface ReceivedText {
  readonly status: number;
  readonly text: string;
}

interface ClientSettings {
  /** Waits after every change until all servers serve it, and reports which do not. */
  readonly waitsForFleet?: boolean;
  /** Says that the server does not know the token, where the token is not from the environment. */
  readonly rejected?: string | null;
  /** Ends requests under way. */
  readonly signal?: AbortSignal;
}

export class AdminClient {
  readonly #url: string;
  readonly #token: string | null;
  readonly #waitsForFleet: boolean;
  readonly #rejected: string | null;
  readonly #signal: AbortSignal | null;

  /** `url` without a slash at its end, such as `http://127.0.0.1:8081`. */
  constructor(url: string, token: string | null, settings: ClientSettings = {}) {
    this.#url = url;
    this.#token = token;
    this.#waitsForFleet = settings.waitsForFleet ?? false;
    this.#rejected = settings.rejected ?? null;
    this.#signal = settings.signal ?? null;
  }

  /**
   * Sends one request of the contract. Server and command come from one package, so the response is not checked again.
   * @param rewriteError says the errors of a problem in the words of the command
   * @throws CommandFailure when the server rejects it, fails or cannot be reached
   */
  async request<R extends KnownRoute>(
    route: R,
    args: ArgumentsOf<R>,
    rewriteError?: Upload['rewriteError'],
  ): Promise<ClientResponse<ResponseTo<R>>> {
    const { method, path, body, bodyType } = named(() => requestOf(route, args));
    const size = body === null ? '' : ` (${formatBytes(body.length)})`;
    const headers = this.#headers(body === null ? null : (bodyType ?? jsonType));
    const init = { method, headers, body };
    const exchange = this.#exchange<ResponseTo<R>>(path, init, rewriteError);
    return this.#noted(method, await showProgress(`${method} ${path}${size}`, exchange));
  }

  /**
   * The bytes of the response as they come, for responses that are larger than memory should hold. A response
   * that is cut off throws where it is read.
   * @throws CommandFailure like `request`
   */
  async stream<R extends KnownRoute>(route: R, args: TargetOf<R>): Promise<Response> {
    const { method, path } = named(() => targetOf(route, args));
    const response = await this.#fetch(path, { method, headers: this.#headers(null) });
    if (response.ok) return response;
    throw this.#failure({ status: response.status, text: await readText(response) });
  }

  /**
   * Sends a body that is read while it is sent, because it is larger than memory should hold.
   * @throws CommandFailure like `request`, and what the body's own reading fails with
   */
  async upload<R extends LinesRoute>(
    route: R,
    args: TargetOf<R>,
    { body, rewriteError }: Upload,
  ): Promise<ClientResponse<ResponseTo<R>>> {
    const { method, path } = named(() => targetOf(route, args));
    const headers = this.#headers(ndjsonType);
    const stream = ReadableStream.from(body);
    const init: RequestInit = { method, headers, body: stream, duplex: 'half' };
    return this.#noted(method, await this.#exchange<ResponseTo<R>>(path, init, rewriteError));
  }

  /**
   * Sends a request that the contract need not have.
   * @param path from the root, with its query
   * @param body JSON text; null: none
   * @returns the response, whatever its status, unless it is a problem or a redirect
   * @throws CommandFailure
   */
  async send(method: string, path: string, body: string | null): Promise<Response> {
    const headers = this.#headers(body === null ? null : jsonType);
    const response = await this.#fetch(path, { method, headers, body });
    const { ok, status } = response;
    if (ok) return response;
    if (status >= 300 && status < 400) {
      const to = response.headers.get('location') ?? 'nowhere';
      throw new CommandFailure(
        `${this.#url} redirects to ${to} (${status}): that is not followed.`,
      );
    }
    const text = await readText(response);
    if (status === 401 || parseProblem(text) !== null) throw this.#failure({ status, text });
    return new Response(text, { status, headers: response.headers });
  }

  #noted<T>(method: string, response: ClientResponse<T>): ClientResponse<T> {
    if (this.#waitsForFleet && method !== 'GET') noteFleet(response.value);
    return response;
  }

  async #exchange<T>(
    path: string,
    init: RequestInit,
    rewriteError?: Upload['rewriteError'],
  ): Promise<ClientResponse<T>> {
    const waits = this.#waitsForFleet && init.method !== 'GET';
    const wait = waits ? `${path.includes('?') ? '&' : '?'}wait=fleet` : '';
    const received = await this.#receive(path + wait, init);
    const { status, text } = received;
    if (status < 200 || status > 299) throw this.#failure(received, rewriteError);
    if (text === '') return { value: undefined as T, text };
    try {
      return { value: JSON.parse(text) as T, text };
    } catch {
      throw new CommandFailure(`The server at ${this.#url} is not Loadout's admin API.`);
    }
  }

  /** The whole response. A connection that breaks while it is read fails like one that breaks before. */
  async #receive(path: string, init: RequestInit): Promise<ReceivedText> {
    const response = await this.#fetch(path, init);
    try {
      return { status: response.status, text: await readText(response) };
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    try {
      // Following a redirect would drop the token, or send it to another host.
      return await fetch(this.#url + path, { ...init, redirect: 'manual', signal: this.#signal });
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  /** @param type media type of the body; null: there is none */
  #headers(type: string | null): Record<string, string> {
    return {
      accept: 'application/json',
      ...(type === null ? {} : { 'content-type': type }),
      ...(this.#token === null ? {} : { authorization: `Bearer ${this.#token}` }),
    };
  }

  #failure(
    { status, text }: ReceivedText,
    rewriteError = (error: ProblemError): ProblemError => error,
  ): CommandFailure {
    const problem = parseProblem(text);
    if (status === 401) return new CommandFailure(this.#describeRejection());
    // The admin API has no problem like it; the paths that it lists are those of the delivery port.
    if (problem?.code === 'not_found' && problem.detail?.includes('/api/v1/env/catalog')) {
      return new CommandFailure(this.#describeOtherPort());
    }
    if (problem !== null) {
      const errors = (problem.errors ?? []).map(rewriteError);
      const message = formatProblem({ ...problem, errors });
      const { code, digest, warnings = [] } = problem;
      return code === 'confirmation_required' && digest !== undefined
        ? new ConfirmationRequired(message, digest, warnings)
        : new CommandFailure(message, 1, code ?? null);
    }
    return new CommandFailure(
      `${this.#url} responded with ${status} in a form that the admin API does not use. Is LOADOUT_URL (or --url) the address that \`loadout serve\` printed as "console"?`,
    );
  }

  #describeRejection(): string {
    if (this.#rejected !== null) return this.#rejected;
    const reason =
      this.#token === null
        ? 'LOADOUT_TOKEN is not set.'
        : `The token in LOADOUT_TOKEN is not known at ${this.#url}.`;
    return `${reason} Set LOADOUT_TOKEN to a token of this server, or store one with \`loadout login\`; the server's first start printed the owner's.`;
  }

  #describeOtherPort(): string {
    const admin = new URL(this.#url);
    admin.port = '8081';
    return `${this.#url} is the delivery port, which game clients ask. Set LOADOUT_URL (or --url) to the admin port: ${admin.origin} unless the server was started with another --admin-port; \`loadout serve\` printed it as "console".`;
  }

  /** A failure of the command's own (a body that cannot be read, a response that is too large) stays as it is. */
  #failureOf(error: unknown): CommandFailure {
    const cause = error instanceof Error ? error.cause : undefined;
    for (const failure of [error, cause]) if (failure instanceof CommandFailure) return failure;
    return new CommandFailure(this.#describeCause(error, cause));
  }

  #describeCause(error: unknown, cause: unknown): string {
    const code = (cause as NodeJS.ErrnoException | undefined)?.code;
    const address = 'LOADOUT_URL (or --url)';
    switch (code) {
      case 'ECONNREFUSED':
        return `Nothing listens at ${this.#url}. Start \`loadout serve\`, or set ${address} to the address it printed as "console"; \`loadout login\` stores it.`;
      case 'ERR_SSL_WRONG_VERSION_NUMBER':
        return `${this.#url} does not speak TLS. Set ${address} to the same address with http://.`;
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return `The host of ${this.#url} is not known here. Check ${address}.`;
      case 'ECONNRESET':
      case 'UND_ERR_SOCKET':
        return `${this.#url} closed the connection before it responded. The request may have taken effect: check before you repeat it.`;
      default: {
        const message = cause instanceof Error ? cause.message : String(error);
        return `The admin API at ${this.#url} cannot be reached: ${message}. Check ${address}.`;
      }
    }
  }
}

const jsonType = 'application/json';

/**
 * For a command that asks for confirmation before it sends a request with the name.
 * @throws CommandFailure when no path can hold the name
 */
export function checkName(name: string): void {
  named(() => escapeName(name));
}

function named<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof InvalidName ? misuse(error.message) : error;
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > responseBytesMax) {
      throw new CommandFailure(`The response is larger than ${formatBytes(responseBytesMax)}.`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
