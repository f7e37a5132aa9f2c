/** `loadout content get|list|revisions`: shows contents and their history. */

import type { Command } from 'commander';
import { type Answer, adminPath } from './admin-client.js';
import type {
  ContentAnswer,
  ContentListAnswer,
  ContentSummary,
  RevisionSummary,
  RevisionsAnswer,
} from './answers.js';
import { type EnvironmentOptions, openClient, printAnswer, withEnvironment } from './connection.js';
import { CommandFailure, misuse } from './failure.js';
import { rawMember } from './json-body.js';
import { listPagesMax, revisionsShownDefault, revisionsShownMax } from './limits.js';
import { parseAppVersion, parseRevision, wholeNumber } from './parse-option.js';
import { formatBytes } from './progress.js';
import { type Column, formatTable } from './table.js';

interface GetOptions extends EnvironmentOptions {
  readonly appVersion?: string;
  readonly revision?: number;
  readonly mapping: boolean;
}

interface RevisionsOptions extends EnvironmentOptions {
  readonly limit: number;
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

const revisionColumns: readonly Column<RevisionSummary>[] = [
  { title: 'REVISION', text: (revision) => String(revision.revision) },
  { title: 'LIVE', text: (revision) => (revision.live ? 'yes' : '') },
  { title: 'HASH', text: (revision) => revision.hash },
  { title: 'SAVED', text: (revision) => revision.createdAt },
  { title: 'BY', text: (revision) => revision.author },
  { title: 'NOTE', text: (revision) => revision.note },
];

export function addContentViews(contents: Command): void {
  withEnvironment(contents.command('get <content>'))
    .description('print the newest text, exactly as it was saved')
    .option('--app-version <version>', 'which line, where there are several', parseAppVersion)
    .option('--revision <number>', 'an older revision', parseRevision)
    .option('--mapping', 'print the mapping instead', false)
    .action(getContent);
  withEnvironment(contents.command('list')).description('list the contents').action(listContents);
  withEnvironment(contents.command('revisions <content>'))
    .description('list what was saved, newest first')
    .option(
      '--limit <count>',
      'how many at most',
      wholeNumber(1, revisionsShownMax),
      revisionsShownDefault,
    )
    .action(listRevisions);
}

async function getContent(id: string, options: GetOptions): Promise<void> {
  const { appVersion, revision } = options;
  if (options.mapping && appVersion !== undefined) {
    throw misuse('All lines share one mapping: --mapping and --app-version exclude each other.');
  }
  const parts = revision === undefined ? [] : ['revisions', String(revision)];
  const path = adminPath('environments', options.env, 'contents', id, ...parts);
  const answer = await openClient(options).call<ContentAnswer>('GET', path);
  printAnswer(options, answer, ({ value, text }) =>
    options.mapping ? `${rawMember(text, 'mapping')}\n` : lineText(value, appVersion),
  );
}

/** Picks no line by itself where there are several: what is edited and put back must meet the same one. */
function lineText({ id, lines }: ContentAnswer, version: string | undefined): string {
  const versions = lines.map((line) => line.appVersion).join(', ');
  const matching =
    version === undefined ? lines : lines.filter((line) => line.appVersion === version);
  const [line, another] = matching;
  if (line === undefined)
    throw new CommandFailure(`${id} has no line ${version}, but ${versions}.`);
  if (another === undefined) return line.text;
  throw new CommandFailure(`${id} has the lines ${versions}: name one with --app-version.`);
}

async function listContents(options: EnvironmentOptions): Promise<void> {
  const client = openClient(options);
  const path = adminPath('environments', options.env, 'contents');
  const contents: ContentSummary[] = [];
  let after: string | null = '';
  for (let page = 0; after !== null && page < listPagesMax; page += 1) {
    const query: string = after === '' ? '' : `?after=${encodeURIComponent(after)}`;
    const { value }: Answer<ContentListAnswer> = await client.call('GET', path + query);
    contents.push(...value.contents);
    after = value.next;
  }
  const value = { contents, next: after };
  printAnswer(options, { value, text: JSON.stringify(value) }, () =>
    formatTable(contentColumns, contents, 'No contents.'),
  );
}

async function listRevisions(id: string, options: RevisionsOptions): Promise<void> {
  const path = adminPath('environments', options.env, 'contents', id, 'revisions');
  const client = openClient(options);
  const answer = await client.call<RevisionsAnswer>('GET', `${path}?limit=${options.limit}`);
  printAnswer(options, answer, ({ value }) =>
    formatTable(revisionColumns, value.revisions, 'No revisions.'),
  );
}
