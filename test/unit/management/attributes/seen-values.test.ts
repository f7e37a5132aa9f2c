import { expect, it } from 'vitest';
import { seenAttributeRetention } from '../../../../src/management/attributes/seen-attribute-retention.js';
import { AttributesSeen } from '../../../../src/management/attributes/seen-attributes.js';
import type { SeenTraffic, SeenValues } from '../../../../src/published/traffic.js';
import { type Harness, startApi, startMs } from '../harness.js';

const silent = { warn: () => undefined };
const never = 3_600_000;
const dayMs = 24 * 3_600_000;

function valued(name: string, looked: number, values: SeenValues['values']): SeenTraffic {
  return { environment: 'dev', names: [name], values: [{ name, looked, values }], sampled: null };
}

async function report(api: Harness, seen: readonly SeenTraffic[], now = startMs): Promise<void> {
  const collected = new AttributesSeen(api.store, silent, () => now, never);
  for (const one of seen) collected.note([one]);
  await collected.close();
}

async function values(api: Harness): Promise<Record<string, unknown>> {
  const { body } = await api.dev('GET', '/attributes');
  return Object.fromEntries(
    body.attributes.map(({ name, values }: { name: string; values: unknown }) => [name, values]),
  );
}

it('are added up over processes and servers, the most frequent first', async () => {
  const api = await startApi();
  await report(api, [
    valued('country', 100, [
      ['"DE"', 60],
      ['"FR"', 30],
    ]),
    valued('country', 100, [['"FR"', 70]]),
    valued('vip', 10, [['true', 10]]),
  ]);
  await report(api, [valued('country', 200, [['"DE"', 60]])]);
  expect(await values(api)).toEqual({
    country: [
      { value: 'DE', share: 0.3 },
      { value: 'FR', share: 0.25 },
    ],
    vip: [{ value: true, share: 1 }],
  });
});

it('count for half after a fortnight, and are at most twenty of an attribute', async () => {
  const api = await startApi();
  await report(api, [valued('season', 1_000, [['"winter"', 1_000]])]);
  await report(api, [valued('season', 500, [['"spring"', 500]])], startMs + 14 * dayMs);
  const share = 0.5;
  expect(await values(api)).toEqual({
    season: expect.arrayContaining([
      { value: 'winter', share },
      { value: 'spring', share },
    ]),
  });
  const many = Array.from({ length: 30 }, (_, at) => [`${at}`, 100 + at] as const);
  await report(api, [valued('level', 10_000, many)]);
  const { level } = await values(api);
  expect(level).toHaveLength(20);
  expect((level as { value: number }[])[0]?.value).toBe(29);
});

it('are deleted with the setting, not taken while it is off, and go with the environment', async () => {
  const api = await startApi();
  const seen = [valued('country', 100, [['"DE"', 60]])];
  await report(api, seen);
  expect((await api.dev('PATCH', '', { traffic: 'names' })).body.traffic).toBe('names');
  expect(await values(api)).toEqual({ country: [] });
  // A process may report what it counted before.
  await report(api, seen);
  expect(await values(api)).toEqual({ country: [] });
  await api.dev('PATCH', '', { traffic: 'values' });
  await report(api, seen);
  expect(await values(api)).toEqual({ country: [{ value: 'DE', share: 0.6 }] });
  const audited = await api.call('GET', '/admin/v1/audit?action=environment.update');
  expect(JSON.stringify(audited.body)).toContain('"traffic":"names"');
  expect((await api.dev('DELETE', '')).status).toBe(200);
  await report(api, seen);
});

it('are forgotten when no request has carried the attribute for long', async () => {
  const api = await startApi();
  await report(api, [valued('old', 100, [['1', 60]])]);
  await report(api, [valued('recent', 100, [['1', 60]])], startMs + 60 * dayMs);
  const later = startMs + 100 * dayMs;
  await seenAttributeRetention(api.store, silent, () => later).runNow();
  const rows = await api.store.read((db) => db.selectFrom('seenValues').select('name').execute());
  expect(rows).toEqual([{ name: 'recent' }]);
});
