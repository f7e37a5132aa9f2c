/** `loadout export`: an environment as one file of lines, or as a folder of files for Git. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { type EnvironmentOptions, openClient, withEnvironment } from '../client/connection.js';
import { counted } from '../terminal/counted.js';
import { misuse } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { printNote } from '../terminal/output.js';
import { parseAppVersion } from '../terminal/parse-option.js';
import { exportBaseline } from './export-baseline.js';
import { ExportFolder } from './export-folder.js';
import { reportExport, writeWhole } from './exported-file.js';
import { ExportedLines } from './exported-lines.js';

interface ExportOptions extends EnvironmentOptions {
  readonly out?: string;
  readonly dir?: string;
  readonly baseline?: boolean;
  readonly appVersion?: string;
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
    .option(
      '--baseline',
      'write what a client kit ships with a build of the game instead, as one JSON object',
    )
    .option(
      '--app-version <version>',
      'with --baseline: app version of the build (X.Y.Z); the highest version lines if left out',
      parseAppVersion,
    )
    .addHelpText(
      'after',
      '\nTexts, mappings, schemas and conditions are kept byte for byte; the same environment gives the same bytes.\nHistory, keys and users are not exported. `loadout import` reads all three forms, but no baseline.',
    )
    .action(exportEnvironment);
}

async function exportEnvironment(options: ExportOptions): Promise<void> {
  const { env, out, dir, baseline = false, appVersion } = options;
  if (out !== undefined && dir !== undefined) throw misuse('Give --out or --dir, not both.');
  if (appVersion !== undefined && !baseline) throw misuse('--app-version needs --baseline.');
  if (baseline) {
    if (dir !== undefined) throw misuse('A baseline is one file: give --out.');
    await exportBaseline(options);
    return;
  }
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
  await writeWhole(lines.chunks(), out);
  reportExport(
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
  reportExport(
    json,
    { folder: dir, contents: folder.contents },
    `Exported ${counted(folder.contents, 'content')} to ${dir}.`,
  );
}
