/** `history` and `diff` of contents and segments: options, request and output. */

import type { Command } from 'commander';
import { revisionsShownDefault, revisionsShownMax } from '../terminal/limits.js';
import { parseRevision, wholeNumber } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';
import type { AdminClient, ClientResponse } from './admin-client.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from './connection.js';
import { noteMore } from './list-filter.js';

interface HistoryOptions extends EnvironmentOptions {
  readonly limit: number;
}

interface SavedRevision {
  readonly revision: number;
  readonly author: string;
  readonly note: string;
  readonly createdAt: string;
  readonly synced: { readonly from: string; readonly revision: number } | null;
}

interface HistoryCommand<Revision> {
  readonly noun: 'content' | 'segment';
  readonly description: string;
  readonly list: (
    client: AdminClient,
    env: string,
    name: string,
    limit: number,
  ) => Promise<ClientResponse<{ readonly revisions: readonly Revision[] }>>;
  /** Between the number of the revision and the time it was saved. */
  readonly columns: readonly Column<Revision>[];
}

/** Adds `history` (alias `revisions`). */
export function addHistoryCommand<Revision extends SavedRevision>(
  commands: Command,
  { noun, description, list, columns }: HistoryCommand<Revision>,
): void {
  const allColumns: readonly Column<Revision>[] = [
    { title: 'REVISION', text: ({ revision }) => String(revision) },
    ...columns,
    { title: 'SAVED', text: ({ createdAt }) => createdAt },
    { title: 'BY', text: ({ author }) => author },
    {
      title: 'FROM',
      text: ({ synced }) => (synced === null ? '' : `${synced.from} ${synced.revision}`),
    },
    { title: 'NOTE', text: ({ note }) => note },
  ];
  withEnvironment(commands.command(`history <${noun}>`))
    .alias('revisions')
    .description(description)
    .option(
      '--limit <count>',
      'maximum number of revisions',
      wholeNumber(1, revisionsShownMax),
      revisionsShownDefault,
    )
    .action(async (name: string, options: HistoryOptions) => {
      const { env, limit, json } = options;
      // One more than is shown says whether there are more.
      const asked = json || limit === revisionsShownMax ? limit : limit + 1;
      const response = await list(openClient(options), env, name, asked);
      printResponse(options, response, ({ value }) =>
        formatTable(allColumns, value.revisions.slice(0, limit), 'No revisions.'),
      );
      if (!json && response.value.revisions.length > limit) noteMore('revisions');
    });
}

interface DiffOptions extends EnvironmentOptions {
  readonly from?: number;
  readonly to?: number;
  readonly text: boolean;
}

interface DiffCommand<Diff> {
  readonly noun: 'content' | 'segment';
  readonly description: string;
  /** Help of `--from`, and its lowest number. */
  readonly from: readonly [help: string, lowest: 0 | 1];
  /** Help of `--text`. */
  readonly text: string;
  readonly compare: (
    client: AdminClient,
    env: string,
    name: string,
    query: { readonly from: number | undefined; readonly to: number | undefined },
  ) => Promise<ClientResponse<Diff>>;
  /** @param withText a unified diff of the texts in place of JSON pointers */
  readonly format: (diff: Diff, withText: boolean) => string;
}

/** Adds `diff`, which compares two revisions. */
export function addDiffCommand<Diff>(
  commands: Command,
  { noun, description, from: [fromHelp, lowest], text, compare, format }: DiffCommand<Diff>,
): void {
  withEnvironment(commands.command(`diff <${noun}>`))
    .description(description)
    .option('--from <revision>', fromHelp, wholeNumber(lowest, Number.MAX_SAFE_INTEGER))
    .option('--to <revision>', 'the newer one; by default the newest', parseRevision)
    .option('--text', text, false)
    .action(async (name: string, options: DiffOptions) => {
      const { env, from, to } = options;
      const response = await compare(openClient(options), env, name, { from, to });
      printResponse(options, response, ({ value }) => format(value, options.text));
    });
}
