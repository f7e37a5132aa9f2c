/** What becomes of a message that two servers sent, because the one took over while the other had not ended. */
import { describe, expect, it } from 'vitest';
import type { DeliveryWithBody } from '../../../../src/management/store/events/webhook-deliveries.js';
import { nextDelivery } from '../../../../src/management/store/events/webhook-deliveries.js';
import { recordAttempt } from '../../../../src/management/webhooks/record-attempt.js';
import { updateWebhook, type Webhook } from '../../../../src/management/webhooks/rows.js';
import { tester } from '../harness.js';
import { Outbox } from './harness.js';

const delivered = { status: 204, error: '', durationMs: 1, retryAfterMs: 0 };
const failed = { status: 500, error: 'It answered 500.', durationMs: 1, retryAfterMs: 0 };
const gone = { status: 410, error: 'It answered 410.', durationMs: 1, retryAfterMs: 0 };

describe('an attempt that is recorded late', () => {
  it('does not make a message that another server delivered wait again', async () => {
    const { outbox, webhook, sent, record } = await twice();
    await record(sent, delivered);
    await record(sent, failed);
    expect(await outbox.states(webhook)).toEqual(['delivered 1']);
    expect((await outbox.deliveries(webhook))[0]).toMatchObject({ lastStatus: 204, lastError: '' });
    expect(await outbox.find(webhook)).toMatchObject({ failures: 0 });
  });

  it('is the same failure when another server had it too, and counts once', async () => {
    const { outbox, webhook, sent, record } = await twice();
    await record(sent, failed);
    await record(sent, failed);
    expect(await outbox.states(webhook)).toEqual(['pending 1']);
    expect(await outbox.find(webhook)).toMatchObject({ failures: 1 });
  });

  it('ends the waiting when it arrived, though another server failed', async () => {
    const { outbox, webhook, sent, record } = await twice();
    await record(sent, failed);
    await record(sent, delivered);
    expect(await outbox.states(webhook)).toEqual(['delivered 2']);
    expect((await outbox.deliveries(webhook))[0]).toMatchObject({ nextAttemptAtMs: null });
    expect(await outbox.find(webhook)).toMatchObject({ failures: 0, failingSinceMs: null });
  });

  it('delivers a message once, however many servers did', async () => {
    const { outbox, webhook, sent, record } = await twice();
    await record(sent, delivered);
    await record(sent, delivered);
    expect(await outbox.states(webhook)).toEqual(['delivered 1']);
  });

  it('does not switch a webhook off for what another server delivered', async () => {
    const { outbox, webhook, sent, record } = await twice();
    await record(sent, delivered);
    expect(await record(sent, gone)).toEqual({ switchedOff: null });
    expect(await outbox.find(webhook)).toMatchObject({ disabledAtMs: null });
  });
});

it('does not hold it against a new URL that the one before is gone', async () => {
  const { outbox, webhook, sent, record } = await twice();
  await outbox.store.write(tester, (write) =>
    updateWebhook(write, webhook, { url: 'http://127.0.0.1:2/' }),
  );
  expect(await record(sent, gone)).toEqual({ switchedOff: null });
  expect(await outbox.find(webhook)).toMatchObject({ disabledAtMs: null });
  expect(await outbox.states(webhook)).toEqual(['pending 0']);
});

/** A message as both servers read it before either had an answer. */
async function twice() {
  const outbox = await Outbox.open();
  const webhook: Webhook = await outbox.webhook('http://127.0.0.1:1/');
  await outbox.happen();
  const next = await outbox.store.read((db) => nextDelivery(db, webhook.id, outbox.clock.now()));
  const sent = next.delivery!;
  const record = async (delivery: DeliveryWithBody, attempt: typeof failed) => {
    const { value } = await outbox.store.write(tester, (write) =>
      recordAttempt(
        write,
        delivery,
        { url: webhook.url, format: 'loadout' },
        attempt,
        0,
        [1_000, 1_000, 1_000],
      ),
    );
    return value;
  };
  return { outbox, webhook, sent, record };
}
