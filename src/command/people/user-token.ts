/** `loadout user token`: the tokens of a user, one for each machine or purpose. */

import type { Command } from 'commander';
import type { Token } from '../../contract/schemas/user.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { printNote } from '../terminal/output.js';
import { type Column, formatTable } from '../terminal/table.js';
import { findUserId } from './find-user.js';

interface CreateOptions extends ConnectionOptions {
  readonly label?: string;
}

const columns: readonly Column<Token>[] = [
  { title: 'TOKEN', text: (token) => token.id },
  { title: 'BEGINS', text: (token) => token.prefix },
  { title: 'LABEL', text: (token) => token.label },
  { title: 'CREATED', text: (token) => token.createdAt },
  { title: 'LAST USED', text: (token) => token.lastUsedAt ?? 'never' },
];

/** Adds `token` to `user`. */
export function addUserTokens(user: Command): void {
  const command = user.command('token').description('tokens of a user');
  withConnection(command.command('create <user>'))
    .description('create a further token and print it; it is shown this once')
    .option('--label <label>', 'what the token is for')
    .action(createToken);
  withConnection(command.command('list <user>'))
    .description('list the tokens of a user')
    .action(listTokens);
  withConnection(command.command('revoke <user> <token>'))
    .description('revoke a token by its id: it is refused from now on')
    .action(revokeToken);
}

async function createToken(user: string, options: CreateOptions): Promise<void> {
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
  printResponse(options, response, ({ value }) => formatTable(columns, value.tokens, 'No tokens.'));
}

async function revokeToken(user: string, id: string, options: ConnectionOptions): Promise<void> {
  const client = openClient(options);
  const response = await client.request('DELETE /users/:userId/tokens/:tokenId', {
    params: { userId: await findUserId(client, user), tokenId: id },
  });
  printResponse(options, response, () => `Revoked ${id}.\n`);
}
