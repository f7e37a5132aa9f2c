/** `loadout export`: an environment as one file of lines, or as a folder of files for Git. */

import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import type { TransferLine } from '../../contract/schemas/transfer-line.js';
import { type LineBatch, lineBatches } from '../../management/transfer/line-batches.js';
import { type EnvironmentOptions, openClient, withEnvironment } from '../client/connection.js';
import { counted } from '../server/store-facts.js';
import { CommandFailure, misuse, reasonOf } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { exportBatchBytes, responseBytesMax } from '../terminal/limits.js';
import { printLine, printNote } from '../terminal/output.js';
import { formatBytes, Progress } from '../terminal/progress.js';
import { ExportFolder } from './export-folder.js';

interface ExportOptions extends EnvironmentOptions {
  readonly out?: string;
  readonly dir?: string;
  /** false: --no-drafts. */
  readonly drafts: boolean;
}

export function exportCommand(): Command {
  return withEnvironment(new Command('export'))
    .description(
      'write an environment as NDJSON to standard output, to a file, or as a folder of files',
    )
    .option('--out <file>', 'the file to write')
    .option(
      '--dir <folder>',
      'the folder to write: a .jsonc file per text, and a .json file per content with the rest',
    )
    .option('--no-drafts', 'omit saved edits that are not published (a folder never has them)')
    .addHelpText(
      'after',
      '\nTexts, mappings, schemas and conditions are kept byte for byte; the same environment gives the same bytes.\nHistory, keys and users are not exported. `loadout import` reads all three forms.',
    )
    .action(exportEnvironment);
}

async function exportEnvironment(options: ExportOptions): Promise<void> {
  const { env, out, dir } = options;
  if (out !== undefined && dir !== undefined) throw misuse('Give --out or --dir, not both.');
  const drafts = options.drafts && dir === undefined;
  const response = await openClient(options).stream('GET /environments/:env/export', {
    params: { env },
    query: { drafts },
  });
  const lines = new ExportedLines(response.body ?? []);
  try {
    if (dir !== undefined) await writeFolder(lines, dir, options.json);
    else if (out !== undefined) await writeFile(lines, out, options.json);
    else await pipeline(Readable.from(lines.chunks(), { objectMode: false }), io().stdout);
  } finally {
    lines.progress.end();
  }
}

async function writeFile(lines: ExportedLines, out: string, json: boolean): Promise<void> {
  // Under this name until it is whole: what has the name `out` is a complete export.
  const partial = `${out}.partial`;
  try {
    await pipeline(
      Readable.from(lines.chunks(), { objectMode: false }),
      createWriteStream(partial),
    );
    renameSync(partial, out);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  report(
    json,
    { file: out, contents: lines.contents },
    `Exported ${counted(lines.contents, 'content')} to ${out}.`,
  );
}

async function writeFolder(lines: ExportedLines, dir: string, json: boolean): Promise<void> {
  const folder = new ExportFolder(dir);
  for await (const line of lines.objects()) folder.add(line);
  const foreign = folder.removeOthers();
  if (foreign.length > 0) {
    printNote(`Files that are not part of this export were kept: ${foreign.join(', ')}.`);
  }
  report(
    json,
    { folder: dir, contents: folder.contents },
    `Exported ${counted(folder.contents, 'content')} to ${dir}.`,
  );
}

function report(json: boolean, facts: object, words: string): void {
  if (json) printLine(JSON.stringify(facts));
  else printNote(words);
}

/** The lines as they come; fails at the end when the end line did not come: the server broke off. */
class ExportedLines {
  contents = 0;
  readonly progress = new Progress('Exporting');
  readonly #body: AsyncIterable<Uint8Array> | Iterable<never>;

  constructor(body: AsyncIterable<Uint8Array> | Iterable<never>) {
    this.#body = body;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for await (const { bytes, ends } of this.#batches()) {
      let start = 0;
      for (const end of ends) {
        yield Buffer.concat([bytes.subarray(start, end), lineFeed]);
        start = end;
      }
    }
  }

  async *objects(): AsyncGenerator<TransferLine> {
    for await (const line of this.chunks()) yield JSON.parse(Buffer.from(line).toString());
  }

  async *#batches(): AsyncGenerator<LineBatch> {
    let last = '';
    let bytes = 0;
    const limits = {
      batchBytes: exportBatchBytes,
      lineBytesMax: responseBytesMax,
      streamBytesMax: Number.POSITIVE_INFINITY,
    };
    for await (const batch of lineBatches(toAsync(this.#body), limits)) {
      const { ends } = batch;
      for (const [index, end] of ends.entries()) {
        const head = batch.bytes.subarray(ends[index - 1] ?? 0, end).subarray(0, headBytes);
        last = Buffer.from(head).toString();
        if (last.startsWith(contentHead)) this.contents += 1;
      }
      bytes += batch.bytes.byteLength;
      this.progress.show(`${this.contents} contents, ${formatBytes(bytes)}`);
      yield batch;
    }
    if (!last.startsWith(endHead)) {
      throw new CommandFailure('The export was cut off before its end: try again.');
    }
  }
}

const lineFeed = Buffer.from('\n');
const contentHead = '{"kind":"content"';
const endHead = '{"kind":"end"';
const headBytes = contentHead.length;

async function* toAsync(
  body: AsyncIterable<Uint8Array> | Iterable<never>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch (error) {
    throw new CommandFailure(
      `The export was cut off before its end (${reasonOf(error)}): try again.`,
    );
  }
}
