/** `loadout segment`: the saved segments of an environment. */

import { Command } from 'commander';
import { adminPath } from './admin-client.js';
import type { SegmentAnswer, SegmentSavedAnswer, SegmentsAnswer } from './answers.js';
import { type EnvironmentOptions, openClient, printAnswer, withEnvironment } from './connection.js';
import { misuse } from './failure.js';
import { jsonBody, rawMember, strictJson } from './json-body.js';
import { printWarnings } from './saved-content.js';
import { type Column, formatTable } from './table.js';
import { readText, standardInput } from './text-file.js';

interface PutOptions extends EnvironmentOptions {
  readonly when?: string;
  readonly description?: string;
}

const columns: readonly Column<SegmentAnswer>[] = [
  { title: 'SEGMENT', text: (segment) => segment.name },
  { title: 'WHEN', text: (segment) => JSON.stringify(segment.when) },
  { title: 'USED BY', text: (segment) => segment.usedBy.join(', ') },
  { title: 'DESCRIPTION', text: (segment) => segment.description },
];

export function segmentCommand(): Command {
  const command = new Command('segment').description('saved segments of an environment');
  withEnvironment(command.command('put <segment> [file]'))
    .description('create or change a segment; its condition comes from a file, - or --when')
    .option('--when <condition>', 'the condition itself, as JSON')
    .option('--description <text>', 'what the segment is for')
    .action(putSegment);
  withEnvironment(command.command('list')).description('list the segments').action(listSegments);
  withEnvironment(command.command('get <segment>'))
    .description('print the condition of a segment')
    .action(getSegment);
  withEnvironment(command.command('delete <segment>'))
    .description('delete a segment that no mapping uses')
    .action(deleteSegment);
  return command;
}

async function putSegment(
  name: string,
  file: string | undefined,
  options: PutOptions,
): Promise<void> {
  if (file !== undefined && options.when !== undefined) {
    throw misuse('The condition comes from a file or from --when, not from both.');
  }
  const source = file ?? standardInput;
  const when =
    options.when === undefined
      ? strictJson(await readText(source), source)
      : strictJson(options.when, '--when');
  const body = jsonBody({ description: options.description }, { when });
  const path = adminPath('environments', options.env, 'segments', name);
  const answer = await openClient(options).call<SegmentSavedAnswer>('PUT', path, body);
  printAnswer(options, answer, () => `Saved ${name}.\n`);
  printWarnings(answer.value.warnings);
}

async function listSegments(options: EnvironmentOptions): Promise<void> {
  const path = adminPath('environments', options.env, 'segments');
  const answer = await openClient(options).call<SegmentsAnswer>('GET', path);
  printAnswer(options, answer, ({ value }) => formatTable(columns, value.segments, 'No segments.'));
}

async function getSegment(name: string, options: EnvironmentOptions): Promise<void> {
  const path = adminPath('environments', options.env, 'segments', name);
  const answer = await openClient(options).call<SegmentAnswer>('GET', path);
  printAnswer(options, answer, ({ text }) => `${rawMember(text, 'when')}\n`);
}

async function deleteSegment(name: string, options: EnvironmentOptions): Promise<void> {
  const path = adminPath('environments', options.env, 'segments', name);
  const answer = await openClient(options).call<unknown>('DELETE', path);
  printAnswer(options, answer, () => `Deleted ${name}.\n`);
}
