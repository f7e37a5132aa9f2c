/** `loadout env`: the environments of a server. */

import { Command } from 'commander';
import { adminPath } from './admin-client.js';
import type { EnvironmentAnswer, EnvironmentsAnswer } from './answers.js';
import { confirm } from './confirm.js';
import { confirmDangerous } from './confirm-dangerous.js';
import {
  type ConnectionOptions,
  openClient,
  printAnswer,
  withConnection,
  withFleetWait,
} from './connection.js';
import { CommandFailure, misuse } from './failure.js';
import { parseSwitch } from './parse-option.js';
import { type Column, formatTable } from './table.js';

interface CreateOptions extends ConnectionOptions {
  readonly name?: string;
  readonly protected: boolean;
}

interface DeleteOptions extends ConnectionOptions {
  readonly yes: boolean;
}

interface EditOptions extends ConnectionOptions {
  readonly yes: boolean;
  readonly name?: string;
  readonly protected?: boolean;
}

const columns: readonly Column<EnvironmentAnswer>[] = [
  { title: 'ENVIRONMENT', text: (environment) => environment.id },
  { title: 'NAME', text: (environment) => environment.name },
  { title: 'PROTECTED', text: (environment) => (environment.protected ? 'yes' : 'no') },
];

export function envCommand(): Command {
  const command = new Command('env').description('environments');
  withFleetWait(withConnection(command.command('create <environment>')))
    .description('create an environment')
    .option('--name <name>', 'name for people; the id without it')
    .option('--protected', 'only owners may edit it', false)
    .action(createEnvironment);
  withConnection(command.command('list')).description('list them').action(listEnvironments);
  withConnection(command.command('show <environment>').alias('get'))
    .description('show one environment')
    .action(showEnvironment);
  withFleetWait(withConnection(command.command('edit <environment>').alias('update')))
    .description('rename, protect or unprotect an environment')
    .option('--name <name>', 'name for people')
    .option('--protected <switch>', 'true: only owners may edit it', parseSwitch)
    .option('--yes', 'do not ask before unprotecting', false)
    .action(editEnvironment);
  withFleetWait(withConnection(command.command('delete <environment>')))
    .description(
      'delete an environment with everything in it; a protected one must be unprotected first',
    )
    .option('--yes', 'do not ask', false)
    .action(deleteEnvironment);
  return command;
}

async function createEnvironment(id: string, options: CreateOptions): Promise<void> {
  const body = JSON.stringify({ id, name: options.name, protected: options.protected });
  const answer = await openClient(options).call<EnvironmentAnswer>(
    'POST',
    adminPath('environments'),
    body,
  );
  printAnswer(options, answer, () => `Created ${id}.\n`);
}

async function listEnvironments(options: ConnectionOptions): Promise<void> {
  const answer = await openClient(options).call<EnvironmentsAnswer>(
    'GET',
    adminPath('environments'),
  );
  printAnswer(options, answer, ({ value }) =>
    formatTable(columns, value.environments, 'No environments.'),
  );
}

async function showEnvironment(id: string, options: ConnectionOptions): Promise<void> {
  const path = adminPath('environments', id);
  const answer = await openClient(options).call<EnvironmentAnswer>('GET', path);
  printAnswer(options, answer, ({ value }) => formatTable(columns, [value], ''));
}

async function editEnvironment(id: string, options: EditOptions): Promise<void> {
  if (options.name === undefined && options.protected === undefined) {
    throw misuse('Nothing to change: give --name or --protected.');
  }
  const { yes } = options;
  const client = openClient(options);
  const what = 'This lets every editor change it, without being asked for its name.';
  const describe = (): string | null => (options.protected === false ? what : null);
  if (options.protected === false) await confirmDangerous({ client, env: id, yes, describe });
  const path = adminPath('environments', id);
  const body = JSON.stringify({ name: options.name, protected: options.protected });
  const answer = await client.call<EnvironmentAnswer>('PATCH', path, body);
  printAnswer(options, answer, ({ value }) => formatTable(columns, [value], ''));
}

async function deleteEnvironment(id: string, options: DeleteOptions): Promise<void> {
  const path = adminPath('environments', id);
  const client = openClient(options);
  if (!options.yes) {
    // Asked for first: nobody is made to confirm what will be refused.
    const { value } = await client.call<EnvironmentAnswer>('GET', path);
    if (value.protected) {
      throw new CommandFailure(
        `${id} is protected. Unprotect it first: loadout env edit ${id} --protected false`,
      );
    }
    const lost = 'with its keys, segments, contents and their history. This cannot be undone.';
    await confirm(`This deletes the environment ${id} ${lost}`, id, options.yes);
  }
  const answer = await client.call<unknown>('DELETE', path);
  printAnswer(options, answer, () => `Deleted ${id}.\n`);
}
