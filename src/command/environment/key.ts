/** `loadout key`: the API keys of an environment, which game clients send. */

import { Command, Option } from 'commander';
import type { Key } from '../../contract/operations/keys.js';
import { confirmDangerous } from '../client/confirm-dangerous.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
  withFleetWait,
  withYes,
} from '../client/connection.js';
import { type FilterOptions, printList, withFilter } from '../client/list-filter.js';
import { misuse } from '../terminal/failure.js';
import { printNote } from '../terminal/output.js';
import { aheadHelp, never, parseMoment, parseMomentOrNever } from '../terminal/parse-time.js';
import { type Column, formatTable } from '../terminal/table.js';
import { readText, standardInput } from '../terminal/text-file.js';

interface EditOptions extends EnvironmentOptions {
  readonly label?: string;
  readonly expires?: string;
}

interface CreateOptions extends EnvironmentOptions {
  readonly label?: string;
  readonly expires?: string;
  readonly value?: string;
  readonly purpose: Key['purpose'];
}

const columns: readonly Column<Key>[] = [
  { title: 'KEY', text: (key) => key.id },
  { title: 'BEGINS', text: (key) => key.prefix },
  { title: 'FOR', text: (key) => key.purpose },
  { title: 'LABEL', text: (key) => key.label },
  { title: 'EXPIRES', text: (key) => key.expiresAt ?? 'never' },
  { title: 'LAST USED', text: (key) => key.lastUsedAt ?? 'never' },
  { title: 'REVOKED', text: (key) => key.revokedAt ?? '' },
];

export function keyCommand(): Command {
  const command = new Command('key').description('API keys of an environment');
  withFleetWait(withEnvironment(command.command('create')))
    .description('create a key and print it; it is shown only once')
    .option('--label <label>', 'what the key is for')
    .option('--expires <when>', `such as ${aheadHelp}`, parseMoment)
    .addOption(
      new Option(
        '--purpose <purpose>',
        'game; or events: it only sends events of players, which it makes trusted, and goes out with no game',
      )
        .choices(['game', 'events'])
        .default('game'),
    )
    .option('--value <key>', 'use this key, of at least 128 bits; - reads standard input')
    .action(createKey);
  withFilter(withEnvironment(command.command('list')), 'keys', 'label')
    .description('list the keys')
    .action(listKeys);
  withYes(withFleetWait(withEnvironment(command.command('edit <key>'))))
    .description('change the label or the expiry of a key, by its id')
    .option('--label <label>', 'what the key is for')
    .option('--expires <when>', `never, or such as ${aheadHelp}`, parseMomentOrNever)
    .action(editKey);
  withYes(withFleetWait(withEnvironment(command.command('revoke <key>'))))
    .description('revoke a key by its id: it is rejected from now on')
    .action(revokeKey);
  return command;
}

async function createKey(options: CreateOptions): Promise<void> {
  const { env, label, expires, value, purpose } = options;
  const key = value === standardInput ? (await readText(standardInput)).trim() : value;
  const response = await openClient(options).request('POST /environments/:env/keys', {
    params: { env },
    body: { label, expiresAt: expires, key, purpose },
  });
  // Only the key on stdout: KEY=$(loadout key create --env staging).
  printResponse(options, response, ({ value: created }) => `${created.key}\n`);
  if (!options.json)
    printNote(`Key ${response.value.id} of ${env}. Keep it: it is not shown again.`);
}

async function listKeys(options: EnvironmentOptions & FilterOptions): Promise<void> {
  const { env } = options;
  const response = await openClient(options).request('GET /environments/:env/keys', {
    params: { env },
  });
  printList(options, response, 'keys', ({ label }) => label, columns);
}

async function editKey(id: string, options: EditOptions): Promise<void> {
  const { label, expires } = options;
  if (label === undefined && expires === undefined) {
    throw misuse('Nothing to change: give --label or --expires.');
  }
  const { env, yes } = options;
  const client = openClient(options);
  // An expiry that has passed is a revocation under another name.
  const isEnd = expires !== undefined && expires !== never && Date.parse(expires) <= Date.now();
  const what = `The key ${id} of ${env} is rejected from now on: the expiry has passed.`;
  await confirmDangerous({ client, env, name: id, yes, describe: () => (isEnd ? what : null) });
  const response = await client.request('PATCH /environments/:env/keys/:keyId', {
    params: { env, keyId: id },
    body: { label, expiresAt: expires === never ? null : expires },
  });
  printResponse(options, response, ({ value }) => formatTable(columns, [value], ''));
}

async function revokeKey(id: string, options: EnvironmentOptions): Promise<void> {
  const { env, yes } = options;
  const client = openClient(options);
  const what = `Games that send the key ${id} of ${env} are rejected at once. This cannot be undone.`;
  await confirmDangerous({ client, env, name: id, yes, describe: () => what });
  const response = await client.request('DELETE /environments/:env/keys/:keyId', {
    params: { env, keyId: id },
  });
  printResponse(options, response, () => `Revoked ${id}.\n`);
}
