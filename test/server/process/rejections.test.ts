/** Why requests are rejected, as people read it: over real ports, with ids and keys that hostile clients make up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryPoint } from '../../../src/contract/operations/health/history.js';
import type {
  RejectionReason,
  Rejections,
} from '../../../src/contract/operations/health/rejections.js';
import { eventually } from '../../support/eventually.js';
import {
  type Environment,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';

/** Delivery processes report every other second. */
const reportMillisMax = 20_000;

let server: LoadoutServer;
let game: Environment;

beforeAll(async () => {
  server = await startServer({ listeners: 2 });
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
});
afterAll(() => server.stop());

async function rejections(path = game.path): Promise<Rejections> {
  return expectDone(await server.admin('GET', `${path}/rejections`)).json;
}

/** What was counted as soon as all of it was reported. */
function counted(isThere: (rejections: Rejections) => boolean, path?: string): Promise<Rejections> {
  return eventually('the rejected requests were reported', reportMillisMax, async () => {
    const now = await rejections(path);
    return isThere(now) ? now : null;
  });
}

const reasonOf = ({ reasons }: Rejections, code: string): RejectionReason | undefined =>
  reasons.find((reason) => reason.code === code);

describe('a rejected request', () => {
  it('is counted by code, key and content', async () => {
    for (let player = 0; player < 8; player += 1) await game.wrapped('shop', { u: `${player}` });
    for (let player = 0; player < 5; player += 1) await game.plain('Shopp', { u: `${player}` });
    await game.wrapped('shop', '{');
    await game.wrapped('shop', 'x'.repeat(70_000));
    await game.ask('POST', '/api/v1/config/shop', '{}', { 'content-type': 'text/plain' });
    await game.flag('banner/title', { context: { targetingKey: 'ada' } });
    await game.ask('POST', '/api/v1/config/shop', {}, { 'x-min-sequence': 'soon' });
    const now = await counted(({ rejected }) => rejected >= 10);
    const key = { id: game.keyId, label: 'test', state: 'active' };
    const common = { environment: game.id, key };
    expect(reasonOf(now, 'content_not_found')).toMatchObject({
      ...{ ...common, status: 404, content: 'Shopp', contentExists: false, count: 5 },
    });
    for (const [code, status] of [
      ['invalid_body', 400],
      ['body_too_large', 413],
      ['invalid_content_type', 400],
      ['invalid_sequence', 400],
    ] as const) {
      expect(reasonOf(now, code)).toMatchObject({
        ...{ ...common, status, content: 'shop', contentExists: true, count: 1 },
      });
    }
    expect(reasonOf(now, 'flag_not_found')).toMatchObject({ content: 'banner', count: 1 });
    expect(now).toMatchObject({ requests: 18, rejected: 10, other: 0, nodes: 1 });
    expect(Date.parse(reasonOf(now, 'invalid_body')?.lastAt ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('for a sequence that does not come, or at too high a rate, has its key', async () => {
    const slow = await startServer({ listeners: 1, flags: ['--key-rate-max', '2'] });
    try {
      const busy = await makeEnvironment(slow);
      await busy.ask('POST', '/api/v1/config/shop', {}, { 'x-min-sequence': '999999999' });
      const asked = Array.from({ length: 60 }, () => busy.plain('shop'));
      const limited = (await Promise.all(asked)).filter(({ status }) => status === 429).length;
      expect(limited).toBeGreaterThan(0);
      const now = await eventually('all were reported', reportMillisMax, async () => {
        const { json } = await slow.admin('GET', `${busy.path}/rejections`);
        return json.rejected === 61 ? (json as Rejections) : null;
      });
      const key = { id: busy.keyId };
      expect(reasonOf(now, 'rate_limited')).toMatchObject({ status: 429, key, count: limited });
      expect(reasonOf(now, 'sequence_not_reached')).toMatchObject({ status: 503, content: 'shop' });
    } finally {
      await slow.stop();
    }
  });

  it('with a key that was revoked, or has expired, is of the environment of the key', async () => {
    const other = await makeEnvironment(server);
    const revoked = await makeKey(server, other.id, { label: 'build 1.2' });
    expectDone(await server.admin('DELETE', `${other.path}/keys/${revoked.id}`));
    const past = { label: 'trial', expiresAt: '2020-01-01T00:00:00Z' };
    const expired = await makeKey(server, other.id, past);
    for (const { key } of [revoked, revoked, expired]) {
      await other.ask('POST', '/api/v1/config/shop', {}, { 'x-api-key': key });
    }
    const now = await counted(({ rejected }) => rejected >= 3, other.path);
    expect(now.reasons).toMatchObject([
      { code: 'invalid_api_key', key: { label: 'build 1.2', state: 'revoked' }, count: 2 },
      { code: 'invalid_api_key', key: { label: 'trial', state: 'expired' }, count: 1 },
    ]);
    expect(now).toMatchObject({ requests: 3, rejected: 3 });
  });

  it('with a key that nothing knows shows no key, to owners its digest, to viewers none', async () => {
    for (let at = 0; at < 3; at += 1) {
      await game.ask('POST', '/api/v1/config/shop', {}, { 'x-api-key': 'lo_nobodys-key' });
    }
    await game.ask('POST', '/api/v1/config/shop', {}, { 'x-api-key': '' });
    const isUnknown = ({ keyDigest }: RejectionReason) => keyDigest !== null;
    const now = await counted(
      ({ reasons }) =>
        reasons.some((reason) => isUnknown(reason) && reason.count >= 3) &&
        reasons.some(({ code, environment, keyDigest }) => {
          return code === 'invalid_api_key' && environment === null && keyDigest === null;
        }),
      '/admin/v1',
    );
    expect(now.reasons.find(isUnknown)).toMatchObject({ key: null, environment: null, count: 3 });
    expect(JSON.stringify(now)).not.toContain('nobodys');
    const viewer = await server.admin('POST', '/admin/v1/users', { name: 'vera', role: 'viewer' });
    const seen = await send(server.adminUrl, '/admin/v1/rejections', {
      headers: { authorization: `Bearer ${viewer.json.token}` },
    });
    const unkeyed = (seen.json as Rejections).reasons.filter(({ key }) => key === null);
    expect(unkeyed.some(isUnknown)).toBe(false);
    expect(unkeyed.find(({ code }) => code === 'invalid_api_key')?.count).toBe(4);
  });
});

describe('ids that clients make up', () => {
  it('push no frequent reason out, and become no label of a metric', async () => {
    const hostile = await makeEnvironment(server);
    const ask = (id: string) => hostile.plain(encodeURIComponent(id), {});
    const madeUp = Array.from({ length: 1_500 }, (_, at) => `made-up-${at}-${'x'.repeat(400)}`);
    madeUp.push('<script>alert(1)</script>', '../../etc/passwd', '\u202Eevil\u0000', '"\\\n');
    for (let at = 0; at < madeUp.length; at += 100) {
      await Promise.all(madeUp.slice(at, at + 100).map(ask));
      await Promise.all(Array.from({ length: 20 }, () => ask('broken')));
    }
    const sent = madeUp.length + 20 * Math.ceil(madeUp.length / 100);
    const now = await counted(({ rejected }) => rejected >= sent, hostile.path);
    expect(now.rejected).toBe(sent);
    expect(now.reasons.length).toBeLessThanOrEqual(20);
    expect(now.reasons.some(({ content }) => content === 'broken')).toBe(true);
    for (const { content } of now.reasons) {
      expect(content ?? '').toMatch(/^[^\p{Cc}\p{Cf}]{0,200}$/u);
    }
    const { text } = await server.admin('GET', '/metrics');
    // But for the help, which speaks of descriptors.
    expect(text.replaceAll(/^# HELP .*$/gm, '')).not.toMatch(/made-up|broken|script|evil/);
  });
});

describe('the history of the server', () => {
  it('has the requests of the seconds before, and is there for viewers', async () => {
    const points = await eventually('a point was kept', 40_000, async () => {
      await game.plain('Shopp', { u: 'late' });
      const { json } = await server.admin('GET', '/admin/v1/health/history');
      return (json.points as HistoryPoint[]).some(({ rejected }) => rejected > 0)
        ? (json.points as HistoryPoint[])
        : null;
    });
    const codes = points.flatMap(({ rejectedByCode }) => Object.keys(rejectedByCode));
    expect(codes).toContain('content_not_found');
    expect(points.every(({ deliveryProcesses }) => deliveryProcesses.length > 0)).toBe(true);
  });

  it('goes with what is wrong: so many rejected requests are', async () => {
    const { json } = await server.admin('GET', '/admin/v1/health/findings');
    expect(json.state).not.toBe('healthy');
    const codes = json.findings.map(({ code }: { code: string }) => code);
    expect(codes).toContain('requests_rejected');
  });
});
