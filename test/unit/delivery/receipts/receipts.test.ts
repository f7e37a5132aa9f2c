import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../src/delivery/http/exchange.js';
import { RequestRates } from '../../../../src/delivery/http/request-rates.js';
import {
  countedUsersPendingMax,
  receiptsBurstMax,
  receiptsEveryMs,
  receiptsPerKeyBurstMax,
  receiptsPerKeyPerSecondMax,
} from '../../../../src/delivery/limits.js';
import { StreamTokens } from '../../../../src/delivery/ofrep/stream-token.js';
import { ReceiptCounts } from '../../../../src/delivery/receipts/receipt-counts.js';
import { ReceiptRequests } from '../../../../src/delivery/receipts/receipt-requests.js';
import {
  type ReceiptEntry,
  ReceiptTokens,
} from '../../../../src/delivery/receipts/receipt-tokens.js';

const key = new Uint8Array(32).fill(7);
const tokens = new ReceiptTokens(() => key);
const entry: ReceiptEntry = { release: '4', run: 1, step: 0, slice: 'candidate' };

describe('a receipt', () => {
  const user = tokens.userHash('dev', 'ada');
  const receipt = tokens.seal('dev', user, [entry, { ...entry, release: '9', slice: 'control' }]);

  it('says what it was made for, on every node of the store', () => {
    const other = new ReceiptTokens(() => new Uint8Array(32).fill(7));
    expect(other.open(receipt, 'dev', other.userHash('dev', 'ada'))).toEqual([
      entry,
      { ...entry, release: '9', slice: 'control' },
    ]);
  });

  it('tells its holder nothing', () => {
    expect(Buffer.from(receipt, 'base64url').toString('latin1')).not.toMatch(/dev|candidate|ada/);
  });

  it.each([
    ['another user', receipt, 'dev', tokens.userHash('dev', 'bob')],
    ['another environment', receipt, 'live', user],
    ['a cut one', receipt.slice(0, -1), 'dev', user],
    [
      'a changed one',
      `${receipt.slice(0, -2)}${receipt.endsWith('AA') ? 'BB' : 'AA'}`,
      'dev',
      user,
    ],
    ['what is none', 'r1', 'dev', user],
    ['an empty one', '', 'dev', user],
    ['a long one', 'A'.repeat(100_000), 'dev', user],
  ])('does not open for %s', (_, text, environment, hash) => {
    expect(tokens.open(text, environment, hash)).toBeNull();
  });

  it('does not open when it was sealed with the key of another store, or for a stream', () => {
    const others = new ReceiptTokens(() => new Uint8Array(32).fill(8));
    expect(others.open(receipt, 'dev', others.userHash('dev', 'ada'))).toBeNull();
    const subject = { keyId: '0'.repeat(16), environmentId: 'dev', caller: null };
    const stream = new StreamTokens(() => key).seal(subject, Date.now());
    expect(tokens.open(stream.text, 'dev', user)).toBeNull();
  });

  it('is short enough with as many ramps as it is for', () => {
    const entries = Array.from({ length: 16 }, (_, at) => ({
      ...entry,
      release: `${at}`.repeat(9),
    }));
    const long = tokens.seal('e'.repeat(100), user, entries);
    expect(tokens.open(long, 'e'.repeat(100), user)).toEqual(entries);
  });
});

describe('counts', () => {
  const user = (userHash: string) => ({ environment: 'dev', userHash, networkHash: 'n' });
  const of = (counts: ReceiptCounts) => counts.take().flatMap(({ users }) => users);

  it('are of users, each once per step, with the first start and the first word', () => {
    const counts = new ReceiptCounts();
    counts.started(user('0'), [entry], 100);
    counts.reported(user('0'), [entry], true);
    counts.reported(user('0'), [entry], false);
    counts.started(user('0'), [entry], 200);
    expect(counts.take()).toEqual([
      {
        ...{ environment: 'dev', release: '4', run: 1, step: 0 },
        users: [{ userHash: '0', network: 'n', slice: 'candidate', startedAt: 100, ok: true }],
      },
    ]);
    expect(counts.take()).toEqual([]);
  });

  it('take another start before a word for a failure', () => {
    const counts = new ReceiptCounts();
    counts.started(user('0'), [entry], 100);
    counts.started(user('0'), [entry], 200);
    counts.reported(user('0'), [entry], true);
    expect(of(counts)).toMatchObject([{ startedAt: 100, ok: false }]);
  });

  it('know of a word whose start was reported before', () => {
    const counts = new ReceiptCounts();
    counts.reported(user('0'), [entry], true);
    expect(of(counts)).toMatchObject([{ startedAt: null, ok: true }]);
  });

  it('hold a limited number of users, chosen by their hash alone', () => {
    const counts = new ReceiptCounts(100);
    for (let at = 0; at < 10_000; at += 1) {
      const slice = at % 2 === 0 ? 'candidate' : 'control';
      counts.started(user(tokens.userHash('dev', `${at}`)), [{ ...entry, slice }], at);
    }
    const users = of(counts);
    expect(users.length).toBeGreaterThan(25);
    expect(users.length).toBeLessThanOrEqual(100);
    const highest = users
      .map(({ userHash }) => userHash)
      .sort()
      .at(-1) as string;
    const below = Array.from({ length: 10_000 }, (_, at) => tokens.userHash('dev', `${at}`));
    expect(below.filter((hash) => hash <= highest)).toHaveLength(users.length);
  });
});

