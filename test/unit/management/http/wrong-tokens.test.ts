import { describe, expect, it } from 'vitest';
import { addressRange, plainAddress } from '../../../../src/management/http/auth/address-range.js';
import { TokenBucket } from '../../../../src/management/http/auth/token-bucket.js';
import { WrongTokens } from '../../../../src/management/http/auth/wrong-tokens.js';
import {
  wrongTokenAddressesMax,
  wrongTokenRowsAtOnceMax,
  wrongTokensAudited,
} from '../../../../src/management/limits/sessions.js';
import { type Answer, type Harness, ownerToken, startApi, startMs } from '../harness.js';

const secondMs = 1_000;

describe('a token bucket', () => {
  it('gives so many at once, then so many a second, and never saves up more', () => {
    const bucket = new TokenBucket(2, 0.5, 0);
    expect([bucket.take(0), bucket.take(0), bucket.take(0)]).toEqual([true, true, false]);
    expect(bucket.secondsToWait(0)).toBe(2);
    expect(bucket.secondsToWait(1.5 * secondMs)).toBe(1);
    expect(bucket.take(2 * secondMs)).toBe(true);
    expect(bucket.isFull(5 * secondMs)).toBe(false);
    expect(bucket.isFull(6 * secondMs)).toBe(true);
    const later = 3_600 * secondMs;
    expect([bucket.take(later), bucket.take(later), bucket.take(later)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('takes a clock that steps back for one that stands still', () => {
    const bucket = new TokenBucket(1, 1, 10 * secondMs);
    bucket.take(10 * secondMs);
    expect(bucket.has(0)).toBe(false);
    expect(bucket.has(1 * secondMs)).toBe(true);
  });
});

describe('the range of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:bbbb:cccc:dddd:eeee', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unix', 'unix'],
    ['x'.repeat(10_000), 'x'.repeat(64)],
  ])('of %s is %s', (address, range) => {
    expect(addressRange(address)).toBe(range);
  });
});

describe('an address in the audit', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['x'.repeat(10_000), 'x'.repeat(64)],
  ])('for %s is %s', (address, plain) => {
    expect(plainAddress(address)).toBe(plain);
  });
});

describe('wrong tokens', () => {
  const limits = { atOnceMax: 3, atOnceMaxOverall: 10 };

  /** Seconds to wait, or 0 after a guess that was wrong. */
  function guess(wrong: WrongTokens, address: string, nowMs = 0): number {
    const seconds = wrong.secondsToWait(address, nowMs);
    if (seconds === 0) wrong.noteWrong(address, 'guess', nowMs);
    return seconds;
  }

  it('are slowed down by address, and others are not', () => {
    const wrong = new WrongTokens(limits, 0);
    const seconds = [1, 2, 3, 4].map(() => guess(wrong, '192.0.2.1'));
    expect(seconds).toEqual([0, 0, 0, 1]);
    expect(guess(wrong, '192.0.2.2')).toBe(0);
    expect(guess(wrong, '192.0.2.1', secondMs)).toBe(0);
    expect(guess(wrong, '192.0.2.1', secondMs)).toBe(1);
  });

  it('count before it is known that they are wrong, so that none slip through together', () => {
    const wrong = new WrongTokens(limits, 0);
    const together = [1, 2, 3, 4, 5].map(() => wrong.secondsToWait('192.0.2.1', 0));
    expect(together).toEqual([0, 0, 0, 1, 1]);
    wrong.noteRight('192.0.2.1', 'mine', 0);
    expect(guess(wrong, '192.0.2.1')).toBe(0);
    expect(guess(wrong, '192.0.2.1')).toBe(1);
  });

  it('from one network of IPv6 are from one caller', () => {
    const wrong = new WrongTokens(limits, 0);
    for (const host of ['1', '2', '3']) guess(wrong, `2001:db8::${host}`);
    expect(guess(wrong, '2001:db8::4')).toBe(1);
    expect(guess(wrong, '2001:db8:0:1::4')).toBe(0);
  });

  it('from many addresses are slowed down together', () => {
    const wrong = new WrongTokens(limits, 0);
    for (let host = 1; host <= 10; host += 1) expect(guess(wrong, `192.0.2.${host}`)).toBe(0);
    expect(guess(wrong, '198.51.100.1')).toBe(1);
    expect(guess(wrong, '198.51.100.1', secondMs)).toBe(0);
  });

  it('of more addresses than are remembered forget the one that was quiet longest', () => {
    const wrong = new WrongTokens({ atOnceMax: 1, atOnceMaxOverall: 1_000_000 }, 0);
    guess(wrong, '192.0.2.1');
    expect(guess(wrong, '192.0.2.1')).toBe(1);
    for (let count = 0; count < wrongTokenAddressesMax; count += 1) {
      guess(wrong, `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`);
    }
    expect(guess(wrong, '192.0.2.1')).toBe(0);
  });

  it('do not shut out a token that was right lately, until it is wrong itself', () => {
    const wrong = new WrongTokens(limits, 0);
    wrong.secondsToWait('192.0.2.1', 0);
    wrong.noteRight('192.0.2.1', 'mine', 0);
    for (let count = 0; count < 4; count += 1) guess(wrong, '192.0.2.1');
    expect([wrong.wasRight('mine'), wrong.wasRight('guess')]).toEqual([true, false]);
    wrong.noteWrong('192.0.2.1', 'mine', 0);
    expect(wrong.wasRight('mine')).toBe(false);
  });

  it('are told once for each series, and not for each address of a botnet', () => {
    const wrong = new WrongTokens({ atOnceMax: 100, atOnceMaxOverall: 1_000_000 }, 0);
    const told = (address: string, times: number, nowMs: number): number => {
      let rows = 0;
      for (let count = 0; count < times; count += 1) {
        if (wrong.secondsToWait(address, nowMs) > 0) continue;
        if (wrong.noteWrong(address, 'guess', nowMs) > 0) rows += 1;
      }
      return rows;
    };
    expect(told('192.0.2.1', wrongTokensAudited - 1, 0)).toBe(0);
    expect(told('192.0.2.1', 50, 0)).toBe(1);
    // Quiet for long enough, so that this is another series.
    expect(told('192.0.2.1', 50, 100 * secondMs)).toBe(1);
    let rows = 0;
    for (let host = 0; host < 100; host += 1) rows += told(`10.0.0.${host}`, 10, 100 * secondMs);
    expect(rows).toBeLessThanOrEqual(wrongTokenRowsAtOnceMax);
  });
});

