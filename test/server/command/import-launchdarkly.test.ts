/** Flags of LaunchDarkly imported by the real command into a real server, which must give what LaunchDarkly's SDK gives. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { init, type LDContext } from '@launchdarkly/node-server-sdk';
import { TestData } from '@launchdarkly/node-server-sdk/integrations';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type LaunchDarklyUser,
  launchDarklyUsers,
  randomFlags,
  type SdkData,
} from '../../support/importers/launchdarkly-flags.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { makeDataFolder, sharedServer } from '../../support/server/server.js';

const game = join(import.meta.dirname, '../../fixtures/exports/launchdarkly-game.json');
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

/** What LaunchDarkly's own SDK gives, offline. */
async function withOracle<T>(
  { flags, segments }: SdkData,
  use: (valuesFor: (user: LaunchDarklyUser) => Promise<Record<string, unknown>>) => Promise<T>,
): Promise<T> {
  const data = new TestData();
  for (const flag of Object.values(flags)) await data.usePreconfiguredFlag(flag);
  for (const segment of Object.values(segments)) await data.usePreconfiguredSegment(segment);
  const silent = { error() {}, warn() {}, info() {}, debug() {} };
  const client = init('sdk-key', {
    updateProcessor: data.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: silent,
  });
  try {
    await client.waitForInitialization({ timeout: 10 });
    return await use(async ({ user, device }) => {
      const values: Record<string, unknown> = {};
      const context: LDContext =
        device === null ? { kind: 'user', ...user } : { kind: 'multi', user, device };
      for (const key of Object.keys(flags)) {
        values[key] = await client.variation(key, context, 'fallback');
      }
      return values;
    });
  } finally {
    client.close();
  }
}

const bodyOf = ({
  user: { key, ...attributes },
  device,
}: LaunchDarklyUser): Record<string, unknown> => ({
  u: key,
  p: device === null ? attributes : { ...attributes, device },
});

describe('loadout import --from launchdarkly', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'gives all users what LaunchDarkly gives them (random flags %d)',
    async (seed) => {
      const data = randomFlags(seed);
      const env = await makeEnvironment(sharedServer());
      const args = [
        'import',
        '--from',
        'launchdarkly',
        fileOf(`random-${seed}.json`, data),
        '--env',
        env.id,
        '--yes',
      ];
      const { conversion } = await loadout.json(args);
      expect(conversion.counts['left-out']).toBe(0);
      await withOracle(data, async (valuesFor) => {
        for (const user of launchDarklyUsers) {
          const { json } = await env.wrapped('launchdarkly', bodyOf(user));
          expect(json.data, JSON.stringify(user)).toEqual(await valuesFor(user));
        }
      });
    },
  );

  it('gives shares to as many users, and the same users in flags of one seed', async () => {
    const rollout = (seed: number): object => ({
      seed,
      variations: [
        { variation: 0, weight: 12_345 },
        { variation: 1, weight: 67_655 },
        { variation: 2, weight: 20_000 },
      ],
    });
    const flag = (key: string, seed: number): object => ({
      key,
      on: true,
      salt: 's',
      variations: ['a', 'b', 'c'],
      fallthrough: { rollout: rollout(seed) },
      offVariation: 2,
    });
    const data = {
      flags: { one: flag('one', 7), two: flag('two', 7), three: flag('three', 8) },
      segments: {},
    };
    const env = await makeEnvironment(sharedServer());
    await loadout.run([
      'import',
      '--from',
      'launchdarkly',
      fileOf('shares.json', data),
      '--env',
      env.id,
      '--yes',
    ]);
    const users = 2000;
    const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
    let others = 0;
    for (let index = 0; index < users; index += 1) {
      const { data } = (await env.wrapped('launchdarkly', { u: `user-${index}` })).json;
      expect(data.one).toBe(data.two);
      others += Number(data.one !== data.three);
      counts[data.one] = (counts[data.one] ?? 0) + 1;
    }
    for (const [name, share] of [
      ['a', 0.12345],
      ['b', 0.67655],
      ['c', 0.2],
    ] as const) {
      const deviation = Math.sqrt(users * share * (1 - share));
      expect(Math.abs((counts[name] ?? 0) - users * share), name).toBeLessThan(4 * deviation);
    }
    expect(others).toBeGreaterThan(users / 10);
  });

  it('takes a project as the REST API gives it, for the environment that is chosen', async () => {
    const env = await makeEnvironment(sharedServer());
    const args = ['import', '--from', 'launchdarkly', game, '--env', env.id];
    const unclear = await loadout.try([...args, '--yes']);
    expect(unclear.code).toBe(1);
    expect(unclear.stderr).toContain('Choose an environment with --from-env: production, test.');
    const stopped = await loadout.try([...args, '--from-env', 'production', '--yes']);
    expect(stopped.code).toBe(3);
    expect(stopped.stdout).toContain(
      'whales: it is a big segment, whose members are not in the export',
    );
    expect((await env.catalog()).json.catalog).toEqual({});
    const go = [...args, '--from-env', 'production', '--as', 'flags', '--allow-left-out', '--yes'];
    await loadout.run(go);
    expect((await env.plain('flags')).text).toBe('{"new-shop":false,"price":4.990}');
    const tester = { u: 'ada', p: { country: 'PL', email: 'ada@studio.example' } };
    expect((await env.wrapped('flags', tester)).json.data).toEqual({
      'new-shop': true,
      price: 2.5,
    });
    expect(await env.segments('flags', tester)).toEqual(['testers', 'price: Europe']);
    const again = await loadout.json(go);
    expect(again.import.counts).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
  });
});
