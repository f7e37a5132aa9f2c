/**
 * One content from its first edit to its removal, through everything that is compiled: the addon, SQLite, the hashes and the
 * front end. `test/node-versions.sh` runs this on every supported Node; where there is no front end for one, `serve` and
 * `demo` say so in one sentence, and SQLite and the addon work all the same.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builds } from '../../src/delivery/uws/builds.js';
import { chooseNative } from '../../src/native/native-choice.js';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { expectDone, makeEnvironment } from '../support/server/environment.js';
import { CommandLine, spawnLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { contentHash, mappedHash } from '../support/xxhash.js';

const { platform, arch, version, versions } = process;
const hasFrontEnd = `uws_${platform}_${arch}_${versions.modules}.node` in builds;

// Two starts and a command in it.
describe(`on Node ${version}`, { timeout: 90_000 }, () => {
  it('SQLite, the hash addon and the native addon load', () => {
    const db = new BetterSqlite3(':memory:');
    expect(db.prepare('SELECT sqlite_version()').pluck().get()).toMatch(/^3\.\d+/);
    db.close();
    expect(contentHash('{}')).toMatch(/^[0-9a-f]{16}$/);
    expect(chooseNative('on')).not.toBeNull();
    expect(() => createRequire(import.meta.url)('@napi-rs/nice')).not.toThrow();
  });

  it.runIf(hasFrontEnd)(
    'a content is put, personalised, rolled back, restarted and removed',
    async () => {
      const data = makeDataFolder();
      let server = await startServer({ data, flags: ['--native', 'on'] });
      let game = await makeEnvironment(server);
      await game.put('shop', '{ "price": 4.99, /* in dollars */ "gems": 100 }');
      const first = await game.plain('shop');
      expect([first.status, first.text]).toEqual([200, '{"price":4.99,"gems":100}']);
      expect((await game.plain('shop', { u: 'ada' })).text).toBe(first.text);

      const mapping = [{ segment: 'us', when: { country: 'US' }, merge: { price: 3.99 } }];
      await game.putMapping('shop', mapping);
      const wrapped = await game.wrapped('shop', { u: 'ada', p: { country: 'US' } });
      expect(wrapped.json).toEqual({
        data: { price: 3.99, gems: 100 },
        hash: mappedHash(first.text, mapping),
        meta: { uid: 4275982562, mod: 562, seg: [{ n: 'us', v: null }] },
      });
      expect((await game.combine(['shop'], { u: 'bo' })).json).toEqual({
        shop: JSON.parse(first.text),
      });
      const command = new CommandLine(server, spawnLoadout);
      await command.run(['content', 'rollback', 'shop', '1', '--env', game.id]);
      expect((await game.plain('shop', { p: { country: 'US' } })).text).toBe(first.text);

      const backup = join(makeDataFolder(), 'backup.db');
      await command.run(['backup', '--out', backup]);
      expect(await server.stop()).toMatchObject({ code: 0 });
      server = await startServer({ data, flags: ['--native', 'off'] });
      game = game.on(server);
      expect((await game.plain('shop')).text).toBe(first.text);
      expectDone(await server.admin('DELETE', `${game.path}/contents/shop`));
      expect((await game.plain('shop')).status).toBe(404);
      expect(await server.stop()).toMatchObject({ code: 0, signal: null });
    },
  );

  it.skipIf(hasFrontEnd)(
    'serve and demo say in one sentence which versions have a front end',
    async () => {
      for (const name of ['serve', 'demo']) {
        const data = join(makeDataFolder(), 'data');
        const ran = await spawnLoadout([name, '--data', data, '--port', '0', '--admin-port', '0']);
        expect([ran.code, ran.stdout]).toEqual([1, '']);
        expect(ran.stderr).toMatch(
          /^error: The delivery front end has no binary for Node .* run Loadout with Node 24 or 22 .*\.\n$/,
        );
        expect(existsSync(data)).toBe(false);
      }
    },
  );
});
