/** Remote Config templates imported by the real command into a real server, which must give what firebase-admin gives. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getRemoteConfig } from 'firebase-admin/remote-config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firebasePlayers, twinTemplates } from '../../support/importers/firebase-template.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { makeDataFolder, sharedServer } from '../../support/server/server.js';

const game = join(import.meta.dirname, '../../fixtures/exports/firebase-game.json');
const folder = makeDataFolder();
let loadout: CommandLine;

beforeAll(() => {
  loadout = new CommandLine(sharedServer());
});

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('loadout import --from firebase', () => {
  const app = initializeApp({ projectId: 'game' }, 'oracle');
  afterAll(() => deleteApp(app));

  it.each([1, 2, 3, 4])(
    'gives all players what Firebase gives them (random template %d)',
    async (seed) => {
      const { exported, evaluated, parameters } = twinTemplates(seed);
      const env = await makeEnvironment(sharedServer());
      const file = fileOf(`random-${seed}.json`, exported);
      await loadout.run(['import', '--from', 'firebase', file, '--env', env.id, '--yes']);
      const oracle = getRemoteConfig(app).initServerTemplate({ template: evaluated });
      let given = 0;
      for (const player of firebasePlayers) {
        const values = oracle.evaluate(player).getAll();
        const wanted = Object.fromEntries(
          Object.entries(values).map(([key, value]) => [key, value.asString()]),
        );
        const { json } = await env.wrapped('remote-config', { u: 'ada', p: player });
        expect(json.data, JSON.stringify(player)).toEqual(wanted);
        given += Object.keys(wanted).length;
      }
      expect(given).toBeGreaterThan((firebasePlayers.length * parameters.length) / 4);
    },
  );

  it('gives shares to as many players, disjoint where they were, and nobody without an id', async () => {
    const env = await makeEnvironment(sharedServer());
    const names = {
      low: 'percent <= 10',
      next: 'percent between 10 and 30',
      seeded: "percent('s') > 75",
    };
    const template = {
      conditions: Object.entries(names).map(([name, expression]) => ({ name, expression })),
      parameters: Object.fromEntries(
        Object.keys(names).map((name) => [
          name,
          {
            defaultValue: { value: 'false' },
            conditionalValues: { [name]: { value: 'true' } },
            valueType: 'BOOLEAN',
          },
        ]),
      ),
    };
    const file = fileOf('shares.json', JSON.stringify(template));
    const report = await loadout.json([
      'import',
      '--from',
      'firebase',
      file,
      '--env',
      env.id,
      '--yes',
    ]);
    expect(report.conversion.counts).toEqual({
      exact: 3,
      approximated: 3,
      'left-out': 0,
      'no-effect': 0,
    });
    const players = 2000;
    const counts = { low: 0, next: 0, seeded: 0, both: 0 };
    for (let index = 0; index < players; index += 1) {
      const { data } = (await env.wrapped('remote-config', { u: `player-${index}` })).json;
      for (const name of ['low', 'next', 'seeded'] as const) counts[name] += Number(data[name]);
      counts.both += Number(data.low && data.next);
    }
    for (const [name, share] of [
      ['low', 0.1],
      ['next', 0.2],
      ['seeded', 0.25],
    ] as const) {
      const deviation = Math.sqrt(players * share * (1 - share));
      expect(Math.abs(counts[name] - players * share), name).toBeLessThan(4 * deviation);
    }
    expect(counts.both).toBe(0);
    expect((await env.wrapped('remote-config', {})).json.data).toEqual({
      low: false,
      next: false,
      seeded: false,
    });
  });

  it('stops before something is left out, says what, and changes nothing', async () => {
    const env = await makeEnvironment(sharedServer());
    const stopped = await loadout.try([
      'import',
      '--from',
      'firebase',
      game,
      '--env',
      env.id,
      '--yes',
    ]);
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toContain('3 parts of the export would be left out');
    expect(stopped.stdout).toContain(
      'buyers: app.audiences is known to Firebase only; the condition never holds',
    );
    expect((await env.catalog()).json.catalog).toEqual({});
  });

  it('keeps types, digits and order of a game, and imports nothing the second time', async () => {
    const env = await makeEnvironment(sharedServer());
    const args = ['import', '--from', 'firebase', game, '--env', env.id, '--allow-left-out'];
    const dry = await loadout.run([...args, '--dry-run']);
    expect(dry).toContain('Would be: 2 added');
    expect((await env.catalog()).json.catalog).toEqual({});
    await loadout.run([...args, '--yes']);
    expect((await env.plain('remote-config')).text).toBe(
      '{"gravity":9.810,"welcome":"Hello","tutorial":true}',
    );
    expect((await env.plain('shop-offers')).text).toBe(
      '{"offers":{"sword": 1.10, "id": 9007199254740993},"price":5}'
        .replaceAll(': ', ':')
        .replaceAll(', ', ','),
    );
    const vip = { u: '', v: '2.1.0', p: { os: 'ios', country: 'US', tier: 'vip' } };
    expect((await env.wrapped('remote-config', vip)).json.data).toEqual({
      gravity: 3.7,
      welcome: 'Howdy',
      tutorial: true,
      intro: 'skip',
    });
    expect((await env.wrapped('Shop-offers', vip)).json.data.offers).toEqual({ shield: [1, 2] });
    const again = await loadout.json([...args, '--yes']);
    expect(again.import.counts).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
    expect(again.import.segments).toEqual([]);
  });

  it('opens conditions on the time within the window, on the clock of their zone', async () => {
    const env = await makeEnvironment(sharedServer());
    await loadout.run([
      'import',
      '--from',
      'firebase',
      game,
      '--env',
      env.id,
      '--allow-left-out',
      '--yes',
    ]);
    const at = async (time: string): Promise<unknown> => {
      const args = ['evaluate', 'remote-config', '--env', env.id, '--user', 'ada', '--at', time];
      return (await loadout.json(args)).answer.data.welcome;
    };
    expect(await at('2026-12-23T22:59:59Z')).toBe('Hello');
    expect(await at('2026-12-23T23:00:00Z')).toBeUndefined();
    expect(await at('2026-12-26T22:59:59Z')).toBeUndefined();
    expect(await at('2026-12-26T23:00:00Z')).toBe('Hello');
  });

  it('writes a folder for Git that imports to the same', async () => {
    const [direct, git] = [
      await makeEnvironment(sharedServer()),
      await makeEnvironment(sharedServer()),
    ];
    const args = ['import', '--from', 'firebase', game, '--allow-left-out'];
    await loadout.run([...args, '--env', direct.id, '--yes']);
    const dir = join(folder, 'git');
    await loadout.run([...args, '--to-dir', dir]);
    await loadout.run(['import', '--dir', dir, '--env', git.id, '--yes']);
    expect((await git.catalog()).json).toEqual((await direct.catalog()).json);
    expect(readFileSync(join(dir, 'remote-config.jsonc'), 'utf8')).toContain(
      '// Metres per second squared',
    );
  });
});
