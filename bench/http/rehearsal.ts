/** Answers before times: a contender is asked every request once, and what it answers is held to the oracle. */
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { stop } from '../measure/child.js';
import { type TableEntry, writeAnswerTable } from './answer-table.js';
import type { ContenderKind, ServerInput } from './contenders/contender.js';
import { startServer } from './contenders/start.js';
import { type ExpectedRequest, headersOf, type Scenario } from './scenario.js';

export type Header = readonly [name: string, value: string];

/** Made by the HTTP layer of each contender itself. */
const ownHeaders = new Set(['content-length', 'connection', 'keep-alive', 'date', 'uwebsockets']);

/** Loadout compresses a variant with the second request (D66), and a combined response once its entries are. */
const askedTimesMax = 3;

/**
 * Writes the contender's answer table (the bytes on the wire) to `tablePath`, if there is one, and returns the headers
 * that came with the first. Throws when an answer is not the expected one.
 */
export async function rehearse(
  scenario: Scenario,
  requests: readonly ExpectedRequest[],
  kind: ContenderKind,
  input: ServerInput,
  tablePath: string | null,
): Promise<readonly Header[]> {
  const server = await startServer(kind, input);
  const entries: TableEntry[] = [];
  let headers: readonly Header[] = [];
  try {
    for (const { path, body, expected } of requests) {
      let answer = await ask(scenario, server.port, path, body);
      for (let times = 1; ; times += 1) {
        const isGzip = answer.headers.some(([, value]) => value === 'gzip');
        const json = (isGzip ? gunzipSync(answer.bytes) : answer.bytes).toString('utf8');
        if (answer.status === 200 && json === expected) {
          if (isGzip === scenario.gzip) break;
          if (times < askedTimesMax) {
            answer = await ask(scenario, server.port, path, body);
            continue;
          }
        }
        throw new Error(difference(scenario.name, kind, path, answer, json, expected));
      }
      entries.push({ path, body, answer: answer.bytes });
      if (entries.length === 1) headers = answer.headers;
    }
  } finally {
    await stop(server.child);
  }
  if (tablePath !== null) writeAnswerTable(tablePath, entries);
  return headers;
}

interface RawAnswer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly bytes: Buffer;
}

function ask(scenario: Scenario, port: number, path: string, body: string): Promise<RawAnswer> {
  const request = scenario.secure ? requestSecure : requestPlain;
  const options = {
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { ...headersOf(scenario), 'Content-Length': Buffer.byteLength(body) },
    rejectUnauthorized: false,
    timeout: 10_000,
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const headers: Header[] = [];
        for (let at = 0; at < response.rawHeaders.length; at += 2) {
          const name = response.rawHeaders[at]!;
          if (!ownHeaders.has(name.toLowerCase()))
            headers.push([name, response.rawHeaders[at + 1]!]);
        }
        resolve({ status: response.statusCode ?? 0, headers, bytes: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error(`${path} was not answered in time.`)));
    sent.end(body);
  });
}

function difference(
  scenario: string,
  kind: string,
  path: string,
  { status, headers }: RawAnswer,
  actual: string,
  expected: string,
): string {
  if (status === 200 && actual === expected) {
    const coding = headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
    return `${scenario}: ${kind} responds to ${path} with Content-Encoding ${coding ?? 'identity'}.`;
  }
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 40), at + 40);
  return [
    `${scenario}: ${kind} answers ${path} with status ${status}, and differs at character ${at}:`,
    `  expected ...${around(expected)}`,
    `  actual   ...${around(actual)}`,
  ].join('\n');
}
