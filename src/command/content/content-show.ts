/** `loadout content show|list`: shows contents. */

import type { Command } from 'commander';
import type { Content, ContentSummary } from '../../contract/operations/contents.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { readAllPages } from '../client/list-pages.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { rawMember } from '../terminal/json-body.js';
import { parseAppVersion, parseRevision } from '../terminal/parse-option.js';
import { formatBytes } from '../terminal/progress.js';
import { type Column, formatTable } from '../terminal/table.js';

interface ShowOptions extends EnvironmentOptions {
  readonly appVersion?: string;
  readonly revision?: number;
  readonly mapping: boolean;
  readonly flags: boolean;
}

interface ListOptions extends EnvironmentOptions {
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
      'the version line to print, if there are several',
      parseAppVersion,
    )
    .option('--revision <number>', 'an older revision', parseRevision)
    .option('--mapping', 'print the mapping instead', false)
    .option('--flags', 'print the flags instead, a JSON list of JSON Pointers', false)
    .action(showContent);
  withEnvironment(contents.command('list'))
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
  const { env } = options;
  const client = openClient(options);
  const response =
    revision === undefined
      ? await client.request('GET /environments/:env/contents/:id', { params: { env, id } })
      : await client.request('GET /environments/:env/contents/:id/revisions/:revision', {
          params: { env, id, revision: String(revision) },
        });
  printResponse(options, response, ({ value, text }) =>
    shared === null ? lineText(value, appVersion) : `${rawMember(text, shared)}\n`,
  );
}

/** Of several version lines, one must be named: a text that is edited and put back must replace the same line. */
function lineText(
  { id, lines }: Pick<Content, 'id' | 'lines'>,
  version: string | undefined,
): string {
  const versions = lines.map((line) => line.appVersion).join(', ');
  const matching =
    version === undefined ? lines : lines.filter((line) => line.appVersion === version);
  const [line, another] = matching;
  if (line === undefined)
    throw new CommandFailure(`${id} has no version line ${version}, only ${versions}.`);
  if (another === undefined) return line.text;
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
  const contents = pages.flatMap(({ value }) => value.contents);
  const value = { contents, next: null };
  printResponse(options, { value, text: JSON.stringify(value) }, () =>
    deleted
      ? formatTable(deletedColumns, contents, 'No deleted contents.')
      : formatTable(contentColumns, contents, 'No contents.'),
  );
}
