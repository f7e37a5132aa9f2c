import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Rejections } from '../../../../src/contract/operations/health/rejections.js';
import { RequestMinutes } from '../../../../src/management/health/rejections/request-minutes.js';
import {
  type RejectedItems,
  type RejectionItem,
  rejectionText,
} from '../../../../src/published/request-report.js';
import { type Harness, startApi, startMs } from '../harness.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const none: RejectedItems = { items: [], offset: 0 };

interface Counted extends Partial<RejectionItem> {
  readonly count: number;
}

/** Rejected requests of a minute, as delivery processes report them. */
function rejectIn(minutes: RequestMinutes, reasons: readonly Counted[], requests = 0): void {
  const items = reasons.map(({ count, ...reason }) => {
    const missing = { code: 'content_not_found', status: 404, environment: 'dev' };
    return { ...missing, keyHash: '', content: '', ...reason, count };
  });
  const itemsOf = (isKeyed: boolean): RejectedItems => {
    const of = items.filter(({ environment }) => (environment !== '') === isKeyed);
    return { ...none, items: of.map((item) => [rejectionText(item), item.count, startMs]) };
  };
  minutes.add({
    requests: [['dev', requests]],
    rejected: items.map(({ environment, code, status, count }) => {
      return [environment, code, status, count] as const;
    }),
    keyed: itemsOf(true),
    unkeyed: itemsOf(false),
  });
}

async function start(): Promise<{ api: Harness; minutes: RequestMinutes }> {
  const minutes = new RequestMinutes(() => startMs);
  return { api: await startApi({}, { requests: minutes }), minutes };
}

async function listed(api: Harness, env: string | null = 'dev', token?: string) {
  const path = env === null ? 'rejections' : `environments/${env}/rejections`;
  const { body } = await api.call('GET', `/admin/v1/${path}`, undefined, token);
  return body as Rejections;
}

async function makeKey(api: Harness, label: string) {
  const { body } = await api.dev('POST', '/keys', { label });
  return { id: body.id as string, hash: sha256(body.key), prefix: body.prefix as string };
}

describe('the rejected requests of an environment', () => {
  it('name the key and the content, and say whether that exists', async () => {
    const { api, minutes } = await start();
    const key = await makeKey(api, 'iOS');
    await api.dev('PUT', '/contents/Shop', { text: '1', publish: false });
    rejectIn(
      minutes,
      [
        { count: 170, keyHash: key.hash, content: 'shop' },
        { count: 30, keyHash: key.hash, content: 'gone' },
      ],
      1_000,
    );
    const rejections = await listed(api);
    const { id, prefix } = key;
    expect(rejections).toMatchObject({ node: 'studio-1', nodes: 1, minutes: 0 });
    expect(rejections).toMatchObject({ requests: 1_000, rejected: 200, other: 0 });
    expect(rejections.state).toBe('attention');
    expect(rejections.codes).toEqual([{ code: 'content_not_found', status: 404, count: 200 }]);
    const common = { environment: 'dev', key: { id, prefix, label: 'iOS', state: 'active' } };
    expect(rejections.reasons).toMatchObject([
      { ...common, content: 'shop', contentExists: true, count: 170 },
      { ...common, content: 'gone', contentExists: false, count: 30 },
    ]);
  });

  it('include those with a revoked key, which delivery does not know any more', async () => {
    const { api, minutes } = await start();
    const key = await makeKey(api, 'old build');
    await api.dev('DELETE', `/keys/${key.id}`);
    const wrong = { code: 'invalid_api_key', status: 401, environment: '' };
    rejectIn(minutes, [{ ...wrong, keyHash: key.hash, count: 60 }], 40);
    const rejections = await listed(api);
    expect(rejections).toMatchObject({ requests: 100, rejected: 60, state: 'failing', other: 0 });
    expect(rejections.codes).toEqual([{ code: 'invalid_api_key', status: 401, count: 60 }]);
    const [reason] = rejections.reasons;
    expect(reason).toMatchObject({ key: { label: 'old build', state: 'revoked' } });
    expect(reason).toMatchObject({ environment: 'dev', keyDigest: null });
  });

  it('are those of an unknown environment: 404', async () => {
    const { api } = await start();
    const { status, body } = await api.call('GET', '/admin/v1/environments/no/rejections');
    expect([status, body.code]).toEqual([404, 'environment_not_found']);
  });
});

describe('texts from strangers', () => {
  it('are cut, and what is invisible in them is shown', async () => {
    const { api, minutes } = await start();
    const content = `\u0000\u202E<img>\n${'x'.repeat(500)}`;
    rejectIn(minutes, [{ count: 1, content }]);
    const [reason] = (await listed(api)).reasons;
    expect(reason?.content).toMatch(/^\\u\{0\}\\u\{202e\}<img>\\u\{a\}x+$/);
    expect(reason?.content?.length).toBeLessThan(160);
    expect(reason?.contentExists).toBe(false);
  });

  it('never show a key: its digest is cut, and only owners of all environments see that', async () => {
    const { api, minutes } = await start();
    const hash = sha256('lo_made-up');
    const wrong = { code: 'invalid_api_key', status: 401, environment: '' };
    rejectIn(minutes, [
      { ...wrong, keyHash: hash, count: 3 },
      { ...wrong, keyHash: sha256('lo_another'), count: 2 },
      { ...wrong, keyHash: '', count: 1 },
    ]);
    const seenBy = async (token?: string) =>
      (await listed(api, null, token)).reasons.map(({ keyDigest, count }) => [keyDigest, count]);
    const [most] = await seenBy();
    expect(most).toEqual([hash.slice(0, 12), 3]);
    const made = await api.call('POST', '/admin/v1/users', { name: 'vera', role: 'viewer' });
    expect(await seenBy(made.body.token)).toEqual([[null, 6]]);
  });
});

describe('the rejected requests of the server', () => {
  it('show users of some environments the reasons of those, and count the others', async () => {
    const { api, minutes } = await start();
    await api.call('POST', '/admin/v1/environments', { id: 'other' });
    rejectIn(minutes, [
      { count: 5, content: 'shop' },
      { count: 7, content: 'secret-plan', environment: 'other' },
    ]);
    const some = { name: 'ed', role: 'owner', environments: ['dev'] };
    const made = await api.call('POST', '/admin/v1/users', some);
    const seen = await listed(api, null, made.body.token);
    expect(seen.reasons.map(({ content }) => content)).toEqual(['shop']);
    expect(seen).toMatchObject({ rejected: 12, other: 7 });
    const all = await listed(api, null);
    expect(all.reasons.map(({ content }) => content)).toEqual(['secret-plan', 'shop']);
  });

  it('list at most twenty, and count the rest', async () => {
    const { api, minutes } = await start();
    const reasons = Array.from({ length: 50 }, (_, at) => ({ count: 1, content: `id-${at}` }));
    rejectIn(minutes, reasons);
    const rejections = await listed(api, null);
    expect(rejections.reasons).toHaveLength(20);
    expect(rejections.other).toBe(30);
  });
});
