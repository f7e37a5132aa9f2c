/** Heads of responses on their way to a kit, and whole responses that no server has sent. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Fault } from './fault.js';

/** What scripts of other origins may read, as the server lets them. */
const readable = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Date, ETag, Retry-After, X-Sequence',
};

/** Responds in the place of the server. */
export function respond(
  response: ServerResponse,
  fault: Extract<Fault, { kind: 'status' }>,
  path: string,
): void {
  const { status, headers, body = '', padTo = 0 } = fault;
  const type = status < 300 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, withHeaders({ 'content-type': type, ...readable }, headers));
  response.write(typeof body === 'string' ? asRequested(body, path) : JSON.stringify(body));
  response.end(Buffer.alloc(padTo, ' '));
}

/** The pages in a text of a scenario: `data` is a string that holds JSON, where the kit asks for that. */
export function asRequested(text: string, path: string): string {
  if (!path.includes('responseType=serialized')) return text;
  return text.replaceAll(
    /"data":(.*?),"hash":/g,
    (_all, json: string) => `"data":${JSON.stringify(json)},"hash":`,
  );
}

/** The headers of a response of the server, as the kit gets them. */
export function spoiledHeaders(
  answer: IncomingMessage,
  fault: Fault | null,
  isRead: boolean,
): OutgoingHttpHeaders {
  const { connection, ...headers } = answer.headers;
  const changed: Record<string, string | null> = {};
  if (fault?.kind === 'truncate' || isRead) changed['content-length'] = null;
  if (fault?.kind === 'header') Object.assign(changed, fault.headers);
  if (fault?.kind === 'clock') {
    const atMs = Date.parse(headers.date ?? '') + fault.ms;
    changed['date'] = new Date(atMs).toUTCString();
  }
  return withHeaders(headers, changed);
}

/** Those of `changes` in the place of others; null removes one. */
function withHeaders(
  headers: OutgoingHttpHeaders,
  changes: Readonly<Record<string, string | null>>,
): OutgoingHttpHeaders {
  const result = { ...headers };
  for (const [name, value] of Object.entries(changes)) {
    result[name.toLowerCase()] = value ?? undefined;
  }
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined));
}
