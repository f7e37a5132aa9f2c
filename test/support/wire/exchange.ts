/** Sends one HTTP request exactly as written and keeps the answer as bytes: nothing is normalised, added or decoded. */
import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';

// Longer than management waits for a listener that hangs.
const answerMillisMax = 25_000;

export interface Request {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** Keeps connections alive; without one every request has a connection of its own, so that both listeners are hit. */
  readonly agent?: http.Agent;
  /** The certificate to trust, PEM; for https origins. */
  readonly ca?: string;
}

/** What came back, undecoded. */
export class Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;

  constructor(status: number, headers: IncomingHttpHeaders, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  /** The body as UTF-8 text; never use it on a gzip answer. */
  get text(): string {
    return this.bytes.toString('utf8');
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of every shape; a wrong one fails the assertion.
  get json(): any {
    return JSON.parse(this.text);
  }

  header(name: string): string {
    const value = this.headers[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
}

/** `path` goes onto the wire as it is: raw brackets, quotes and dot segments survive. */
export function send(origin: string, path: string, request: Request = {}): Promise<Answer> {
  const { protocol, hostname, port } = new URL(origin);
  const { promise, resolve, reject } = deferred<Answer>();
  const client = protocol === 'https:' ? https : http;
  const outgoing = client.request(
    {
      host: hostname,
      port,
      path,
      method: request.method ?? 'GET',
      headers: request.headers ?? {},
      agent: request.agent ?? false,
      ...(request.ca === undefined ? {} : { ca: request.ca }),
      signal: AbortSignal.timeout(answerMillisMax),
    },
    (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve(new Answer(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(pieces))),
      );
    },
  );
  outgoing.on('error', reject);
  outgoing.end(request.body);
  return promise;
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** `Promise.withResolvers`, which Node 20 does not have. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
