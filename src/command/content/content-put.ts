/** `loadout content put`: saves a text, byte for byte; with `--watch` each time it is edited. */

import { type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { JsonText } from '../../contract/client.js';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import {
  type FindingsOptions,
  sendConfirmed,
  withFindingsAndYes,
} from '../client/confirm-findings.js';
import {
  type EnvironmentOptions,
  openClient,
  withEnvironment,
  withFleetWait,
} from '../client/connection.js';
import { misuse } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { jsonBody, strictJson } from '../terminal/json-body.js';
import { printNote } from '../terminal/output.js';
import { collect, parseAppVersion, parseRelease, wholeNumber } from '../terminal/parse-option.js';
import { readText, standardInput } from '../terminal/text-file.js';
import { printSaved, type SavedOrPlanned } from './saved-content.js';
import { watchPut } from './watch-put.js';

/** Also of `content edit`. */
export interface PutOptions extends EnvironmentOptions, FindingsOptions {
  readonly appVersion?: string;
  /** false: --no-mapping. */
  readonly mapping?: string | false;
  /** false: --no-flags. */
  readonly flags?: string | false;
  /** false: --no-schema. */
  readonly schema?: string | false;
  readonly note?: string;
  readonly draft: boolean;
  readonly dryRun: boolean;
  readonly addToRelease?: number;
  readonly watch: boolean;
  readonly ifRevision?: number;
  readonly description?: string;
  readonly tag?: readonly string[];
}

const jsonFile = /\.jsonc?$/i;

export function addContentPut(contents: Command): void {
  withFindingsAndYes(withFleetWait(withEnvironment(contents.command('put <content>'))))
    .description(
      'save a text, mapping, flags, schema, description or tags of a content, and publish',
    )
    .argument('[file]', 'the text, JSON with comments; - reads standard input')
    .option(
      '--app-version <version>',
      'version line of the text; 0.0.0 by default',
      parseAppVersion,
    )
    .option('--mapping <file>', 'mapping, JSON with comments; - reads standard input')
    .option('--no-mapping', 'remove the mapping')
    .option('--flags <file>', 'JSON list of JSON Pointers to the values that OFREP lists as flags')
    .option('--no-flags', 'remove the flags')
    .option('--schema <file>', 'JSON Schema (draft 2020-12) of what the content delivers')
    .option('--no-schema', 'remove the schema')
    .option('--note <text>', 'reason for the change, kept in the history')
    .option('--draft', 'save without publishing', false)
    .option(
      '--add-to-release <number>',
      'save without publishing, and add the revision to this release',
      parseRelease,
    )
    .option('--dry-run', 'validate everything, save nothing', false)
    .option('--watch', 'save the files each time they are edited, until Ctrl-C', false)
    .option(
      '--if-revision <number>',
      'fail if another revision is the newest one',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--description <text>', 'what the content is for')
    .option('--tag <tag>', "a tag; repeatable, '' for none", collect)
    .allowExcessArguments()
    .action(putContent);
}

async function putContent(
  id: string,
  file: string | undefined,
  options: PutOptions,
  command: Command,
): Promise<void> {
  rejectOtherFiles(id, file, command.args.length);
  const source = textSource(file, options);
  const client = openClient(options);
  if (options.watch) {
    const files = [source, options.mapping, options.flags, options.schema].filter(isFile);
    if (files.length === 0 || files.includes(standardInput)) {
      throw misuse('--watch needs files to watch, not standard input.');
    }
    const put = (ifRevision: number | undefined) =>
      sendContent(client, id, source, {
        ...options,
        ...(ifRevision === undefined ? {} : { ifRevision }),
      });
    await watchPut(files, options.dryRun, put, (response) => printSaved(options, response));
    return;
  }
  printSaved(options, await sendContent(client, id, source, options));
  if (source === null) printNote('The text is unchanged; - reads one from standard input.');
}

/** Reads the files again each time. */
export async function sendContent(
  client: AdminClient,
  id: string,
  source: string | null,
  options: PutOptions,
): Promise<ClientResponse<SavedOrPlanned>> {
  const text = source === null ? undefined : await readText(source);
  const mapping = await readJson(options.mapping, '[]');
  const flags = await readJson(options.flags, '[]');
  const schema = await readJson(options.schema, 'null');
  const bodyWith = (confirm: string | undefined): string =>
    jsonBody(
      {
        text,
        appVersion: options.appVersion,
        description: options.description,
        tags: options.tag?.filter((tag) => tag !== ''),
        note: options.note,
        publish: options.draft || options.addToRelease !== undefined ? false : undefined,
        dryRun: options.dryRun ? true : undefined,
        ifRevision: options.ifRevision,
        confirm,
      },
      { mapping, flags, schema },
    );
  const response = await sendConfirmed<SavedOrPlanned>(options, ({ confirm, query }) =>
    client.request('PUT /environments/:env/contents/:id', {
      params: { env: options.env, id },
      query,
      body: new JsonText(bodyWith(confirm)),
    }),
  );
  if (!options.dryRun) await addToRelease(options, response.value);
  return response;
}

async function addToRelease(options: PutOptions, { id, revision }: SavedOrPlanned): Promise<void> {
  const { env, addToRelease: number } = options;
  if (number === undefined) return;
  // Nothing is published, so there is no fleet to wait for.
  const client = openClient({ ...options, waitFleet: false });
  await client.request('POST /environments/:env/releases/:release/changes', {
    params: { env, release: String(number) },
    body: { put: [{ kind: 'content', id, revision }] },
  });
  printNote(`Revision ${revision} of ${id} is in release ${number} of ${env}.`);
}

/**
 * `content put shop.json levels.json` would save one file under the name of the other.
 * @throws CommandFailure when files or folders were given where one content item is saved
 */
function rejectOtherFiles(id: string, file: string | undefined, count: number): void {
  const isFolder = file !== undefined && statOf(file)?.isDirectory() === true;
  const named = statOf(id);
  const namesFile = named?.isFile() === true && jsonFile.test(id);
  const isTyped = file === undefined && io().stdin.isTTY === true;
  const waits = isTyped && (namesFile || named?.isDirectory() === true);
  const isOther = file !== undefined && file !== standardInput && basename(file) !== basename(id);
  if (count <= 2 && !isFolder && !waits && !(namesFile && isOther)) return;
  const here = namesFile ? 'a file' : 'a folder';
  const why = isFolder ? `${file} is a folder.` : count > 2 ? '' : `${id} is ${here} here.`;
  throw misuse(
    `${why} \`content put\` saves one content item: give its id, then one file. \`loadout import --dir FOLDER\` saves all files of a folder, each under its name.`.trim(),
  );
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** The source of the text; null when the text does not change. */
function textSource(file: string | undefined, options: PutOptions): string | null {
  const { mapping, flags, schema, description, tag } = options;
  const hasOther = (mapping ?? flags ?? schema ?? description ?? tag) !== undefined;
  const source = file ?? (hasOther ? null : standardInput);
  if (source === null && options.appVersion !== undefined) {
    throw misuse('--app-version needs a text: name a file.');
  }
  const fromInput = [source, mapping, flags, schema].filter((name) => name === standardInput);
  if (fromInput.length > 1) throw tooMuchFromInput();
  return source;
}

function tooMuchFromInput(): Error {
  return misuse(
    'Standard input holds one text: name files for the others (content, mapping, flags, schema).',
  );
}

/**
 * JSON text as it was written, comments aside; undefined leaves what there is.
 * @param removed what is sent to remove it
 */
async function readJson(
  file: string | false | undefined,
  removed: string,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return file === false ? removed : strictJson(await readText(file), file);
}

function isFile(name: string | false | null | undefined): name is string {
  return typeof name === 'string';
}
