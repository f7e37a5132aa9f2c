/** What `content history` and `segment history` share: the options, the request and most columns. */

import type { Command } from 'commander';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { revisionsShownDefault, revisionsShownMax } from '../terminal/limits.js';
import { wholeNumber } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';

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

export interface HistoryCommand<Revision> {
  readonly noun: 'content' | 'segment';
  readonly description: string;
  readonly list: (
    client: AdminClient,
    env: string,
    name: string,
    limit: number,
  ) => Promise<ClientResponse<{ readonly revisions: readonly Revision[] }>>;
  /** Stand between the number of the revision and when it was saved. */
  readonly columns: readonly Column<Revision>[];
}

/** Adds `history` (alias `revisions`) to the commands of a noun. */
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
      'how many at most',
      wholeNumber(1, revisionsShownMax),
      revisionsShownDefault,
    )
    .action(async (name: string, options: HistoryOptions) => {
      const response = await list(openClient(options), options.env, name, options.limit);
      printResponse(options, response, ({ value }) =>
        formatTable(allColumns, value.revisions, 'No revisions.'),
      );
    });
}
