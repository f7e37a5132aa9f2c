/** `loadout segment`: the saved segments of an environment. */

import { Command } from 'commander';
import type { Segment, SegmentUse } from '../../contract/operations/segments.js';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import { confirmDangerous } from '../client/confirm-dangerous.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
  withFleetWait,
  withYes,
} from '../client/connection.js';
import { CommandFailure } from '../terminal/failure.js';
import { rawMember } from '../terminal/json-body.js';
import { listPagesMax } from '../terminal/limits.js';
import { print, printLine } from '../terminal/output.js';
import { parseRevision } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';
import { addSegmentDiff } from './segment-diff.js';
import { addSegmentHistory } from './segment-history.js';
import { addSegmentPut } from './segment-put.js';
import { addSegmentRollback } from './segment-rollback.js';
import { addSegmentTest } from './segment-test.js';

interface DeleteOptions extends EnvironmentOptions {
  readonly yes: boolean;
}

interface ShowOptions extends EnvironmentOptions {
  readonly revision?: number;
}

const columns: readonly Column<Segment>[] = [
  { title: 'SEGMENT', text: (segment) => segment.name },
  { title: 'WHEN', text: (segment) => shorten(JSON.stringify(segment.when)) },
  { title: 'USED BY', text: (segment) => segment.usedBy.join(', ') },
  { title: 'DESCRIPTION', text: (segment) => segment.description },
];

const useColumns: readonly Column<SegmentUse>[] = [
  { title: 'CONTENT', text: ({ content }) => content },
  { title: 'REVISION', text: ({ revision }) => String(revision) },
  { title: 'LIVE', text: ({ live }) => (live ? 'yes' : 'no') },
  // People count from 1; `mapping[0]` of a refusal is the first rule.
  { title: 'RULES', text: ({ rules }) => rules.map((rule) => rule + 1).join(', ') },
];

/** A condition may be a list of thousands of ids; `segment show` prints it whole. */
const whenCharsMax = 200;

export function segmentCommand(): Command {
  const command = new Command('segment').description('saved segments of an environment');
  withEnvironment(command.command('list')).description('list the segments').action(listSegments);
  withEnvironment(command.command('show <segment>'))
    .alias('get')
    .description('print the condition of a segment')
    .option('--revision <number>', 'an older revision', parseRevision)
    .action(showSegment);
  withEnvironment(command.command('usage <segment>'))
    .description('list the contents whose mappings use a segment, and their rules')
    .action(showUsage);
  addSegmentPut(command);
  addSegmentTest(command);
  addSegmentHistory(command);
  addSegmentDiff(command);
  addSegmentRollback(command);
  withYes(withFleetWait(withEnvironment(command.command('delete <segment>'))))
    .description('delete a segment that no mapping uses; its history stays')
    .action(deleteSegment);
  return command;
}

async function listSegments(options: EnvironmentOptions): Promise<void> {
  const client = openClient(options);
  const segments: Segment[] = [];
  const texts: string[] = [];
  let after = '';
  for (let page = 0; page < listPagesMax; page++) {
    const { value, text } = await readPage(client, options.env, after);
    segments.push(...value.segments);
    texts.push(rawMember(text, 'segments').slice(1, -1));
    if (value.next === null) {
      const list = texts.filter((part) => part !== '').join(',');
      if (options.json) printLine(`{"segments":[${list}]}`);
      else print(formatTable(columns, segments, 'No segments.'));
      return;
    }
    after = value.next;
  }
  throw new CommandFailure(`The list has more than ${listPagesMax} pages.`);
}

function readPage(client: AdminClient, env: string, after: string) {
  return client.request('GET /environments/:env/segments', {
    params: { env },
    query: { after: after === '' ? undefined : after },
  });
}

function shorten(text: string): string {
  return text.length <= whenCharsMax ? text : `${text.slice(0, whenCharsMax)}…`;
}

async function showSegment(name: string, options: ShowOptions): Promise<void> {
  const { env, revision } = options;
  const client = openClient(options);
  const response: ClientResponse<unknown> =
    revision === undefined
      ? await client.request('GET /environments/:env/segments/:name', { params: { env, name } })
      : await client.request('GET /environments/:env/segments/:name/revisions/:revision', {
          params: { env, name, revision: String(revision) },
        });
  printResponse(options, response, ({ text }) => `${rawMember(text, 'when')}\n`);
}

async function showUsage(name: string, options: EnvironmentOptions): Promise<void> {
  const response = await openClient(options).request('GET /environments/:env/segments/:name', {
    params: { env: options.env, name },
  });
  printResponse(options, response, ({ value }) =>
    formatTable(useColumns, value.uses, 'No content uses it.'),
  );
}

async function deleteSegment(name: string, options: DeleteOptions): Promise<void> {
  const { env, yes } = options;
  const client = openClient(options);
  const describe = (): string => `This deletes the segment ${name} of ${env}.`;
  await confirmDangerous({ client, env, name, yes, describe });
  const response = await client.request('DELETE /environments/:env/segments/:name', {
    params: { env, name },
  });
  printResponse(options, response, () => `Deleted ${name}.\n`);
}