describe('the admin API', () => {
  const limits = { atOnceMax: 3, atOnceMaxOverall: 1_000 };

  function me(api: Harness, token: string, address?: string): Promise<Answer> {
    if (address === undefined) return api.call('GET', '/admin/v1/me', undefined, token);
    return fetch(`${api.url}/admin/v1/me`, {
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    }).then(async (response) => {
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
    });
  }

  it('answers 429 with Retry-After to who tries tokens, and lets the right ones in', async () => {
    const clock = { ms: startMs };
    const api = await startApi({}, { wrongTokens: limits, now: () => clock.ms });
    for (let count = 0; count < 3; count += 1) expect((await me(api, 'wrong')).status).toBe(401);
    const slowed = await me(api, 'wrong');
    expect([slowed.status, slowed.body.code]).toEqual([429, 'rate_limited']);
    expect(slowed.headers.get('retry-after')).toBe('1');
    expect((await me(api, ownerToken)).status).toBe(200);
    clock.ms += secondMs;
    expect((await me(api, 'wrong')).status).toBe(401);
    expect((await me(api, 'wrong')).status).toBe(429);
  });

  it('lets no more guesses through at the same time than one after the other', async () => {
    const api = await startApi({}, { wrongTokens: limits });
    const guesses = Array.from({ length: 20 }, (_, count) => me(api, `guess-${count}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(17);
  });

  it('does not take a missing token for a wrong one', async () => {
    const api = await startApi({}, { wrongTokens: limits });
    for (let count = 0; count < 10; count += 1) {
      const refused = await api.call('GET', '/admin/v1/me', undefined, null);
      expect(refused.status).toBe(401);
    }
    expect((await me(api, 'wrong')).status).toBe(401);
  });

  it('lets a token in that it has not seen since its start, a moment later', async () => {
    const clock = { ms: startMs };
    const api = await startApi({}, { wrongTokens: limits, now: () => clock.ms });
    const made = await api.call('POST', '/admin/v1/users', { name: 'eve', role: 'viewer' });
    for (let count = 0; count < 3; count += 1) await me(api, 'wrong');
    expect((await me(api, made.body.token)).status).toBe(429);
    clock.ms += secondMs;
    expect((await me(api, made.body.token)).status).toBe(200);
  });

  it('records a series of wrong tokens in one row, without the tokens', async () => {
    const api = await startApi();
    for (let count = 0; count < 3 * wrongTokensAudited; count += 1) {
      await me(api, 'a-guess-that-is-wrong');
    }
    const { body, text } = await api.call('GET', '/admin/v1/audit?action=token.refuse');
    expect(body.events).toMatchObject([
      { userName: 'system', address: '127.0.0.1', details: { wrongTokens: wrongTokensAudited } },
    ]);
    expect(text).not.toContain('a-guess');
  });

  it('believes nobody who says to ask for another, unless it is a proxy that it was told of', async () => {
    const plain = await startApi({}, { wrongTokens: limits });
    for (let host = 1; host <= 3; host += 1) await me(plain, 'wrong', `192.0.2.${host}`);
    expect((await me(plain, 'wrong', '192.0.2.9')).status).toBe(429);

    const behind = await startApi(
      {},
      { wrongTokens: limits, trustedProxies: ['127.0.0.0/8', '10.0.0.1'] },
    );
    for (let count = 0; count < 3; count += 1) await me(behind, 'wrong', '192.0.2.1');
    expect((await me(behind, 'wrong', '192.0.2.1')).status).toBe(429);
    expect((await me(behind, 'wrong', '192.0.2.2')).status).toBe(401);
    // What somebody before the proxies claims does not count.
    expect((await me(behind, 'wrong', '192.0.2.3, 192.0.2.1, 10.0.0.1')).status).toBe(429);
  });

  it('records the address that the proxy names', async () => {
    const api = await startApi({}, { trustedProxies: ['127.0.0.1'] });
    await fetch(`${api.url}/admin/v1/environments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ownerToken}`,
        'content-type': 'application/json',
        'x-forwarded-for': '192.0.2.44',
      },
      body: '{"id":"made"}',
    });
    const { body } = await api.call('GET', '/admin/v1/audit?environment=made');
    expect(body.events[0].address).toBe('192.0.2.44');
  });
});
