import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { webhooksMax } from '../../../../src/contract/limits.js';
import { StoreUnavailable } from '../../../../src/management/store/store-errors.js';
import {
  changeSecret,
  deleteWebhook,
  updateWebhook,
  type WebhookEdit,
} from '../../../../src/management/webhooks/rows.js';
import { makeSigningSecret } from '../../../../src/management/webhooks/signature.js';
import {
  type Received,
  status,
  verified,
  WebhookReceiver,
} from '../../../support/wire/webhook-receiver.js';
import { tester } from '../harness.js';
import { Outbox, secret } from './harness.js';

const labels = (received: readonly Received[]): string[] =>
  received.map(({ body }) => body.data.label);
const hourMs = 3_600_000;

describe('an event', () => {
  it('arrives signed at every webhook that listens, under one id', async () => {
    const outbox = await Outbox.open();
    const [one, two] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    await outbox.webhook(one.url);
    const second = await outbox.webhook(two.url, {
      environments: ['dev'],
      events: ['key.created'],
    });
    await outbox.dispatch();
    await outbox.happen();
    await Promise.all([one.have(1), two.have(1)]);
    expect(verified(secret, one.received[0]!)).toMatchObject({
      type: 'key.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { environment: 'dev', label: '1', by: 'tess' },
    });
    expect(two.received[0]!.headers['webhook-id']).toBe(one.received[0]!.headers['webhook-id']);
    await expect.poll(() => outbox.states(second)).toEqual(['delivered 1']);
    const [delivery] = await outbox.deliveries(second);
    expect(delivery).toMatchObject({ lastStatus: 204, lastError: '', nextAttemptAtMs: null });
    expect(delivery!.eventId).toBe(one.received[0]!.headers['webhook-id']);
  });

  it('is not told to who listens to others, nor to who is switched off', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    const deaf = [
      await outbox.webhook(receiver.url, { environments: ['prod'] }),
      await outbox.webhook(receiver.url, { events: ['key.revoked', 'content.deleted'] }),
      await outbox.webhook(receiver.url, { enabled: false }),
    ];
    await outbox.happen();
    for (const webhook of deaf) expect(await outbox.deliveries(webhook)).toEqual([]);
  });

  it('is undone with the write that made it', async () => {
    const outbox = await Outbox.open();
    const webhook = await outbox.webhook('http://127.0.0.1:1/');
    const failing = outbox.store.write(tester, async (write) => {
      await write.audit('segment.put', 'dev', 'whales');
      throw new Error('it fails');
    });
    await expect(failing).rejects.toThrow('it fails');
    expect(await outbox.deliveries(webhook)).toEqual([]);
  });

  it('is signed with both secrets for a day after a change', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    const webhook = await outbox.webhook(receiver.url);
    const fresh = makeSigningSecret();
    await outbox.store.write(tester, (write) => changeSecret(write, webhook.id, fresh));
    await outbox.dispatch();
    await outbox.happen();
    await receiver.have(1);
    for (const either of [secret, fresh]) verified(either, receiver.received[0]!);
    outbox.clock.aheadMs = 24 * hourMs;
    await outbox.happen();
    await receiver.have(2);
    const { headers } = receiver.received[1]!;
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(1);
  });
});

