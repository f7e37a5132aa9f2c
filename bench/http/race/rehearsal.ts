/** Answers before times: a contender is asked every request once, and what it answers is held to the oracle. */
import { stop } from '../../measure/child.js';
import type { ContenderKind, ServerInput } from '../contenders/contender.js';
import { startServer } from '../contenders/start.js';
import { type TableEntry, writeAnswerTable } from '../load/response-table.js';
import { askOnce, type Header, type WireResponse } from './ask-once.js';
import { type ExpectedRequest, headersOf, type Scenario } from './scenario.js';

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
      const scheme = scenario.secure ? 'https' : 'http';
      const url = `${scheme}://127.0.0.1:${server.port}${path}`;
      const ask = () => askOnce(url, headersOf(scenario), body);
      let answer = await ask();
      for (let times = 1; ; times += 1) {
        const { status, isGzip, text } = answer;
        const isRight = status === 200 && text === expected;
        if (isRight && isGzip === scenario.gzip) break;
        if (!isRight || times === askedTimesMax) {
          throw new Error(difference(scenario.name, kind, path, answer, expected));
        }
        answer = await ask();
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

function difference(
  scenario: string,
  kind: string,
  path: string,
  { status, isGzip, text: actual }: WireResponse,
  expected: string,
): string {
  if (status === 200 && actual === expected) {
    return `${scenario}: ${kind} responds to ${path} ${isGzip ? 'compressed' : 'uncompressed'}.`;
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
