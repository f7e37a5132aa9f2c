/** `loadout segment`: the saved segments of an environment. */

import { Command } from 'commander';
import type {
  SegmentDiff,
  SegmentRevisionSummary,
} from '../../contract/operations/history/segment-history.js';
import type { Segment, SegmentUse } from '../../contract/operations/segments.js';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import { confirmDangerous } from '../client/confirm-dangerous.js';
import { type FindingsOptions, sendConfirmed } from '../client/confirm-findings.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
  withFleetWait,
  withYes,
} from '../client/connection.js';
import { formatNames } from '../client/format-names.js';
import { type FilterOptions, filterRows, withFilter } from '../client/list-filter.js';
import { readAllPages } from '../client/list-pages.js';
import { printWarnings } from '../client/problem.js';
import { addDiffCommand, addHistoryCommand } from '../client/revision-commands.js';
import { rawElements, rawMember } from '../terminal/json-body.js';
import { parseRevision } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';
import { formatSegmentDiff } from './format-segment-diff.js';
import { addSegmentPut, planPut } from './segment-put.js';
import { addSegmentTest } from './segment-test.js';

interface RollBackOptions extends EnvironmentOptions, FindingsOptions {}

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
  // People count from 1; `mapping[0]` of a problem is the first rule.
  { title: 'RULES', text: ({ rules }) => rules.map((rule) => rule + 1).join(', ') },
];

/** A condition may be a list of thousands of ids; `segment show` prints it whole. */
const whenCharsMax = 200;

export function segmentCommand(): Command {
  const command = new Command('segment').description('saved segments of an environment');
  withFilter(withEnvironment(command.command('list')), 'segments')
    .description('list the segments')
    .action(listSegments);
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
  addHistoryCommand<SegmentRevisionSummary>(command, {
    noun: 'segment',
    description: 'list the revisions of a segment, newest first; also of a deleted one',
    list: (client, env, name, limit) =>
      client.request('GET /environments/:env/segments/:name/revisions', {
        params: { env, name },
        query: { limit },
      }),
    columns: [{ title: 'CURRENT', text: ({ current }) => (current ? 'yes' : '') }],
  });
  addDiffCommand<SegmentDiff>(command, {
    noun: 'segment',
    description: 'show what changed between two revisions of a condition',
    from: ['the older one; by default the one before', 1],
    text: 'compare the conditions as they were saved, as a unified diff',
    compare: (client, env, name, query) =>
      client.request('GET /environments/:env/segments/:name/diff', {
        params: { env, name },
        query,
      }),
    format: formatSegmentDiff,
  });
  withYes(withFleetWait(withEnvironment(command.command('rollback <segment>'))))
    .description('save an old condition again, as a new revision; also undoes a deletion')
    .argument('<revision>', 'its number', parseRevision)
    .option('--confirm <digest>', 'change the running experiments that this digest stands for')
    .action(rollBackSegment);
  withYes(withFleetWait(withEnvironment(command.command('delete <segment>'))))
    .description('delete a segment that no mapping uses; its history stays')
    .action(deleteSegment);
  return command;
}

async function listSegments(options: EnvironmentOptions & FilterOptions): Promise<void> {
  const client = openClient(options);
  const pages = await readAllPages((after) =>
    client.request('GET /environments/:env/segments', {
      params: { env: options.env },
      query: { after },
    }),
  );
  // Cut out of the texts: numbers of a condition stay as they are.
  const texts = pages.flatMap(({ text }) => rawElements(rawMember(text, 'segments')));
  const all = pages.flatMap(({ value }) => value.segments).map((segment, at) => ({ segment, at }));
  const shown = filterRows(all, ({ segment }) => segment.name, 'segments', options);
  const text = `{"segments":[${shown.map(({ at }) => texts[at]).join(',')}]}`;
  const segments = shown.map(({ segment }) => segment);
  printResponse(options, { value: segments, text }, () =>
    formatTable(columns, segments, 'No segments.'),
  );
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

async function deleteSegment(name: string, options: EnvironmentOptions): Promise<void> {
  const { env, yes } = options;
  const client = openClient(options);
  const describe = (): string => `This deletes the segment ${name} of ${env}.`;
  await confirmDangerous({ client, env, name, yes, describe });
  const response = await client.request('DELETE /environments/:env/segments/:name', {
    params: { env, name },
  });
  printResponse(options, response, () => `Deleted ${name}.\n`);
}

async function rollBackSegment(name: string, old: number, options: RollBackOptions): Promise<void> {
  const { env, yes } = options;
  const client = openClient(options);
  await confirmDangerous({
    client,
    env,
    name,
    yes,
    describe: () => describeReach(client, env, name, old),
  });
  const response = await sendConfirmed(options, ({ confirm }) =>
    client.request('POST /environments/:env/segments/:name/rollback', {
      params: { env, name },
      body: { revision: old, confirm },
    }),
  );
  printResponse(options, response, ({ value: { revision, reaches } }) => {
    const held = revision === old ? '' : `, with the condition of revision ${old}`;
    return `${name}: revision ${revision} is current${held}. It reaches ${formatNames(reaches)}.\n`;
  });
  printWarnings(response.value.warnings);
}

/** What of the live contents the old condition would change; null: nothing. */
async function describeReach(
  client: AdminClient,
  env: string,
  name: string,
  old: number,
): Promise<string | null> {
  const { text } = await client.request(
    'GET /environments/:env/segments/:name/revisions/:revision',
    {
      params: { env, name, revision: String(old) },
    },
  );
  const plan = await planPut(client, { env, name }, {}, { when: rawMember(text, 'when') });
  const { changed, reaches } = plan.value;
  if (!changed || reaches.length === 0) return null;
  return `This changes ${name}, which reaches what is live: ${formatNames(reaches)}.`;
}
