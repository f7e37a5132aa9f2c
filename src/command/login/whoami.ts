/** `loadout whoami`: the user of the token, and the server that is asked. */

import { Command } from 'commander';
import type { Me } from '../../contract/schemas/user.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { findServer, type Server } from '../profile/find-server.js';
import { oneLine } from '../terminal/output.js';

export function whoamiCommand(): Command {
  return withConnection(new Command('whoami'))
    .description('show whose token is used, for which server')
    .action(showMe);
}

async function showMe(options: ConnectionOptions): Promise<void> {
  const server = findServer(options);
  const response = await openClient(options).request('GET /me', {});
  printResponse(options, response, ({ value }) => formatMe(value, server));
}

function formatMe(
  { name, role, environments, service, origin, token, session }: Me,
  server: Server,
) {
  const { label, prefix, source, createdAt, lastUsedAt } = token;
  const used = lastUsedAt === null ? '' : `, last used ${lastUsedAt}`;
  const named = label === '' ? '' : ` "${label}"`;
  const from = source === 'environment' ? ', LOADOUT_ADMIN_TOKEN of the server' : '';
  const rows: [string, string][] = [
    [
      'user',
      `${name}${service ? ' (a program)' : ''}${origin === 'provider' ? ' (single sign-on)' : ''}`,
    ],
    ['role', role],
    ['environments', environments?.join(', ') ?? 'all'],
    ['token', `${prefix}…${named}, made ${createdAt}${used}${from}`],
    // A token has no end of its own; what a server says of one is of a session.
    ['expires', session?.expiresAt ?? 'never, until it is revoked'],
    ['server', server.url],
    ['profile', server.profile ?? 'none: the environment or flags name the server'],
  ];
  return rows.map(([title, text]) => `${oneLine(`${title.padEnd(12)}  ${text}`)}\n`).join('');
}
