/** `loadout import`: brings a file or folder into an environment, all of it or nothing. */

import { createReadStream, statSync } from 'node:fs';
import { Command, Option } from 'commander';
import type { ImportReport } from '../../contract/operations/transfer.js';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import { findEnvironment, wordFor } from '../client/confirm-dangerous.js';
import { type FindingsOptions, sendConfirmed, withFindings } from '../client/confirm-findings.js';
import {
  type EnvironmentOptions,
  environmentOf,
  openClient,
  printResponse,
  withFleetWait,
  withOptionalEnvironment,
} from '../client/connection.js';
import { formatChange } from '../client/format-change.js';
import { type ProblemError, printWarnings } from '../client/problem.js';
import { vendors } from '../importers/vendors.js';
import { confirm } from '../terminal/confirm.js';
import { misuse, unreadable } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { oneLine, print, printLine, printNote } from '../terminal/output.js';
import { Progress, showProgress } from '../terminal/progress.js';
import { standardInput } from '../terminal/text-file.js';
import { convertExport, type VendorOptions } from './convert-export.js';
import { ImportFolder } from './import-folder.js';

interface ImportOptions extends EnvironmentOptions, FindingsOptions {
  readonly dir?: string;
  readonly mode: 'merge' | 'replace';
  readonly dryRun: boolean;
}

/** As given: an export of another vendor can be looked at without an environment. */
interface GivenOptions extends Omit<ImportOptions, 'env'>, VendorOptions {
  readonly env?: string;
}

/** What is imported; a file can be read twice, standard input cannot. */
export interface Source {
  readonly name: string;
  readonly bytes: number;
  readonly once: boolean;
  readonly open: () => AsyncIterable<Uint8Array>;
  /** The file behind a line, where it says more than the line's number. */
  readonly placeOf: (line: number) => string | null;
}

export function importCommand(): Command {
  return withFindings(withFleetWait(withOptionalEnvironment(new Command('import'))))
    .description('import an exported file or folder into an environment, all of it or nothing')
    .argument(
      '[file]',
      'what `loadout export`, or with --from another service, wrote; - reads standard input',
    )
    .option('--dir <folder>', 'import a folder of files instead')
    .addOption(
      new Option('--from <vendor>', "convert another service's export first").choices(
        Object.keys(vendors),
      ),
    )
    .option('--to-dir <folder>', 'with --from: write a folder for Git instead of importing')
    .option('--allow-left-out', 'with --from: go on without what cannot be carried over', false)
    .option('--as <content>', 'with --from: id of the content for what is in no group or project')
    .option('--from-env <key>', 'with --from: environment of the export, where it has several')
    .addOption(
      new Option('--mode <mode>', 'merge keeps what the file does not have; replace removes it')
        .choices(['merge', 'replace'])
        .default('merge'),
    )
    .option('--dry-run', 'show what would change, but change nothing', false)
    .option('--yes', 'do not ask for confirmation', false)
    .addHelpText(
      'after',
      '\nShows the changes and asks for confirmation, then makes exactly these changes or none. A protected environment is\nconfirmed by typing its name. Contents that equal the file get no new revision.\n--from first reports what of the export is carried over exactly, nearly, or not at all. Where something would be left out,\nit stops there with exit code 3, unless --allow-left-out is given. --dry-run without --env needs no server.',
    )
    .action(importGiven);
}

async function importGiven(file: string | undefined, options: GivenOptions): Promise<void> {
  if (options.from === undefined) {
    for (const name of ['toDir', 'as', 'fromEnv'] as const) {
      if (options[name] !== undefined) throw misuse(`${flagOf(name)} needs --from.`);
    }
    const source = openSource(file, options);
    const env = environmentOf(options);
    await importSource(source, { ...options, env }, (response) => {
      printResponse(options, response, ({ value }) => formatImport(value));
      printWarnings(response.value.warnings);
    });
    return;
  }
  if (file === undefined || options.dir !== undefined) throw misuse('--from needs a file.');
  if (!options.dryRun && options.toDir === undefined) environmentOf(options);
  const converted = await convertExport(file, options.from, options);
  if (converted === null) return;
  const env = environmentOf(options);
  await importSource(converted.source, { ...options, env }, (response) => {
    if (options.json) printLine(converted.json(response.value));
    else print(formatImport(response.value));
    printWarnings(response.value.warnings);
    if (!response.value.dryRun) printNote(converted.nextStep(env));
  });
}

function flagOf(name: 'toDir' | 'as' | 'fromEnv'): string {
  return { toDir: '--to-dir', as: '--as', fromEnv: '--from-env' }[name];
}

type Show = (response: ClientResponse<ImportReport>) => void;

async function importSource(source: Source, options: ImportOptions, show: Show): Promise<void> {
  const client = openClient(options);
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

function openSource(file: string | undefined, { dir }: GivenOptions): Source {
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
