/** `loadout user`: the users of the admin API and their tokens. */

import { Argument, Command, Option } from 'commander';
import type { Role } from '../../contract/operation.js';
import type { Token, User } from '../../contract/schemas/user.js';
import type { AdminClient } from '../client/admin-client.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { type FilterOptions, printList, withFilter } from '../client/list-filter.js';
import { confirm } from '../terminal/confirm.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { printNote } from '../terminal/output.js';
import { collect } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';

interface CreateOptions extends ConnectionOptions {
  readonly env?: readonly string[];
  readonly service: boolean;
}

interface EditOptions extends ConnectionOptions {
  readonly role?: Role;
  readonly env?: readonly string[];
  readonly allEnvs: boolean;
}

interface CreateTokenOptions extends ConnectionOptions {
  readonly label?: string;
}

const roles: readonly Role[] = ['owner', 'editor', 'viewer', 'support'];

const columns: readonly Column<User>[] = [
  { title: 'NAME', text: (user) => user.name },
  { title: 'ROLE', text: (user) => user.role },
  { title: 'ENVIRONMENTS', text: (user) => user.environments?.join(', ') ?? 'all' },
  { title: 'ID', text: (user) => user.id },
  {
    title: 'FROM',
    text: ({ origin }) => (origin === 'provider' ? 'single sign-on' : 'here'),
  },
];

const tokenColumns: readonly Column<Token>[] = [
  { title: 'TOKEN', text: (token) => token.id },
  { title: 'BEGINS', text: (token) => token.prefix },
  { title: 'LABEL', text: (token) => token.label },
  { title: 'CREATED', text: (token) => token.createdAt },
  { title: 'LAST USED', text: (token) => token.lastUsedAt ?? 'never' },
];

export function userCommand(): Command {
  const command = new Command('user').description('users of the admin API and their tokens');
  withConnection(command.command('create <name>'))
    .description('create a user and print their token; it is shown only once')
    .addArgument(new Argument('<role>', 'role of the user').choices(roles))
    .option('--env <environment>', 'only in this environment; repeatable', collect)
    .option('--service', 'a program, such as CI: it cannot approve releases', false)
    .action(createUser);
  withFilter(withConnection(command.command('list')), 'users')
    .description('list the users')
    .action(listUsers);
  withConnection(command.command('edit <user>'))
    .description('change the role of a user, or its environments')
    .addOption(new Option('--role <role>', 'role of the user').choices(roles))
    .option('--env <environment>', 'only in this environment; repeatable', collect)
    .option('--all-envs', 'in all environments, and on the server itself', false)
    .action(editUser);
  withConnection(command.command('delete <user>'))
    .description('delete a user; all their tokens are rejected from now on')
    .option('--yes', 'do not ask for confirmation', false)
    .action(deleteUser);
  addTokenCommands(command.command('token').description('tokens of a user'));
  return command;
}

async function createUser(name: string, role: Role, options: CreateOptions): Promise<void> {
  const response = await openClient(options).request('POST /users', {
    body: { name, role, environments: options.env, ...(options.service ? { service: true } : {}) },
  });
  // Only the token on stdout: TOKEN=$(loadout user create ci editor).
  printResponse(options, response, ({ value }) => `${value.token}\n`);
  if (!options.json) printNote(`Token of ${role} ${name}. Keep it: it is not shown again.`);
}

async function listUsers(options: ConnectionOptions & FilterOptions): Promise<void> {
  const response = await openClient(options).request('GET /users', {});
  printList(options, response, 'users', ({ name }) => name, columns);
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

async function deleteUser(nameOrId: string, options: ConnectionOptions): Promise<void> {
  const client = openClient(options);
  const id = await findUserId(client, nameOrId);
  const what = `This deletes the user ${nameOrId}; their tokens are rejected from now on.`;
  await confirm(what, nameOrId, options.yes);
  const response = await client.request('DELETE /users/:userId', { params: { userId: id } });
  printResponse(options, response, () => `Deleted ${nameOrId}.\n`);
}

function addTokenCommands(command: Command): void {
  withConnection(command.command('create <user>'))
    .description('create another token and print it; it is shown only once')
    .option('--label <label>', 'what the token is for')
    .action(createToken);
  withConnection(command.command('list <user>'))
    .description('list the tokens of a user')
    .action(listTokens);
  withConnection(command.command('revoke <user> <token>'))
    .description('revoke a token by its id: it is rejected from now on')
    .action(revokeToken);
}

async function createToken(user: string, options: CreateTokenOptions): Promise<void> {
  const client = openClient(options);
  const response = await client.request('POST /users/:userId/tokens', {
    params: { userId: await findUserId(client, user) },
    body: { label: options.label },
  });
  printResponse(options, response, ({ value }) => `${value.token}\n`);
  if (!options.json) {
    printNote(`Token ${response.value.id} of ${user}. Keep it: it is not shown again.`);
  }
}

async function listTokens(user: string, options: ConnectionOptions): Promise<void> {
  const client = openClient(options);
  const response = await client.request('GET /users/:userId/tokens', {
    params: { userId: await findUserId(client, user) },
  });
  printResponse(options, response, ({ value }) =>
    formatTable(tokenColumns, value.tokens, 'No tokens.'),
  );
}

async function revokeToken(user: string, id: string, options: ConnectionOptions): Promise<void> {
  const client = openClient(options);
  const response = await client.request('DELETE /users/:userId/tokens/:tokenId', {
    params: { userId: await findUserId(client, user), tokenId: id },
  });
  printResponse(options, response, () => `Revoked ${id}.\n`);
}

/**
 * The id of the user with this id or name. An id wins: it is unique, and a name may look like one.
 * @throws CommandFailure when there is none
 */
async function findUserId(client: AdminClient, nameOrId: string): Promise<string> {
  const { value } = await client.request('GET /users', {});
  const user =
    value.users.find(({ id }) => id === nameOrId) ??
    value.users.find(({ name }) => name === nameOrId);
  if (user === undefined) throw new CommandFailure(`There is no user "${nameOrId}".`);
  return user.id;
}
