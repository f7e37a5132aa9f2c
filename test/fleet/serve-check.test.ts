/** `serve --check` with a database: it is looked at, and nothing is made in it. */
import { describe, expect, it } from 'vitest';
import { hasPostgres, preparedDatabase, startPostgres } from '../support/postgres/postgres.js';
import { type Ran, runLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder } from '../support/server/server.js';

function check(...flags: readonly string[]): Promise<Ran> {
  const own = ['--data', makeDataFolder(), '--port', '0', '--admin-port', '0'];
  return runLoadout(['serve', '--check', ...own, ...flags]);
}

describe.skipIf(!hasPostgres)('serve --check', () => {
  it('says of which schema the database and its replica are', async () => {
    const url = await preparedDatabase();
    const { code, stdout } = await check('--database', url, '--database-replica', url);
    expect(stdout).toMatch(/^ok {4} {2}database .*: schema \d+, up to date$/m);
    expect(stdout).toMatch(/^ok {4} {2}replica .* responds$/m);
    expect(code).toBe(0);
  });

  it('makes no tables', async () => {
    const url = await (await startPostgres()).createDatabase();
    for (let round = 0; round < 2; round += 1) {
      const { code, stdout } = await check('--database', url);
      expect([code, stdout]).toEqual([0, expect.stringContaining('the tables will be made')]);
    }
  });

  it('fails where the database cannot be reached, without its password', async () => {
    const away = 'postgres://user:very-secret@127.0.0.1:1/none';
    const { code, stdout, stderr } = await check('--database', away, '--events-to', 'postgres');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed {2}database {8}.*127\.0\.0\.1:1/m);
    expect(stdout + stderr).not.toContain('very-secret');
  });
});
