/** Retention as operators ask for it: the route, the command, and the options of `serve`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine, runLoadout } from '../../support/server/run-loadout.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';

let server: LoadoutServer;
let game: Environment;
let loadout: CommandLine;

beforeAll(async () => {
  server = await startServer({ listeners: 1, flags: ['--keep-revisions', '3'] });
  game = await makeEnvironment(server, 'dev');
  loadout = new CommandLine(server);
});
afterAll(() => server.stop());

async function numbers(contentId: string): Promise<number[]> {
  const listed = expectDone(
    await server.admin('GET', `${game.path}/contents/${contentId}/revisions`),
  ).json;
  return listed.revisions.map(({ number, revision }: Record<string, number>) => number ?? revision);
}

describe('retention', () => {
  it('by the rules of the server removes old revisions; what is live is served as before', async () => {
    for (let n = 1; n <= 6; n += 1) await game.put('shop', `{"price":${n}}`);
    const dry = await loadout.run(['retention', '--dry-run']);
    expect(dry).toBe('Would remove 0 deleted contents, 3 revisions, 0 unused texts (0 B).\n');
    expect(await numbers('shop')).toHaveLength(6);
    const ran = await loadout.run(['retention']);
    expect(ran).toBe('Removed 0 deleted contents, 3 revisions, 3 unused texts (33 B).\n');
    expect(await numbers('shop')).toEqual([6, 5, 4]);
    expect((await game.plain('shop')).text).toBe('{"price":6}');
    const gone = await server.admin('POST', `${game.path}/contents/shop/rollback`, { revision: 1 });
    expect(gone.json).toMatchObject({ status: 404, code: 'revision_not_found' });
    expect((await game.put('shop', '{"price":7}')).revision).toBe(7);
    const { events } = (await server.admin('GET', '/admin/v1/audit')).json;
    expect(
      events.find((event: { action: string }) => event.action === 'retention.run'),
    ).toMatchObject({ userName: 'owner', details: { removed: { revisions: 3, texts: 3 } } });
  });

  it('by rules of its own keeps more, or removes deleted contents at once', async () => {
    for (let n = 1; n <= 6; n += 1) await game.put('old', `${n}`);
    expectDone(await server.admin('DELETE', `${game.path}/contents/old`));
    const kept = await loadout.json(['retention', '--keep-revisions', 'all']);
    expect(kept.removed).toMatchObject({ contents: 0, revisions: 0 });
    const removed = await loadout.json(['retention', '--keep-deleted-days', '0']);
    // With the revision of the other content that its seventh made too old.
    expect(removed.removed).toMatchObject({ contents: 1, revisions: 7, texts: 7 });
    expect((await game.plain('shop')).text).toBe('{"price":7}');
    // The id is as if it had never been.
    expect((await game.put('old', '1')).revision).toBe(1);
  });

  it('says by which rules it went', async () => {
    const path = '/admin/v1/retention';
    const own = await server.admin('POST', path, { dryRun: true });
    expect(own.json).toMatchObject({
      dryRun: true,
      revisionsKept: 3,
      deletedDaysKept: 90,
      finished: true,
    });
    const other = { dryRun: true, revisionsKept: null, deletedDaysKept: null };
    expect((await server.admin('POST', path, other)).json).toMatchObject(other);
  });

  it('is for owners of everything', async () => {
    for (const [role, status] of [
      ['viewer', 403],
      ['editor', 403],
      ['owner', 200],
    ] as const) {
      const made = await server.admin('POST', '/admin/v1/users', { name: `the ${role}`, role });
      const answer = await send(server.adminUrl, '/admin/v1/retention', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${made.json.token}`,
          'content-type': 'application/json',
        },
        body: '{"dryRun":true}',
      });
      expect(answer.status).toBe(status);
    }
  });

  it.each([
    [{ revisionsKept: 0 }, 'revisionsKept'],
    [{ deletedDaysKept: -1 }, 'deletedDaysKept'],
    [{ dryRun: 'no' }, 'dryRun'],
  ])('is refused with %j', async (body, path) => {
    const answer = await server.admin('POST', '/admin/v1/retention', body);
    expect(answer.json).toMatchObject({ status: 400, code: 'invalid_body', errors: [{ path }] });
  });

  it.each([
    ['serve', '--keep-revisions', '0'],
    ['serve', '--keep-deleted-days', 'some'],
    ['retention', '--keep-revisions', '-1'],
  ])('%s %s %s is wrong usage', async (...args) => {
    const ran = await runLoadout(args);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('must be a whole number');
  });
});
