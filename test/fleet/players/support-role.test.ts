/** The role `support` while a fleet is upgraded: a server of the landed version before does not know it, and denies everything. */
import { expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { startNode } from '../../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { expectDone, makeEnvironment } from '../../support/server/environment.js';
import { previousProgram, step9Commit } from '../../support/server/previous-build.js';
import type { RunningServer } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';

// A build of that version, where there is none yet.
vi.setConfig({ testTimeout: 400_000 });

it.skipIf(!hasPostgres)(
  'there is none beside an older server, which denies one with 403',
  async () => {
    const url = await freshDatabase();
    const program = previousProgram(step9Commit);
    const old = await startNode({ name: 'old', url, program });
    const game = await makeEnvironment(old);
    const newer = await startNode({ name: 'new', url });
    const body = { name: 'sam', role: 'support', environments: [game.id] };
    const make = () => newer.admin('POST', '/admin/v1/users', body);
    const refused = await make();
    expect([refused.status, refused.json.code]).toEqual([503, 'upgrade_in_progress']);
    await old.stop();
    let token = '';
    await eventually('the older server is gone', 120_000, async () => {
      const made = await make();
      if (made.status === 503) return false;
      token = expectDone(made).json.token;
      return true;
    });

    const again = await startNode({ name: 'old', url, program });
    const statusOf = async (server: RunningServer, method: string, path: string, sent?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const content = sent === undefined ? {} : { body: JSON.stringify(sent) };
      return (await send(server.adminUrl, path, { method, headers, ...content })).status;
    };
    const lookup = `${game.path}/players/lookup`;
    expect(await statusOf(newer, 'POST', lookup, { u: 'player' })).toBe(200);
    expect(await statusOf(newer, 'GET', `${game.path}/contents`)).toBe(403);
    expect(await statusOf(again, 'GET', `${game.path}/contents`)).toBe(403);
    const content = `${game.path}/contents/shop`;
    expect(await statusOf(again, 'PUT', content, { text: '1' })).toBe(403);
    expect(await statusOf(again, 'DELETE', game.path)).toBe(403);
    const edited = await again.admin('PUT', content, { text: '1' });
    expect([edited.status, edited.json.code]).toEqual([503, 'upgrade_in_progress']);
    await again.stop();
    await newer.stop();
  },
);
