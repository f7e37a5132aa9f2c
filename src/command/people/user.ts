/** `loadout user`: those who use the admin API, and their tokens. */

import { Argument, Command, Option } from 'commander';
import type { Role } from '../../contract/operation.js';
import type { User } from '../../contract/schemas/user.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { confirm } from '../terminal/confirm.js';
import { misuse } from '../terminal/failure.js';
import { printNote } from '../terminal/output.js';
import { collect } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';
import { findUserId } from './find-user.js';
import { addUserTokens } from './user-token.js';

interface CreateOptions extends ConnectionOptions {
  readonly env?: readonly string[];
}

interface EditOptions extends ConnectionOptions {
  readonly role?: Role;
  readonly env?: readonly string[];
  readonly allEnvs: boolean;
}

interface DeleteOptions extends ConnectionOptions {
  readonly yes: boolean;
}

const roles: readonly Role[] = ['owner', 'editor', 'viewer'];

const columns: readonly Column<User>[] = [
  { title: 'NAME', text: (user) => user.name },
  { title: 'ROLE', text: (user) => user.role },
  { title: 'ENVIRONMENTS', text: (user) => user.environments?.join(', ') ?? 'all' },
  { title: 'ID', text: (user) => user.id },
];

export function userCommand(): Command {
  const command = new Command('user').description('users of the admin API and their tokens');
  withConnection(command.command('create <name>'))
    .description('create a user and print their token; it is shown this once')
    .addArgument(new Argument('<role>', 'what they may do').choices(roles))
    .option('--env <environment>', 'only in this environment; repeat it for more', collect)
    .action(createUser);
  withConnection(command.command('list')).description('list the users').action(listUsers);
  withConnection(command.command('edit <user>'))
    .description('change the role of a user, or the environments it is for')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles))
    .option('--env <environment>', 'only in this environment; repeat it for more', collect)
    .option('--all-envs', 'in all environments, and on the server itself', false)
    .action(editUser);
  withConnection(command.command('delete <user>'))
    .description('delete a user; all their tokens are refused from now on')
    .option('--yes', 'do not ask', false)
    .action(deleteUser);
  addUserTokens(command);
  return command;
}

async function createUser(name: string, role: Role, options: CreateOptions): Promise<void> {
  const response = await openClient(options).request('POST /users', {
    body: { name, role, environments: options.env },
  });
  // Only the token on stdout: TOKEN=$(loadout user create ci editor).
  printResponse(options, response, ({ value }) => `${value.token}\n`);
  if (!options.json) printNote(`Token of ${role} ${name}. Keep it: it is not shown again.`);
}

async function listUsers(options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request('GET /users', {});
  printResponse(options, response, ({ value }) => formatTable(columns, value.users, 'No users.'));
}

async function editUser(nameOrId: string, options: EditOptions): Promise<void> {
  const { role, env, allEnvs } = options;
  if (env !== undefined && allEnvs) throw misuse('--env and --all-envs exclude each other.');
  if (role === undefined && env === undefined && !allEnvs) {
    throw misuse('Nothing to change: give --role, --env or --all-envs.');
  }
  const client = openClient(options);
  const id = await findUserId(client, nameOrId);
  const response = await client.request('PATCH /users/:userId', {
    params: { userId: id },
    body: { role, environments: allEnvs ? null : env },
  });
  printResponse(options, response, ({ value }) => formatTable(columns, [value], ''));
}

async function deleteUser(nameOrId: string, options: DeleteOptions): Promise<void> {
  const client = openClient(options);
  const id = await findUserId(client, nameOrId);
  const what = `This deletes the user ${nameOrId}; their tokens are refused from now on.`;
  await confirm(what, nameOrId, options.yes);
  const response = await client.request('DELETE /users/:userId', { params: { userId: id } });
  printResponse(options, response, () => `Deleted ${nameOrId}.\n`);
}
