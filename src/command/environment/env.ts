/** `loadout env`: the environments of a server. */

import { Command, Option } from 'commander';
import { trafficKeptKinds } from '../../content/traffic-kept.js';
import { reviewersMax } from '../../contract/limits.js';
import type { Environment } from '../../contract/operations/environments.js';
import { confirmDangerous, findEnvironment } from '../client/confirm-dangerous.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
  withFleetWait,
} from '../client/connection.js';
import { type FilterOptions, printList, withFilter } from '../client/list-filter.js';
import { confirm } from '../terminal/confirm.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { parseSwitch, wholeNumber } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';
import { addLayersCommand } from './layers.js';

interface CreateOptions extends ConnectionOptions {
  readonly name?: string;
  readonly protected: boolean;
  readonly review?: number;
  readonly confirm: boolean;
  readonly traffic?: Environment['traffic'];
}

interface EditOptions extends ConnectionOptions {
  readonly name?: string;
  readonly protected?: boolean;
  readonly review?: number;
  readonly confirm?: boolean;
  readonly traffic?: Environment['traffic'];
}

const columns: readonly Column<Environment>[] = [
  { title: 'ENVIRONMENT', text: (environment) => environment.id },
  { title: 'NAME', text: (environment) => environment.name },
  { title: 'PROTECTED', text: (environment) => (environment.protected ? 'yes' : 'no') },
  { title: 'APPROVALS', text: (environment) => String(environment.review) },
];

export function envCommand(): Command {
  const command = new Command('env').description('environments');
  withFleetWait(withConnection(command.command('create <environment>')))
    .description('create an environment')
    .option('--name <name>', 'display name; by default the id')
    .option('--protected', 'only owners may edit it', false)
    .addOption(reviewOption())
    .option('--confirm', 'have findings confirmed before values reach players', false)
    .addOption(trafficOption())
    .action(createEnvironment);
  withFilter(withConnection(command.command('list')), 'environments', 'id')
    .description('list the environments')
    .action(listEnvironments);
  withConnection(command.command('show <environment>').alias('get'))
    .description('show one environment')
    .action(showEnvironment);
  withFleetWait(withConnection(command.command('edit <environment>').alias('update')))
    .description(
      'rename, protect or unprotect an environment, set how its releases are reviewed, or what is kept of requests',
    )
    .option('--name <name>', 'display name')
    .option('--protected <switch>', 'true: only owners may edit it', parseSwitch)
    .addOption(reviewOption())
    .option('--confirm <switch>', 'true: findings have to be confirmed', parseSwitch)
    .addOption(trafficOption())
    .option('--yes', 'do not ask for confirmation before unprotecting', false)
    .action(editEnvironment);
  withFleetWait(withConnection(command.command('delete <environment>')))
    .description(
      'delete an environment with everything in it; a protected one must be unprotected first',
    )
    .option('--yes', 'do not ask for confirmation', false)
    .action(deleteEnvironment);
  addLayersCommand(command);
  return command;
}

function reviewOption(): Option {
  const help = 'approvals that a release needs before players receive it; 0: none';
  return new Option('--review <count>', help).argParser(wholeNumber(0, reviewersMax));
}

function trafficOption(): Option {
  const help =
    'what is kept of requests: names of attributes, also their frequent values (the default), or also a sample of contexts for previews, in memory and under pseudonyms';
  return new Option('--traffic <kept>', help).choices(trafficKeptKinds);
}

async function createEnvironment(id: string, options: CreateOptions): Promise<void> {
  const response = await openClient(options).request('POST /environments', {
    body: {
      ...{ id, name: options.name, protected: options.protected },
      ...{ review: options.review, confirm: options.confirm, traffic: options.traffic },
    },
  });
  printResponse(options, response, () => `Created ${id}.\n`);
}

async function listEnvironments(options: ConnectionOptions & FilterOptions): Promise<void> {
  const response = await openClient(options).request('GET /environments', {});
  printList(options, response, 'environments', ({ id }) => id, columns);
}

async function showEnvironment(id: string, options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request('GET /environments/:env', {
    params: { env: id },
  });
  printResponse(options, response, ({ value }) => formatTable(columns, [value], ''));
}

async function editEnvironment(id: string, options: EditOptions): Promise<void> {
  const { name, review, confirm: confirms, traffic, yes } = options;
  const edits = [name, options.protected, review, confirms, traffic];
  if (edits.every((value) => value === undefined)) {
    throw misuse('Nothing to change: give --name, --protected, --review, --confirm or --traffic.');
  }
  const client = openClient(options);
  const what = 'This lets every editor change it, without confirmation by its name.';
  const describe = (): string | null => (options.protected === false ? what : null);
  if (options.protected === false)
    await confirmDangerous({ client, env: id, name: id, yes, describe });
  const response = await client.request('PATCH /environments/:env', {
    params: { env: id },
    body: { name, protected: options.protected, review, confirm: confirms, traffic },
  });
  printResponse(options, response, ({ value }) => formatTable(columns, [value], ''));
}

async function deleteEnvironment(id: string, options: ConnectionOptions): Promise<void> {
  const client = openClient(options);
  if (!options.yes) {
    // Asked for first: a person need not confirm what the server will reject.
    const environment = await findEnvironment(client, id);
    if (environment.protected) {
      throw new CommandFailure(
        `${id} is protected. Unprotect it first: loadout env edit ${id} --protected false`,
      );
    }
    const lost = 'with its keys, segments, contents and their history. This cannot be undone.';
    await confirm(`This deletes the environment ${id} ${lost}`, id, options.yes);
  }
  const response = await client.request('DELETE /environments/:env', { params: { env: id } });
  printResponse(options, response, () => `Deleted ${id}.\n`);
}