describe('a receiver that fails', () => {
  it('gets the message again, with the same id, until it takes it, and then the next ones in order', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = (response, received, count) =>
      status(count <= 3 ? 503 : 200)(response, received, count);
    const webhook = await outbox.webhook(receiver.url);
    await outbox.dispatch();
    for (let n = 0; n < 4; n++) await outbox.happen();
    await receiver.have(7);
    expect(labels(receiver.received)).toEqual(['1', '1', '1', '1', '2', '3', '4']);
    expect(
      new Set(receiver.received.slice(0, 4).map(({ headers }) => headers['webhook-id'])).size,
    ).toBe(1);
    await expect
      .poll(() => outbox.states(webhook))
      .toEqual(['delivered 4', 'delivered 1', 'delivered 1', 'delivered 1']);
    expect(await outbox.find(webhook)).toMatchObject({ failures: 0, failingSinceMs: null });
  });

  it('does not hold up the later messages for one that it never takes', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = (response, received, count) =>
      status(received.body.data.label === '1' ? 400 : 200)(response, received, count);
    const webhook = await outbox.webhook(receiver.url);
    await outbox.dispatch();
    await outbox.happen();
    await outbox.happen();
    await receiver.have(12);
    // Four attempts in order, then it lets the other one pass, and goes on to its end.
    expect(labels(receiver.received).slice(0, 5)).toEqual(['1', '1', '1', '1', '2']);
    await expect.poll(() => outbox.states(webhook)).toEqual(['failed 11', 'delivered 1']);
    const [failed] = await outbox.deliveries(webhook);
    expect(failed).toMatchObject({
      lastStatus: 400,
      lastError: 'It answered 400.',
      nextAttemptAtMs: null,
    });
  });

  it('is left alone for as long as it asks', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = status(429, { 'retry-after': '600' });
    const webhook = await outbox.webhook(receiver.url);
    await outbox.dispatch();
    await outbox.happen();
    await expect.poll(() => outbox.states(webhook)).toEqual(['pending 1']);
    const [delivery] = await outbox.deliveries(webhook);
    const waitMs = (delivery!.nextAttemptAtMs ?? 0) - (delivery!.lastAttemptAtMs ?? 0);
    expect(waitMs).toBe(600_000);
  });

  it('waits with no other message for as long as it asks of one', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = status(200, { 'retry-after': '600' });
    const webhook = await outbox.webhook(receiver.url);
    await outbox.dispatch();
    for (let n = 0; n < 2; n++) await outbox.happen();
    await receiver.have(2);
    await expect.poll(() => outbox.states(webhook)).toEqual(['delivered 1', 'delivered 1']);
  });

  it('delays nobody else while it hangs', async () => {
    const outbox = await Outbox.open();
    const [slow, quick] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    slow.react = () => undefined;
    const hanging = await outbox.webhook(slow.url);
    await outbox.webhook(quick.url);
    await outbox.dispatch({ attemptMsMax: 20_000 });
    for (let n = 0; n < 20; n++) await outbox.happen();
    await quick.have(20);
    expect(labels(quick.received)).toEqual(Array.from({ length: 20 }, (_, n) => `${n + 1}`));
    expect(slow.received).toHaveLength(1);
    expect(new Set(await outbox.states(hanging))).toEqual(new Set(['pending 0']));
  });

  it('delays nobody else when there are many like it, and is nothing to warn about', async () => {
    const outbox = await Outbox.open();
    const [slow, quick] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    slow.react = () => undefined;
    const warnings: Error[] = [];
    const heard = (warning: Error): void => void warnings.push(warning);
    process.on('warning', heard);
    onTestFinished(() => void process.off('warning', heard));
    for (let n = 0; n < webhooksMax - 1; n++) await outbox.webhook(slow.url);
    await outbox.webhook(quick.url);
    await outbox.dispatch({ attemptMsMax: 20_000 });
    await outbox.happen();
    await outbox.happen();
    await Promise.all([quick.have(2), slow.have(webhooksMax - 1)]);
    expect(labels(quick.received)).toEqual(['1', '2']);
    expect(slow.received).toHaveLength(webhooksMax - 1);
    expect(warnings).toEqual([]);
  });

  it('is not spoken to any more after 410, and says so', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = status(410);
    const webhook = await outbox.webhook(receiver.url);
    await outbox.dispatch();
    await outbox.happen();
    await expect.poll(async () => (await outbox.find(webhook)).disabledAtMs).not.toBeNull();
    expect((await outbox.find(webhook)).disabledReason).toBe('it answered 410 Gone');
    expect(await outbox.states(webhook)).toEqual(['failed 1']);
    await outbox.happen();
    expect(await outbox.states(webhook)).toEqual(['failed 1']);
    const event = await outbox.store.read((db) =>
      db
        .selectFrom('audit')
        .selectAll()
        .where('action', '=', 'webhook.disable')
        .executeTakeFirstOrThrow(),
    );
    expect(event).toMatchObject({
      name: webhook.id,
      userName: 'system',
      details: '{"reason":"it answered 410 Gone"}',
    });
  });

  it('is switched off after ten failures in a row within a day or more, not before', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = status(500);
    const webhook = await outbox.webhook(receiver.url);
    // Each attempt waits for the test to put the clock forward.
    const dispatcher = await outbox.dispatch({
      delaysMs: Array.from({ length: 30 }, () => 2 * hourMs),
    });
    await outbox.happen();
    for (let attempts = 1; attempts <= 13; attempts++) {
      await expect.poll(() => outbox.states(webhook)).toEqual([`pending ${attempts}`]);
      const { disabledAtMs, failures } = await outbox.find(webhook);
      // The 12th is 22 to 24.2 hours after the first, the 13th is more than 24.
      if (attempts < 12) expect(disabledAtMs).toBeNull();
      expect(failures).toBe(attempts);
      if (disabledAtMs !== null) break;
      outbox.clock.aheadMs += 2.2 * hourMs;
      dispatcher.wake(webhook.id);
    }
    const off = await outbox.find(webhook);
    expect(off.disabledAtMs).not.toBeNull();
    expect(off.disabledReason).toMatch(/^1[23] attempts in a row failed within 2[46] hours$/);
  });

  it('is not switched off for failures in a short time, nor for few in a long one', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = status(500);
    const webhook = await outbox.webhook(receiver.url);
    await outbox.dispatch({ delaysMs: [10] });
    for (let n = 0; n < 12; n++) await outbox.happen();
    await receiver.have(24);
    await expect.poll(async () => (await outbox.find(webhook)).failures).toBe(24);
    expect((await outbox.find(webhook)).disabledAtMs).toBeNull();

    const other = await outbox.webhook(receiver.url, { events: ['segment.deleted'] });
    outbox.clock.aheadMs += 100 * hourMs;
    await outbox.store.write(tester, (write) => write.audit('segment.delete', 'dev', 'whales'));
    await expect.poll(() => outbox.states(other)).toEqual(['failed 2']);
    expect((await outbox.find(other)).disabledAtMs).toBeNull();
  });

  it('gets what waited at once, oldest first, when it is switched on again', async () => {
    const { outbox, receiver, webhook, edit } = await failing();
    await edit({ enabled: false });
    expect(await outbox.find(webhook)).toMatchObject({ disabledReason: 'by hand' });
    receiver.react = status(200);
    await edit({ enabled: true });
    await receiver.have(3);
    expect(labels(receiver.received)).toEqual(['1', '1', '2']);
    await expect.poll(() => outbox.states(webhook)).toEqual(['delivered 1', 'delivered 1']);
    expect(await outbox.find(webhook)).toMatchObject({ disabledAtMs: null, failures: 0 });
  });

  it('is left behind when its webhook is led elsewhere: what waited goes there at once', async () => {
    const { outbox, receiver, webhook, edit } = await failing();
    await edit({ description: 'no reason to hurry' });
    const elsewhere = await WebhookReceiver.start();
    await edit({ url: elsewhere.url });
    await elsewhere.have(2);
    expect(labels(elsewhere.received)).toEqual(['1', '2']);
    expect(labels(receiver.received)).toEqual(['1']);
    await expect.poll(() => outbox.states(webhook)).toEqual(['delivered 1', 'delivered 1']);
    expect(await outbox.find(webhook)).toMatchObject({ failures: 0, failingSinceMs: null });
  });

  /** A webhook whose first message of two failed, and which is tried again in an hour. */
  async function failing() {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = status(500);
    const webhook = await outbox.webhook(receiver.url);
    const dispatcher = await outbox.dispatch({
      delaysMs: Array.from({ length: 10 }, () => hourMs),
    });
    await outbox.happen();
    await outbox.happen();
    await expect.poll(() => outbox.states(webhook)).toEqual(['pending 1', 'pending 0']);
    const edit = async (change: WebhookEdit): Promise<void> => {
      const before = await outbox.find(webhook);
      await outbox.store.write(tester, (write) => updateWebhook(write, before, change));
      dispatcher.wake(webhook.id);
    };
    return { outbox, receiver, webhook, edit };
  }
});

