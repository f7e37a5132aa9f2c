/** The owner's token where servers share a store: the one that makes it has the file, whoever of them starts first. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { makeDataFolder } from '../support/server/server.js';
import { Launched } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';

const timeout = 120_000;

describe.skipIf(!hasPostgres)(
  'two servers that start at once on an empty database',
  { timeout },
  () => {
    it('have one owner, whose token is in the folder of one of them', async () => {
      const database = await freshDatabase();
      const servers = await Promise.all(
        [makeDataFolder(), makeDataFolder()].map((data) => {
          const flags = ['--database', database];
          const launched = new Launched({ listeners: 1, flags }, data, { LOADOUT_ADMIN_TOKEN: '' });
          onTestFinished(async () => {
            launched.child.kill('SIGTERM');
            await launched.exit;
          });
          return launched.server(data).then((server) => ({ server, launched, data }));
        }),
      );
      const files = servers.map(({ data }) => join(data, 'owner-token'));
      const [file = 'none', ...others] = files.filter((path) => existsSync(path));
      expect(others).toEqual([]);
      const said = servers.map(({ launched }) => /^token +in (\S+):/m.exec(launched.stdout)?.[1]);
      expect(said.filter((path) => path !== undefined)).toEqual([file]);
      const headers = { authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` };
      for (const { server } of servers) {
        const me = await send(server.adminUrl, '/admin/v1/me', { headers });
        expect([me.status, me.json.role]).toEqual([200, 'owner']);
      }
    });
  },
);
