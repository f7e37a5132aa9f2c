/** Requests with the exact bytes of one contender's response to each, in a file that processes share. */
import { readFileSync, writeFileSync } from 'node:fs';

export interface TableEntry {
  readonly path: string;
  readonly body: string;
  /** What goes over the wire: compressed where the request asks for that. */
  readonly response: Buffer;
}

interface TableIndex {
  readonly path: string;
  readonly body: string;
  readonly bytes: number;
}

/** Writes `<path>.json` and `<path>.bin`. */
export function writeResponseTable(path: string, entries: readonly TableEntry[]): void {
  const index = entries.map((entry): TableIndex => {
    return { path: entry.path, body: entry.body, bytes: entry.response.byteLength };
  });
  writeFileSync(`${path}.json`, JSON.stringify(index));
  writeFileSync(`${path}.bin`, Buffer.concat(entries.map((entry) => entry.response)));
}

export function readResponseTable(path: string): TableEntry[] {
  const index = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as TableIndex[];
  const bytes = readFileSync(`${path}.bin`);
  let from = 0;
  return index.map((entry) => {
    const response = bytes.subarray(from, from + entry.bytes);
    from += entry.bytes;
    return { path: entry.path, body: entry.body, response };
  });
}
