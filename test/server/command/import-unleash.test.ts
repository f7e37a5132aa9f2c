/** Features of Unleash imported by the real command into a real server, which must give what Unleash's SDK gives. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, Unleash } from 'unleash-client';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  randomFeatures,
  type UnleashData,
  type UnleashUser,
  unleashUsers,
} from '../../support/importers/unleash-features.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { makeDataFolder, sharedServer } from '../../support/server/server.js';

const folder = makeDataFolder();
let loadout: CommandLine;

beforeAll(() => {
  loadout = new CommandLine(sharedServer());
});

function fileOf(name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

function exported(name: string): string {
  return join(import.meta.dirname, `../../fixtures/exports/${name}.json`);
}

/** Unleash's own SDK with what it would have loaded; nothing listens at its server's address. */
async function withOracle(
  data: UnleashData,
  use: (unleash: Unleash) => Promise<void>,
): Promise<void> {
  const unleash = new Unleash({
    appName: 'oracle',
    url: 'http://127.0.0.1:9/api',
    disableMetrics: true,
    refreshInterval: 0,
    backupPath: makeDataFolder(),
    bootstrap: { data: data.features as never, segments: data.segments as never },
    skipInstanceCountWarning: true,
  });
  unleash.on('error', () => undefined);
  unleash.on('warn', () => undefined);
  try {
    await new Promise((resolve) => unleash.once('ready', resolve));
    await use(unleash);
  } finally {
    unleash.destroy();
  }
}

/** What the converter makes of a feature: a boolean, or an object where the feature has variants. */
function givenValue(
  unleash: Unleash,
  feature: UnleashData['features'][number],
  user: UnleashUser,
): unknown {
  const context: Context = { ...user };
  const enabled = unleash.isEnabled(feature.name, context);
  const strategies = feature['strategies'] as readonly { readonly variants: readonly unknown[] }[];
  const lists = [
    feature['variants'] as readonly unknown[],
    ...strategies.map(({ variants }) => variants),
  ];
  if (lists.every(({ length }) => length === 0)) return enabled;
  const variant = unleash.getVariant(feature.name, context);
  if (!enabled) return { enabled: false };
  if (!variant.enabled) return { enabled: true };
  const value = { enabled: true, variant: variant.name };
  if (variant.payload === undefined) return value;
  const { type, value: text } = variant.payload;
  return { ...value, payload: type === 'string' ? text : JSON.parse(text) };
}

const bodyOf = ({ userId = '', properties }: UnleashUser): Record<string, unknown> => ({
  u: userId,
  p: properties,
});

describe('loadout import --from unleash', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'gives all users what Unleash gives them (random features %d)',
    async (seed) => {
      const data = randomFeatures(seed);
      const env = await makeEnvironment(sharedServer());
      const args = [
        'import',
        '--from',
        'unleash',
        fileOf(`random-${seed}.json`, data),
        '--env',
        env.id,
        '--yes',
      ];
      const { conversion } = await loadout.json([...args, '--allow-left-out']);
      const leftOut = new Set<string>();
      for (const { outcome, name } of conversion.findings)
        if (outcome === 'left-out') leftOut.add(name);
      const carried = data.features.filter(({ name }) => !leftOut.has(name));
      expect(carried.length).toBeGreaterThan(data.features.length / 2);
      await withOracle(data, async (unleash) => {
        for (const user of unleashUsers) {
          const { json } = await env.wrapped('unleash', bodyOf(user));
          for (const feature of carried) {
            const about = `${feature.name} ${JSON.stringify(user)}`;
            expect(json.data[feature.name], about).toEqual(givenValue(unleash, feature, user));
          }
        }
      });
    },
  );

  it('takes what Unleash 8.2.0 gave its SDK: segments, variants, payloads, dates, dependencies', async () => {
    const env = await makeEnvironment(sharedServer());
    const args = ['import', '--from', 'unleash', exported('unleash-client'), '--env', env.id];
    expect(await loadout.run([...args, '--dry-run'])).toContain('0 left out');
    expect((await env.catalog()).json.catalog).toEqual({});
    await loadout.run([...args, '--yes']);
    expect((await env.plain('unleash')).text).toBe(
      '{"boss":false,"double-xp":false,"new-shop":false,"price":{"enabled":false}}',
    );
    const polish = { u: 'ada', p: { country: 'PL', version: '2.1.0' } };
    expect(await env.segments('unleash', polish)).toEqual(['boss: strategy 1', 'European players']);
    expect((await env.wrapped('unleash', polish)).json.data).toMatchObject({
      boss: true,
      'new-shop': true,
    });
    const tester = { u: 'bo', p: { email: 'Bo@Studio.Example', version: '2.0.9' } };
    expect((await env.wrapped('unleash', tester)).json.data).toMatchObject({
      boss: false,
      'new-shop': true,
    });
    const at = async (time: string): Promise<unknown> => {
      const about = ['evaluate', 'unleash', '--env', env.id, '--user', 'ada', '--at', time];
      return (await loadout.json(about)).answer.data['double-xp'];
    };
    expect(await at('2026-12-24T00:00:00.000Z')).toBe(false);
    expect(await at('2026-12-24T00:00:00.001Z')).toBe(true);
    const again = await loadout.json([...args, '--yes']);
    expect(again.import.counts).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
  });

  it('gives shares and variants to as many users, with payloads in their types', async () => {
    const env = await makeEnvironment(sharedServer());
    await loadout.run([
      'import',
      '--from',
      'unleash',
      exported('unleash-client'),
      '--env',
      env.id,
      '--yes',
    ]);
    const users = 2000;
    const counts = { low: 0, high: 0, off: 0 };
    for (let index = 0; index < users; index += 1) {
      const { price } = (await env.wrapped('unleash', { u: `user-${index}`, p: { level: 12 } }))
        .json.data;
      if (!price.enabled) counts.off += 1;
      else counts[price.variant as 'low' | 'high'] += 1;
      if (price.variant === 'low') expect(price.payload).toBe(2.5);
      if (price.variant === 'high') expect(price.payload).toEqual({ price: 7.99 });
    }
    for (const [name, share] of [
      ['low', 0.2],
      ['high', 0.2],
      ['off', 0.6],
    ] as const) {
      const deviation = Math.sqrt(users * share * (1 - share));
      expect(Math.abs(counts[name] - users * share), name).toBeLessThan(4 * deviation);
    }
    expect((await env.wrapped('unleash', { p: { level: 12 } })).json.data.price).toEqual({
      enabled: false,
    });
  });

  it('stops at the export of its admin UI, which lacks the constraints of segments', async () => {
    const env = await makeEnvironment(sharedServer());
    const args = [
      'import',
      '--from',
      'unleash',
      exported('unleash-export'),
      '--env',
      env.id,
      '--yes',
    ];
    const stopped = await loadout.try(args);
    expect(stopped.code).toBe(3);
    expect(stopped.stdout).toContain(
      'European players: the export has its name, and not its constraints',
    );
    expect((await env.catalog()).json.catalog).toEqual({});
    await loadout.run([...args, '--allow-left-out']);
    const polish = { u: 'ada', p: { country: 'PL' } };
    expect((await env.wrapped('unleash', polish)).json.data['new-shop']).toBe(false);
  });
});
