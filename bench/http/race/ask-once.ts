/** One request outside of any load: its response as it came over the wire, and as text. */
import { type Agent, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { gunzipSync } from 'node:zlib';

export type Header = readonly [name: string, value: string];

export interface WireResponse {
  readonly status: number;
  /** Without those that each HTTP layer makes itself. */
  readonly headers: readonly Header[];
  /** As sent: compressed where the server did that. */
  readonly bytes: Buffer;
  readonly isGzip: boolean;
  readonly text: string;
}

const ownHeaders = new Set(['content-length', 'connection', 'keep-alive', 'date', 'uwebsockets']);
const timeoutMs = 10_000;

export interface AskOptions {
  /** Whether the certificate must be one that Node trusts; our own servers' is self-signed. */
  readonly verified?: boolean;
  /** Keeps connections. */
  readonly agent?: Agent;
}

export function askOnce(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { verified = false, agent }: AskOptions = {},
): Promise<WireResponse> {
  const request = url.startsWith('https:') ? requestSecure : requestPlain;
  const options = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    rejectUnauthorized: verified,
    timeout: timeoutMs,
    agent,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const isGzip = response.headers['content-encoding'] === 'gzip';
        resolve({
          status: response.statusCode ?? 0,
          headers: foreign(response.rawHeaders),
          bytes,
          isGzip,
          // When it is asked for: the clock of a measurement may be running.
          get text() {
            return (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
          },
        });
      });
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error(`${url} did not respond in time.`)));
    sent.end(body);
  });
}

function foreign(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    if (!ownHeaders.has(raw[at]!.toLowerCase())) headers.push([raw[at]!, raw[at + 1]!]);
  }
  return headers;
}
