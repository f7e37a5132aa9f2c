/** Writes the console's client of the admin API from the routes themselves, so that it can be no older than they are. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSource } from 'oazapfts';
import { pino } from 'pino';
import { makeAdminApi } from '../../build/management/api/admin-api.js';

/** The routes are only described here: nothing may be asked of what stands behind them. */
const nothing = new Proxy(
  {},
  {
    get(_target, name) {
      throw new Error(`the routes used "${String(name)}" while they were described`);
    },
  },
);

const app = await makeAdminApi({
  ...{ store: nothing, work: nothing, lastUsed: nothing, webhooks: nothing },
  ...{
    housekeeping: nothing,
    backup: nothing,
    fleet: nothing,
    publish: nothing,
    status: nothing,
    metrics: nothing,
  },
  logger: pino({ level: 'silent' }),
  now: () => 0,
});
await app.ready();
const { payload } = await app.inject({ method: 'GET', url: '/openapi.json' });
const document = join(tmpdir(), `loadout-openapi-${process.pid}.json`);
writeFileSync(document, payload);
const folder = new URL('./generated/', import.meta.url);
mkdirSync(folder, { recursive: true });
const source = await generateSource(document, { useUnknown: true, argumentStyle: 'object' });
// Its runtime's types know no exact optional properties, which the tests that import it are compiled with.
writeFileSync(new URL('admin-client.ts', folder), `// @ts-nocheck\n${source}`);
