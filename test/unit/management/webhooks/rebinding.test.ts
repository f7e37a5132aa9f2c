/** Names whose answers are an attacker's: what a name server says is all that is made up here. */
import dns, { type LookupAddress } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Attempt, sendMessage } from '../../../../src/management/webhooks/send-message.js';
import { makeSigningSecret } from '../../../../src/management/webhooks/signature.js';
import { WebhookReceiver } from '../../../support/wire/webhook-receiver.js';

const names = { answers: [] as string[][], asked: 0 };

const original = dns.lookup;

function answerNames(
  name: string,
  options: object,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
): void {
  // Others look up where they listen.
  if (!name.endsWith('.studio.example')) {
    (original as (...given: unknown[]) => void)(name, options, done);
    return;
  }
  const addresses = names.answers[names.asked++] ?? [];
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  setImmediate(done, null, found);
}

beforeAll(() => {
  dns.lookup = answerNames as typeof dns.lookup;
});
afterAll(() => {
  dns.lookup = original;
});

function post(port: number): Promise<Attempt> {
  return sendMessage(
    {
      id: 'evt_1',
      url: `http://bots.studio.example:${port}/`,
      format: 'loadout',
      secrets: [makeSigningSecret()],
      body: '{}',
    },
    {
      toLocal: false,
      now: Date.now,
      signal: new AbortController().signal,
      attemptMsMax: 300,
    },
  );
}

beforeEach(() => {
  names.asked = 0;
});

describe('a name that leads to this machine', () => {
  it.each([
    ['127.0.0.1', 'a loopback address'],
    ['::1', 'a loopback address'],
    ['::ffff:127.0.0.1', 'a loopback address'],
    ['169.254.169.254', 'a link-local address'],
    ['0.0.0.0', 'the unspecified address'],
  ])('is refused when it answers %s', async (address, kind) => {
    const receiver = await WebhookReceiver.start();
    names.answers = [[address]];
    const attempt = await post(receiver.port);
    expect(attempt).toMatchObject({ status: null });
    expect(attempt.error).toBe(`bots.studio.example leads to ${address}, which is ${kind}.`);
    expect(receiver.received).toEqual([]);
  });

  it('is refused when only one of its addresses is of this machine', async () => {
    const receiver = await WebhookReceiver.start();
    names.answers = [['10.255.255.1', '127.0.0.1']];
    expect((await post(receiver.port)).error).toMatch(/which is a loopback address/);
    expect(receiver.received).toEqual([]);
  });

  it('gains nothing by another answer the first time: it is asked once, and that address is used', async () => {
    const receiver = await WebhookReceiver.start();
    // A private address that nobody has here.
    names.answers = [['10.255.255.1'], ['127.0.0.1'], ['127.0.0.1']];
    expect(await post(receiver.port)).toMatchObject({ status: null });
    expect(names.asked).toBe(1);
    expect(receiver.received).toEqual([]);
  });

  it('is told when it leads nowhere', async () => {
    names.answers = [[]];
    expect((await post(80)).error).toBe('bots.studio.example leads nowhere.');
  });
});
