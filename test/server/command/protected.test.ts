/** What commands ask before a dangerous act in a protected environment, and that they ask nothing more elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine, type Ran } from '../../support/server/run-loadout.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

let server: LoadoutServer;
let loadout: CommandLine;
let open: Environment;
let live: Environment;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  loadout = new CommandLine(server);
  open = await makeEnvironment(server, 'open');
  live = await makeEnvironment(server, 'live');
  await loadout.run(['env', 'edit', 'live', '--protected', 'true']);
});
afterAll(() => server?.stop());

/** As a person at a terminal who answers the question. */
function answer(args: readonly string[], typed: string): Promise<Ran> {
  return loadout.try(args, { typed });
}

const mapping = [{ segment: 'vip', merge: { n: 2 } }];

/** A live content with two lines, a segment that it uses, one that nothing uses, and a key. */
async function fill(game: Environment): Promise<string> {
  const put = (path: string, body: object) => server.admin('PUT', `${game.path}${path}`, body);
  for (const level of [1, 2]) await put('/segments/vip', { when: { level } });
  await put('/segments/unused', { when: {} });
  await put('/contents/shop', { text: '{"n":1}', mapping });
  await put('/contents/shop', { text: '{"n":1}', appVersion: '2.0.0' });
  await put('/contents/draft', { text: '1', publish: false });
  return (await server.admin('POST', `${game.path}/keys`, {})).json.id;
}

/** Each with what it takes away; run in this order. */
const acts = (key: string): readonly (readonly [name: string, args: readonly string[]])[] => [
  ['a roll-back of a segment that is live', ['segment', 'rollback', 'vip', '1']],
  ['the removal of a live line', ['content', 'line', 'delete', 'shop', '2.0.0']],
  ['the deletion of a live content', ['content', 'delete', 'shop']],
  ['the deletion of a segment', ['segment', 'delete', 'unused']],
  ['an expiry that has passed', ['key', 'edit', key, '--expires', '2020-01-01']],
  ['the revocation of a key', ['key', 'revoke', key]],
];

describe('in a protected environment', () => {
  it('every dangerous act needs its name, or --yes of a script', async () => {
    const key = await fill(live);
    for (const [name, args] of acts(key)) {
      const inLive = [...args, '--env', 'live'];
      const unasked = await loadout.try(inLive);
      expect([name, unasked.code, unasked.stdout]).toEqual([name, 1, '']);
      expect(unasked.stderr).toContain('live is protected. Use --yes to skip this confirmation.');
      const wrong = await answer(inLive, 'yes');
      expect([name, wrong.code]).toEqual([name, 1]);
      expect(wrong.stderr).toContain('Type live to continue: ');
      expect(wrong.stderr).toContain('Nothing was changed.');
    }
    expect((await live.plain('shop')).text).toBe('{"n":1}');
    for (const [name, args] of acts(key)) {
      const right = await answer([...args, '--env', 'live'], 'live');
      expect([name, right.code, right.stderr]).toEqual([name, 0, expect.anything()]);
    }
    expect((await live.plain('shop')).status).toBe(404);
    const again = await fill(live);
    for (const [name, args] of acts(again)) {
      const ran = await loadout.try([...args, '--env', 'live', '--yes']);
      expect([name, ran.code]).toEqual([name, 0]);
    }
  });

  it('a changed condition of a segment that is live asks for its name, not for a yes', async () => {
    await fill(live);
    const put = ['segment', 'put', 'vip', '--when', '{"level":3}', '--env', 'live'];
    expect((await answer(put, 'yes')).code).toBe(1);
    expect((await answer(put, 'live')).code).toBe(0);
    expect(
      (await loadout.try([...put.slice(0, 3), '--when', '{"level":4}', ...put.slice(5)])).code,
    ).toBe(1);
  });

  it('what no player gets, and an edit of one content, ask nothing', async () => {
    await fill(live);
    const inLive = ['--env', 'live'];
    await loadout.run(['content', 'line', 'delete', 'shop', '2.0.0', '--draft', ...inLive]);
    await loadout.run(['content', 'publish', 'shop', ...inLive]);
    await loadout.run(['content', 'rollback', 'shop', '1', ...inLive]);
    await loadout.run(['content', 'delete', 'draft', ...inLive]);
    await loadout.run(['segment', 'rollback', 'unused', '1', ...inLive]);
  });

  it('an act on what is not there is refused as that, without a question', async () => {
    const gone = await loadout.try(['content', 'delete', 'nothing', '--env', 'live']);
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain('has no content "nothing"');
  });

  it('taking the protection away asks for its name as well', async () => {
    const edit = ['env', 'edit', 'live', '--protected', 'false'];
    expect((await loadout.try(edit)).stderr).toContain('Use --yes');
    expect((await answer(edit, 'yes')).code).toBe(1);
    await loadout.run(['env', 'edit', 'live', '--name', 'Live']);
    expect((await answer(edit, 'live')).code).toBe(0);
    expect(await loadout.run(['env', 'show', 'live'])).toMatch(/^live +Live +no +0$/m);
    await loadout.run(['env', 'edit', 'live', '--protected', 'false']);
  });
});

describe('in any other environment', () => {
  it('scripts that delete and revoke go on without --yes', async () => {
    const key = await fill(open);
    for (const [name, args] of acts(key)) {
      const ran = await loadout.try([...args, '--env', 'open']);
      expect([name, ran.code, ran.stderr]).toEqual([name, 0, expect.not.stringContaining('--yes')]);
    }
    expect((await open.plain('shop')).status).toBe(404);
  });
});
