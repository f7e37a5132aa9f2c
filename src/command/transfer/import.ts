/** `loadout import`: brings a file or folder into an environment, all of it or nothing. */

import { createReadStream, statSync } from 'node:fs';
import { Command, Option } from 'commander';
import type { ImportReport } from '../../contract/operations/transfer.js';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import { findEnvironment, wordFor } from '../client/confirm-dangerous.js';
import { type FindingsOptions, sendConfirmed, withFindings } from '../client/confirm-findings.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
  withFleetWait,
} from '../client/connection.js';
import { formatChange } from '../client/format-change.js';
import { type ProblemError, printWarnings } from '../client/problem.js';
import { confirm } from '../terminal/confirm.js';
import { misuse, unreadable } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { oneLine, printNote } from '../terminal/output.js';
import { Progress, showProgress } from '../terminal/progress.js';
import { standardInput } from '../terminal/text-file.js';
import { ImportFolder } from './import-folder.js';

interface ImportOptions extends EnvironmentOptions, FindingsOptions {
  readonly dir?: string;
  readonly mode: 'merge' | 'replace';
  readonly dryRun: boolean;
}

/** What is imported; a file can be read twice, standard input cannot. */
interface Source {
  readonly name: string;
  readonly bytes: number;
  readonly once: boolean;
  readonly open: () => AsyncIterable<Uint8Array>;
  /** The file behind a line, where it says more than the line's number. */
  readonly placeOf: (line: number) => string | null;
}

export function importCommand(): Command {
  return withFindings(withFleetWait(withEnvironment(new Command('import'))))
    .description('import an exported file or folder into an environment, all of it or nothing')
    .argument('[file]', 'what `loadout export` wrote; - reads standard input')
    .option('--dir <folder>', 'import a folder of files instead')
    .addOption(
      new Option('--mode <mode>', 'merge keeps what the file does not have; replace removes it')
        .choices(['merge', 'replace'])
        .default('merge'),
    )
    .option('--dry-run', 'show what would change, but change nothing', false)
    .option('--yes', 'do not ask for confirmation', false)
    .addHelpText(
      'after',
      '\nShows the changes and asks for confirmation, then makes exactly these changes or none. A protected environment is\nconfirmed by typing its name. Contents that equal the file get no new revision.',
    )
    .action(importEnvironment);
}

async function importEnvironment(file: string | undefined, options: ImportOptions): Promise<void> {
  const source = openSource(file, options);
  const client = openClient(options);
  const show = (response: ClientResponse<ImportReport>): void => {
    printResponse(options, response, ({ value }) => formatImport(value));
    printWarnings(response.value.warnings);
  };
  if (options.dryRun) return show(await send(client, source, options, { dryRun: true }));
  if (source.once && !options.yes) {
    throw misuse('Standard input can be read only once: name a file, or use --yes or --dry-run.');
  }
  const environment = await findEnvironment(client, options.env);
  let plan: string | undefined;
  let seen: string | undefined;
  if (!options.yes || (environment.protected && !source.once)) {
    const preview = await send(client, source, options, { dryRun: true });
    if (!changesAnything(preview.value)) return show(preview);
    plan = preview.value.plan;
    if (!options.yes) {
      printNote(formatImport(preview.value).trimEnd());
      printWarnings(preview.value.warnings);
      await confirm(questionOf(options.env, preview.value), wordFor(environment), false);
      // The findings stand among the warnings that were shown.
      seen = preview.value.confirmation?.digest;
    }
  }
  const given = seen === undefined ? options : { ...options, confirm: options.confirm ?? seen };
  const done = await sendConfirmed<ImportReport>(given, ({ confirm, query }) => {
    const more = { ...query, confirm, ...(plan === undefined ? {} : { plan }) };
    return send(client, source, options, more);
  });
  show(done);
}

function changesAnything({ counts, segments }: ImportReport): boolean {
  return counts.added + counts.changed + counts.removed + segments.length > 0;
}

function questionOf(env: string, { counts }: ImportReport): string {
  const removed = counts.removed === 0 ? '' : ` and remove ${counts.removed}`;
  return `This will save ${counts.added + counts.changed} contents in ${env}${removed}.`;
}

function openSource(file: string | undefined, { dir }: ImportOptions): Source {
  if ((file === undefined) === (dir === undefined)) throw misuse('Name a file, or give --dir.');
  if (dir !== undefined) {
    const folder = new ImportFolder(dir);
    const placeOf = (line: number): string | null => folder.placeOf(line);
    return { name: dir, bytes: folder.bytes, once: false, open: () => folder.lines(), placeOf };
  }
  const placeOf = (): null => null;
  const name = file ?? standardInput;
  if (name === standardInput) {
    return { name: 'standard input', bytes: 0, once: true, open: () => io().stdin, placeOf };
  }
  const open = (): AsyncIterable<Uint8Array> => createReadStream(name);
  return { name, bytes: sizeOf(name), once: false, open, placeOf };
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function send(
  client: AdminClient,
  source: Source,
  { env, mode }: ImportOptions,
  more: {
    readonly dryRun?: true;
    readonly plan?: string;
    readonly confirm?: string | undefined;
    readonly strict?: 'true' | undefined;
  },
): Promise<ClientResponse<ImportReport>> {
  const verb = more.dryRun === true ? 'Checking' : 'Importing';
  const progress = new Progress(`${verb} ${source.name}`);
  const rewriteError = (error: ProblemError): ProblemError => placed(source, error);
  const response = client.upload(
    'POST /environments/:env/import',
    { params: { env }, query: { mode, ...more } },
    { body: watched(source, progress), rewriteError },
  );
  try {
    return await (source.bytes > 0 ? response : showProgress(`${verb} ${source.name}`, response));
  } finally {
    progress.end();
  }
}

async function* watched(source: Source, progress: Progress): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of source.open()) {
    yield chunk;
    sent += chunk.byteLength;
    if (source.bytes > 0) progress.show(Math.min(1, sent / source.bytes));
  }
}

function placed(source: Source, error: ProblemError): ProblemError {
  const place = error.line === undefined ? null : source.placeOf(error.line);
  if (place === null) return error;
  const path = error.path === undefined || error.path === '' ? place : `${place}: ${error.path}`;
  return { path, message: error.message };
}

const signs = { added: '+', changed: '~', removed: '-' } as const;

/** `+` added, `~` changed, `-` removed; then the counts. */
function formatImport(report: ImportReport): string {
  const out: string[] = [];
  for (const { name, change } of report.segments)
    out.push(oneLine(`${signs[change]} segment ${name}`));
  for (const content of report.contents) {
    out.push(`${signs[content.change]} ${content.id}`);
    if (content.change === 'changed') out.push(...formatChange(content));
  }
  if (report.contentsCut) out.push('  … and more');
  const { added, changed, unchanged, removed } = report.counts;
  const counts = `${added} added, ${changed} changed, ${unchanged} unchanged, ${removed} removed`;
  out.push(report.dryRun ? `Would be: ${counts}. Nothing was changed.` : `Done: ${counts}.`);
  return `${out.join('\n')}\n`;
}
