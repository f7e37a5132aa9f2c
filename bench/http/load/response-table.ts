/** Requests with the exact bytes that one contender must answer each with, in a file that processes share. */
import { readFileSync, writeFileSync } from 'node:fs';

export interface TableEntry {
  readonly path: string;
  readonly body: string;
  /** What goes over the wire: compressed where the request asks for that. */
  readonly answer: Buffer;
}

interface TableIndex {
  readonly path: string;
  readonly body: string;
  readonly bytes: number;
}

/** Writes `<path>.json` and `<path>.bin`. */
export function writeAnswerTable(path: string, entries: readonly TableEntry[]): void {
  const index = entries.map((entry): TableIndex => {
    return { path: entry.path, body: entry.body, bytes: entry.answer.byteLength };
  });
  writeFileSync(`${path}.json`, JSON.stringify(index));
  writeFileSync(`${path}.bin`, Buffer.concat(entries.map((entry) => entry.answer)));
}

export function readAnswerTable(path: string): TableEntry[] {
  const index = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as TableIndex[];
  const bytes = readFileSync(`${path}.bin`);
  let from = 0;
  return index.map((entry) => {
    const answer = bytes.subarray(from, from + entry.bytes);
    from += entry.bytes;
    return { path: entry.path, body: entry.body, answer };
  });
}
