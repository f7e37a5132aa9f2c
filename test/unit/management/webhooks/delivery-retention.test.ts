import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { deliveryRetention } from '../../../../src/management/webhooks/delivery-retention.js';
import { Outbox } from './harness.js';

const dayMs = 24 * 3_600_000;
const log = pino({ level: 'silent' });

describe('deliveries', () => {
  it('are kept for 30 days, whatever became of them', async () => {
    const outbox = await Outbox.open();
    const webhook = await outbox.webhook('https://example.com/');
    await outbox.happen();
    outbox.clock.aheadMs = 1_000;
    await outbox.happen();
    const [first, second] = await outbox.deliveries(webhook);
    let nowMs = (first?.createdAtMs ?? 0) + 30 * dayMs;
    const retention = deliveryRetention(outbox.store, log, () => nowMs);
    await retention.runNow();
    expect(await outbox.deliveries(webhook)).toHaveLength(2);
    nowMs += 1;
    await retention.runNow();
    expect(await outbox.deliveries(webhook)).toEqual([second]);
  });

  it('are not more than so many per webhook, the newest, removed a few at a time', async () => {
    const outbox = await Outbox.open();
    const [one, two] = [
      await outbox.webhook('https://example.com/'),
      await outbox.webhook('https://example.com/', { events: ['key.created'] }),
    ];
    for (let n = 0; n < 12; n++) await outbox.happen();
    const all = await outbox.deliveries(one);
    const rules = { keptMs: dayMs, keptPerWebhook: 5, removedAtOnce: 2 };
    const retention = deliveryRetention(outbox.store, log, outbox.clock.now, rules);
    await retention.runNow();
    expect(await outbox.deliveries(one)).toEqual(all.slice(-5));
    expect(await outbox.deliveries(two)).toHaveLength(5);
    await retention.runNow();
    expect(await outbox.deliveries(one)).toHaveLength(5);
  });
});
