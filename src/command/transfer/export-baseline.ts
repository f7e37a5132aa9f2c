/** `loadout export --baseline`: what a client kit ships with the build of a game. */
import { once } from 'node:events';
import { type EnvironmentOptions, openClient } from '../client/connection.js';
import { counted } from '../terminal/counted.js';
import { CommandFailure } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { responseBytesMax } from '../terminal/limits.js';
import { formatBytes, Progress } from '../terminal/progress.js';
import { cutOff, received, reportExport, writeWhole } from './exported-file.js';

interface BaselineOptions extends EnvironmentOptions {
  readonly out?: string;
  readonly appVersion?: string;
}

/** What the report names of a baseline. */
interface BaselineFacts {
  readonly sequence: number;
  readonly contents: Readonly<Record<string, unknown>>;
}

export async function exportBaseline(options: BaselineOptions): Promise<void> {
  const { env, out, appVersion, json } = options;
  const response = await openClient(options).stream('GET /environments/:env/baseline', {
    params: { env },
    query: appVersion === undefined ? {} : { appVersion },
  });
  const bytes = await collect(received(response.body ?? []));
  const { sequence, contents } = parse(bytes);
  const count = Object.keys(contents).length;
  if (out === undefined) {
    if (!io().stdout.write(bytes)) await once(io().stdout, 'drain');
    return;
  }
  await writeWhole(inOnePiece(bytes), out);
  reportExport(
    json,
    { file: out, contents: count, sequence, bytes: bytes.byteLength },
    `Exported a baseline of ${counted(count, 'content')} at sequence ${sequence} to ${out} (${formatBytes(bytes.byteLength)}).`,
  );
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const progress = new Progress('Exporting');
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > responseBytesMax) {
        const most = formatBytes(responseBytesMax);
        throw new CommandFailure(`The baseline is larger than ${most}: no game can ship that.`);
      }
      pieces.push(chunk);
      progress.show(formatBytes(bytes));
    }
  } finally {
    progress.end();
  }
  return Buffer.concat(pieces);
}

/** A server that breaks off leaves half an object. */
function parse(bytes: Buffer): BaselineFacts {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw cutOff();
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
