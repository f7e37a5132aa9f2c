/** `loadout content put`: sends a text, byte for byte, and says what became of it. */

import type { Command } from 'commander';
import { adminPath } from './admin-client.js';
import type { SavedAnswer } from './answers.js';
import { type EnvironmentOptions, openClient, withEnvironment } from './connection.js';
import { misuse } from './failure.js';
import { jsonBody, strictJson } from './json-body.js';
import { printNote } from './output.js';
import { collect, parseAppVersion, wholeNumber } from './parse-option.js';
import { printSaved } from './saved-content.js';
import { readText, standardInput } from './text-file.js';

interface PutOptions extends EnvironmentOptions {
  readonly appVersion?: string;
  /** false: --no-mapping. */
  readonly mapping?: string | false;
  readonly note?: string;
  readonly draft: boolean;
  readonly ifRevision?: number;
  readonly description?: string;
  readonly tag?: readonly string[];
}

export function addContentPut(contents: Command): void {
  withEnvironment(contents.command('put <content>'))
    .description('save a text, a mapping or what is said about a content, and publish it')
    .argument('[file]', 'the text, JSON with comments; - reads standard input')
    .option(
      '--app-version <version>',
      'line that the text is for; 0.0.0 without it',
      parseAppVersion,
    )
    .option('--mapping <file>', 'dynamic mapping, JSON with comments; - reads standard input')
    .option('--no-mapping', 'remove the mapping')
    .option('--note <text>', 'why, for the history')
    .option('--draft', 'save without publishing', false)
    .option(
      '--if-revision <number>',
      'refuse when the newest revision is another one',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--description <text>', 'what the content is for')
    .option('--tag <tag>', "a tag; repeat it for more, or give '' for none", collect)
    .action(putContent);
}

async function putContent(
  id: string,
  file: string | undefined,
  options: PutOptions,
): Promise<void> {
  const path = adminPath('environments', options.env, 'contents', id);
  const source = textSource(file, options);
  const text = source === null ? undefined : await readText(source);
  const mapping = await readMapping(options.mapping);
  const body = jsonBody(
    {
      text,
      appVersion: options.appVersion,
      description: options.description,
      tags: options.tag?.filter((tag) => tag !== ''),
      note: options.note,
      publish: options.draft ? false : undefined,
      ifRevision: options.ifRevision,
    },
    { mapping },
  );
  printSaved(options, await openClient(options).call<SavedAnswer>('PUT', path, body));
  if (source === null) printNote('The text stays as it is; - reads one from standard input.');
}

/** Where the text comes from; null when only something else about the content changes. */
function textSource(file: string | undefined, options: PutOptions): string | null {
  const { mapping, description, tag } = options;
  if (file === undefined && (mapping ?? description ?? tag) !== undefined) {
    if (options.appVersion !== undefined) throw misuse('--app-version needs a text: name a file.');
    return null;
  }
  const source = file ?? standardInput;
  if (source === standardInput && mapping === standardInput) {
    throw misuse('Standard input holds one text: name a file for the content or for the mapping.');
  }
  return source;
}

/** The mapping's JSON text; undefined leaves the one there is. */
async function readMapping(mapping: string | false | undefined): Promise<string | undefined> {
  if (mapping === undefined) return undefined;
  if (mapping === false) return '[]';
  return strictJson(await readText(mapping), mapping);
}
