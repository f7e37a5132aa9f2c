/** `loadout content show|list`: shows contents. */

import type { Command } from 'commander';
import { JsonText } from '../../contract/client.js';
import type { Content, ContentSummary } from '../../contract/operations/contents.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { type FilterOptions, filterRows, withFilter } from '../client/list-filter.js';
import { readAllPages } from '../client/list-pages.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { jsonBody, rawMember, strictJson } from '../terminal/json-body.js';
import { parseAppVersion, parseRevision } from '../terminal/parse-option.js';
import { formatBytes } from '../terminal/progress.js';
import { type Column, formatTable } from '../terminal/table.js';

interface ShowOptions extends EnvironmentOptions {
  readonly appVersion?: string;
  readonly revision?: number;
  readonly mapping: boolean;
  readonly flags: boolean;
  readonly delivered: boolean;
  readonly user?: string;
  readonly attributes?: string;
}

interface ListOptions extends EnvironmentOptions, FilterOptions {
  readonly deleted: boolean;
}

const contentColumns: readonly Column<ContentSummary>[] = [
  { title: 'CONTENT', text: (content) => content.id },
  { title: 'LIVE', text: (content) => (content.live === null ? '-' : String(content.live)) },
  { title: 'NEWEST', text: (content) => String(content.newest) },
  { title: 'HASH', text: (content) => content.hash },
  { title: 'LINES', text: (content) => String(content.lines) },
  { title: 'MAPPING', text: (content) => (content.dynamic ? 'yes' : 'no') },
  { title: 'SIZE', text: (content) => formatBytes(content.jsonBytes) },
  { title: 'TAGS', text: (content) => content.tags.join(', ') },
];

const deletedColumns: readonly Column<ContentSummary>[] = [
  { title: 'CONTENT', text: (content) => content.id },
  { title: 'NEWEST', text: (content) => String(content.newest) },
  { title: 'HASH', text: (content) => content.hash },
  { title: 'DELETED', text: (content) => content.deletedAt ?? '' },
  { title: 'TAGS', text: (content) => content.tags.join(', ') },
];

export function addContentViews(contents: Command): void {
  withEnvironment(contents.command('show <content>'))
    .alias('get')
    .description('print the newest text, exactly as it was saved')
    .option(
      '--app-version <version>',
      'the version line to print, if there are several; with --delivered the version of the app',
      parseAppVersion,
    )
    .option('--revision <number>', 'an older revision', parseRevision)
    .option('--mapping', 'print the mapping instead', false)
    .option('--flags', 'print the flags instead, a JSON list of JSON Pointers', false)
    .option('--delivered', 'print what a player is given, byte for byte, instead', false)
    .option('-u, --user <id>', 'with --delivered: user id of the player')
    .option('-p, --attributes <json>', 'with --delivered: attributes of the player, a JSON object')
    .action(showContent);
  withFilter(withEnvironment(contents.command('list')), 'contents')
    .description('list the contents')
    .option('--deleted', 'list deleted contents instead, which `restore` restores', false)
    .action(listContents);
}

async function showContent(id: string, options: ShowOptions): Promise<void> {
  const { appVersion, revision } = options;
  const shared = options.mapping ? 'mapping' : options.flags ? 'flags' : null;
  if (options.mapping && options.flags) throw misuse('Give --mapping or --flags, not both.');
  if (shared !== null && appVersion !== undefined) {
    const one = shared === 'mapping' ? 'one mapping' : 'the same flags';
    throw misuse(
      `All version lines share ${one}: --${shared} and --app-version exclude each other.`,
    );
  }
  if (!options.delivered && (options.user ?? options.attributes) !== undefined) {
    throw misuse('--user and --attributes need --delivered.');
  }
  if (options.delivered) {
    if (shared !== null) throw misuse(`--delivered and --${shared} exclude each other.`);
    return showDelivered(id, options);
  }
  const { env } = options;
  const client = openClient(options);
  const response =
    revision === undefined
      ? await client.request('GET /environments/:env/contents/:id', { params: { env, id } })
      : await client.request('GET /environments/:env/contents/:id/revisions/:revision', {
          params: { env, id, revision: String(revision) },
        });
  printResponse(options, response, ({ value, text }) =>
    shared === null ? lineOf(value, appVersion).text : `${rawMember(text, shared)}\n`,
  );
}

/**
 * What a player is given: the bytes of delivery.
 * @throws CommandFailure when delivery has nothing for them
 */
async function showDelivered(id: string, options: ShowOptions): Promise<void> {
  const { env, user: u = '', attributes = '{}', appVersion: v, revision } = options;
  const body = jsonBody({ id, u, v, revision }, { p: strictJson(attributes, '--attributes') });
  const response = await openClient(options).request('POST /environments/:env/evaluate', {
    params: { env },
    body: new JsonText(body),
  });
  const { line, lineReason } = response.value;
  if (line === null) throw new CommandFailure(`Delivery responds with 404 to ${id}: ${lineReason}`);
  // Nothing is added to the bytes, except that a prompt does not follow on the same line.
  const end = io().stdout.isTTY === true ? '\n' : '';
  printResponse(options, response, ({ text }) => rawMember(text, 'answer') + end);
}

/** Of several version lines, one must be named: a text that is edited and put back must replace the same line. */
export function lineOf(
  { id, lines }: Pick<Content, 'id' | 'lines'>,
  version: string | undefined,
): Content['lines'][number] {
  const versions = lines.map((line) => line.appVersion).join(', ');
  const matching =
    version === undefined ? lines : lines.filter((line) => line.appVersion === version);
  const [line, another] = matching;
  if (line === undefined)
    throw new CommandFailure(`${id} has no version line ${version}, only ${versions}.`);
  if (another === undefined) return line;
  throw new CommandFailure(`${id} has the version lines ${versions}: name one with --app-version.`);
}

async function listContents(options: ListOptions): Promise<void> {
  const client = openClient(options);
  const { env, deleted } = options;
  const pages = await readAllPages((after) =>
    client.request('GET /environments/:env/contents', {
      params: { env },
      query: { after, deleted },
    }),
  );
  const all = pages.flatMap(({ value }) => value.contents);
  const contents = filterRows(all, ({ id }) => id, 'contents', options);
  const value = { contents, next: null };
  printResponse(options, { value, text: JSON.stringify(value) }, () =>
    deleted
      ? formatTable(deletedColumns, contents, 'No deleted contents.')
      : formatTable(contentColumns, contents, 'No contents.'),
  );
}
