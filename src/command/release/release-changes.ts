/** `loadout release add|remove|rebase`: what a release changes. */

import type { Command } from 'commander';
import type { ChangeInput, ChangeName } from '../../contract/schemas/release.js';
import { type ConnectionOptions, openClient } from '../client/connection.js';
import { misuse } from '../terminal/failure.js';
import { collect, parseRevision } from '../terminal/parse-option.js';
import { addReleaseCommand, paramsOf, printState } from './release-options.js';

interface NameOptions extends ConnectionOptions {
  readonly segment?: readonly string[];
}

interface AddOptions extends NameOptions {
  readonly revision?: number;
  readonly delete?: readonly string[];
}

const route = 'POST /environments/:env/releases/:release/changes';

export function addReleaseChanges(releases: Command): void {
  addReleaseCommand(releases, 'add', 'add saved revisions or deletions, in place of earlier ones')
    .argument('[contents...]', 'contents to change')
    .option('--segment <name>', 'a segment to change; repeatable', collect)
    .option(
      '--revision <number>',
      'revision of the one content or segment; by default the newest',
      parseRevision,
    )
    .option('--delete <content>', 'a content to delete; repeatable', collect)
    .action(addChanges);
  addReleaseCommand(releases, 'remove', 'take changes out of a release')
    .argument('[contents...]', 'contents whose changes to drop')
    .option('--segment <name>', 'a segment whose change to drop; repeatable', collect)
    .action(removeChanges);
  addReleaseCommand(
    releases,
    'rebase',
    'accept what is live now as the base of changes in conflict; compare first, with release diff',
  )
    .argument('[contents...]', 'contents whose changes to rebase')
    .option('--segment <name>', 'a segment whose change to rebase; repeatable', collect)
    .action(rebaseChanges);
}

async function addChanges(
  env: string,
  number: number,
  contents: readonly string[],
  options: AddOptions,
): Promise<void> {
  const { revision, segment = [], delete: deleted = [] } = options;
  if (revision !== undefined && contents.length + segment.length !== 1) {
    throw misuse('--revision is for exactly one content or segment.');
  }
  const put: ChangeInput[] = [
    ...contents.map((id) => ({ kind: 'content' as const, id, revision })),
    ...segment.map((name) => ({ kind: 'segment' as const, name, revision })),
    ...deleted.map((id) => ({ kind: 'content' as const, id, revision: null })),
  ];
  if (put.length === 0) throw misuse('Nothing to add: name contents, --segment or --delete.');
  const request = { params: paramsOf(env, number), body: { put } };
  printState(options, await openClient(options).request(route, request));
}

async function removeChanges(
  env: string,
  number: number,
  contents: readonly string[],
  options: NameOptions,
): Promise<void> {
  const drop = namesOf(contents, options);
  if (drop.length === 0) throw misuse('Nothing to remove: name contents or --segment.');
  const request = { params: paramsOf(env, number), body: { drop } };
  printState(options, await openClient(options).request(route, request));
}

async function rebaseChanges(
  env: string,
  number: number,
  contents: readonly string[],
  options: NameOptions,
): Promise<void> {
  const rebase = namesOf(contents, options);
  if (rebase.length === 0) throw misuse('Nothing to rebase: name contents or --segment.');
  const request = { params: paramsOf(env, number), body: { rebase } };
  printState(options, await openClient(options).request(route, request));
}

function namesOf(contents: readonly string[], { segment = [] }: NameOptions): ChangeName[] {
  return [
    ...contents.map((id) => ({ kind: 'content' as const, id })),
    ...segment.map((name) => ({ kind: 'segment' as const, name })),
  ];
}