describe('the rate of a sender', () => {
  it('is refilled as time passes, and is its own', () => {
    const rates = new RequestRates({ burst: 2, perSecond: 1, sendersMax: 10 });
    expect([0, 0, 0].map((ms) => rates.allows('a', ms))).toEqual([true, true, false]);
    expect(rates.allows('b', 0)).toBe(true);
    expect([1_000, 1_000].map((ms) => rates.allows('a', ms))).toEqual([true, false]);
  });

  it('is forgotten for the sender that was seen first, when there are too many', () => {
    const rates = new RequestRates({ burst: 1, perSecond: 0, sendersMax: 2 });
    for (const sender of ['a', 'b', 'c']) expect(rates.allows(sender, 0)).toBe(true);
    expect(['c', 'b', 'a'].map((sender) => rates.allows(sender, 0))).toEqual([false, false, true]);
  });

  it('is forgotten in the order in which senders were first seen, however many have come', () => {
    const rates = new RequestRates({ burst: 1, perSecond: 0, sendersMax: 1_000 });
    const senders = Array.from({ length: 10_000 }, (_, at) => `${at}`);
    expect(senders.every((sender) => rates.allows(sender, 0))).toBe(true);
    expect(senders.slice(-1_000).some((sender) => rates.allows(sender, 0))).toBe(false);
    expect(rates.allows('8999', 0)).toBe(true);
    expect(rates.allows('9000', 0)).toBe(true);
    expect(rates.allows('9002', 0)).toBe(false);
  });
});

describe('receipts of one API key', () => {
  const requests = () => new ReceiptRequests(tokens, new ReceiptCounts());
  /** Each from a network of its own. */
  const taken = (of: ReceiptRequests, key: string, count: number, nowMs: number): number => {
    let allowed = 0;
    for (let at = 0; at < count; at += 1) {
      if (of.rates.refusal(`${nowMs} ${at}`, key, nowMs) === null) allowed += 1;
    }
    return allowed;
  };

  it('are taken from many networks up to what a process can report', () => {
    const receipts = requests();
    expect(taken(receipts, 'game', receiptsPerKeyBurstMax + 100, 0)).toBe(receiptsPerKeyBurstMax);
    expect(receipts.rates.refusal('fresh', 'game', 0)).toMatchObject({ status: 429, retry: true });
    expect(receipts.rates.refusal('fresh', 'other game', 0)).toBeNull();
    expect(taken(receipts, 'game', receiptsPerKeyBurstMax, 1_000)).toBe(receiptsPerKeyPerSecondMax);
    const perReport = (receiptsPerKeyPerSecondMax * receiptsEveryMs) / 1_000;
    expect(perReport).toBe(countedUsersPendingMax);
  });

  it('are not used up by one network', () => {
    const receipts = requests();
    for (let at = 0; at < 2 * receiptsPerKeyBurstMax; at += 1)
      receipts.rates.refusal('one', 'game', 0);
    const left = receiptsPerKeyBurstMax - receiptsBurstMax;
    expect(taken(receipts, 'game', receiptsPerKeyBurstMax, 0)).toBe(left);
  });
});

describe('receipts of one user', () => {
  it('are bounded by its network, and count once however often they are sent', () => {
    const counts = new ReceiptCounts();
    const receipts = new ReceiptRequests(tokens, counts);
    const userHash = tokens.userHash('dev', 'ada');
    const text = tokens.seal('dev', userHash, [entry]);
    const exchange = { environment: { id: 'dev' }, respond: () => undefined };
    let allowed = 0;
    for (let at = 0; at < 1_000; at += 1) {
      if (receipts.rates.refusal('home', 'game', 0) !== null) continue;
      allowed += 1;
      const receipt = { u: 'ada', receipt: text, ok: at === 0 };
      receipts.respond(exchange as unknown as Exchange, receipt, 'home');
    }
    expect(allowed).toBe(receiptsBurstMax);
    expect(counts.take()).toMatchObject([{ users: [{ userHash, ok: true }] }]);
  });
});