describe('a dispatcher', () => {
  it('sends at its start what an earlier one left', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    const webhook = await outbox.webhook(receiver.url);
    for (let n = 0; n < 3; n++) await outbox.happen();
    expect(await outbox.states(webhook)).toEqual(['pending 0', 'pending 0', 'pending 0']);
    await outbox.dispatch();
    await receiver.have(3);
    expect(labels(receiver.received)).toEqual(['1', '2', '3']);
  });

  it('gives a message under way a moment when it ends, and notes that it arrived', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    const webhook = await outbox.webhook(receiver.url);
    const dispatcher = await outbox.dispatch();
    const ended: Promise<void>[] = [];
    receiver.react = (response) => {
      ended.push(dispatcher.close());
      setTimeout(() => response.writeHead(204).end(), 100);
    };
    await outbox.happen();
    await outbox.happen();
    await receiver.have(1);
    await Promise.all(ended);
    expect(await outbox.states(webhook)).toEqual(['delivered 1', 'pending 0']);
  });

  it('ends in spite of a receiver that hangs, and does not count that as an attempt', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = () => undefined;
    const webhook = await outbox.webhook(receiver.url);
    const dispatcher = await outbox.dispatch({ attemptMsMax: 60_000 });
    await outbox.happen();
    await receiver.have(1);
    await dispatcher.close();
    expect(await outbox.states(webhook)).toEqual(['pending 0']);
    expect(await outbox.find(webhook)).toMatchObject({ failures: 0 });

    receiver.react = status(204);
    await outbox.dispatch();
    await receiver.have(2);
    await expect.poll(() => outbox.states(webhook)).toEqual(['delivered 1']);
  });

  it('gives up tests of webhooks when it ends', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = () => undefined;
    const dispatcher = await outbox.dispatch({ attemptMsMax: 60_000 });
    const about = { id: 'evt_1', url: receiver.url, format: 'loadout' as const };
    const message = { ...about, secrets: [secret], body: '{}' };
    const sending = dispatcher.send(message);
    await receiver.have(1);
    await dispatcher.close();
    expect(await sending).toMatchObject({ status: null });
  });

  it('sends again what it could not note as delivered, and goes on', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    const webhook = await outbox.webhook(receiver.url);
    await outbox.happen();
    await outbox.happen();
    const faults: unknown[] = [];
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (about: unknown) => void faults.push(about),
    };
    const write = vi.spyOn(outbox.store, 'write');
    write.mockRejectedValueOnce(new StoreUnavailable(new Error('the disk is full')));
    const dispatcher = await outbox.dispatch({ log });
    await expect.poll(() => faults).toMatchObject([{ webhook: webhook.id }]);
    expect(await outbox.states(webhook)).toEqual(['pending 0', 'pending 0']);
    dispatcher.wake(webhook.id);
    await receiver.have(3);
    expect(labels(receiver.received)).toEqual(['1', '1', '2']);
    await expect.poll(() => outbox.states(webhook)).toEqual(['delivered 1', 'delivered 1']);
  });

  it('is not disturbed by a webhook that is removed while a message to it is under way', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    const other = await WebhookReceiver.start();
    const webhook = await outbox.webhook(receiver.url);
    await outbox.webhook(other.url);
    receiver.react = (response) => {
      void outbox.store
        .write(tester, (write) => deleteWebhook(write, webhook))
        .then(() => response.writeHead(500).end());
    };
    await outbox.dispatch();
    await outbox.happen();
    await receiver.have(1);
    await outbox.happen();
    await other.have(2);
    expect(receiver.received).toHaveLength(1);
    expect(await outbox.deliveries(webhook)).toEqual([]);
  });

  it('sends nothing to this machine unless it is allowed to', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    const webhook = await outbox.webhook(`http://localhost:${receiver.port}/`);
    await outbox.dispatch({ toLocal: false, delaysMs: [] });
    await outbox.happen();
    await expect.poll(() => outbox.states(webhook)).toEqual(['failed 1']);
    expect((await outbox.deliveries(webhook))[0]!.lastError).toMatch(/this machine/);
    expect(receiver.received).toEqual([]);
  });
});
