/** The file of `--otlp-headers-file`: headers for the collector, such as its token, one `Name: value` a line. */
import { readFile } from 'node:fs/promises';
import { headersFileBytesMax } from '../limits/tracing.js';

const header = /^(?<name>[\w!#$%&'*+.^`|~-]+):[ \t]*(?<value>[\t\x20-\x7e]*?)[ \t]*$/;
const lineBreak = /\r?\n/;

/**
 * Reads the headers anew, so that a token may be replaced while the server runs. Empty lines and lines that begin with # are
 * left out.
 * @throws when it cannot be used: an Error whose message has none of its text
 */
export async function readHeaders(file: string): Promise<Record<string, string>> {
  const bytes = await readFile(file);
  if (bytes.byteLength > headersFileBytesMax) throw new Error('The headers file is too large.');
  const lines = bytes.toString().split(lineBreak);
  const used = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    used.map((line) => {
      const { name, value } = header.exec(line)?.groups ?? {};
      if (name === undefined || value === undefined) {
        throw new Error('The headers file has a line that is no header.');
      }
      return [name, value];
    }),
  );
}
