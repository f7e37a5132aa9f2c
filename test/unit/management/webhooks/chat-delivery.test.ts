/** Messages on their way to a chat. Method: a receiver that holds them to the limits and rates that the service documents. */
import { describe, expect, it } from 'vitest';
import type { WebhookFormat } from '../../../../src/contract/events.js';
import { updateWebhook } from '../../../../src/management/webhooks/rows.js';
import { problemsOf } from '../../../support/wire/chat-limits.js';
import { type Reaction, status, WebhookReceiver } from '../../../support/wire/webhook-receiver.js';
import { tester } from '../harness.js';
import { Outbox } from './harness.js';

/** As the service answers: 429 where messages come faster than it takes them. */
function service(format: WebhookFormat, success: number, messages: number, withinMs: number) {
  const arrivals: number[] = [];
  const problems: string[] = [];
  const react: Reaction = (response, { text }) => {
    const nowMs = performance.now();
    const recent = arrivals.filter((arrivedMs) => nowMs - arrivedMs < withinMs);
    arrivals.push(nowMs);
    problems.push(...problemsOf(format, text));
    if (recent.length >= messages) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.writeHead(problems.length === 0 ? success : 400).end();
  };
  return { react, problems };
}

describe.each([
  // Timers of senders and receivers differ by some milliseconds.
  ['slack' as const, 200, 1, 990],
  ['discord' as const, 204, 5, 1_990],
  ['teams' as const, 202, 4, 990],
])('a webhook of %s', (format, success, messages, withinMs) => {
  it('is sent what happens no faster than the service takes it, each message once', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    const { react, problems } = service(format, success, messages, withinMs);
    receiver.react = react;
    const webhook = await outbox.webhook(receiver.url, { format, secret: '' });
    const count = messages + 2;
    for (let n = 0; n < count; n++) await outbox.happen();
    await outbox.dispatch();
    await receiver.have(count);
    await expect
      .poll(() => outbox.states(webhook), { timeout: 5_000 })
      .toEqual(Array.from({ length: count }, () => 'delivered 1'));
    expect(problems).toEqual([]);
    for (const { headers } of receiver.received) {
      expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
    }
  });

  it('rests as long as 429 asks, all of its messages', async () => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    const atMs: number[] = [];
    receiver.react = (response, received, arrived) => {
      atMs.push(performance.now());
      const answer = arrived === 1 ? status(429, { 'retry-after': '2' }) : status(success);
      answer(response, received, arrived);
    };
    const webhook = await outbox.webhook(receiver.url, { format, secret: '' });
    await outbox.happen();
    await outbox.dispatch();
    await receiver.have(1);
    await outbox.happen();
    await receiver.have(3);
    const [first = 0, second = 0] = atMs;
    expect(second - first).toBeGreaterThan(1_950);
    await expect.poll(() => outbox.states(webhook)).toEqual(['delivered 2', 'delivered 1']);
  });

  it('does not rest for what the URL before it asked', async () => {
    const outbox = await Outbox.open();
    const [full, free] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    full.react = status(429, { 'retry-after': '600' });
    free.react = status(success);
    const webhook = await outbox.webhook(full.url, { format, secret: '' });
    await outbox.dispatch();
    await outbox.happen();
    await expect.poll(() => outbox.states(webhook)).toEqual(['pending 1']);
    await outbox.store.write(tester, (write) => updateWebhook(write, webhook, { url: free.url }));
    await free.have(1);
    await expect.poll(() => outbox.states(webhook)).toEqual(['delivered 1']);
  });

  it.each([404, 410])('is switched off when the service answers %i, and says why', async (code) => {
    const outbox = await Outbox.open();
    const receiver = await WebhookReceiver.start();
    receiver.react = status(code);
    const webhook = await outbox.webhook(receiver.url, { format, secret: '' });
    await outbox.dispatch();
    await outbox.happen();
    await expect.poll(async () => (await outbox.find(webhook)).disabledAtMs).not.toBeNull();
    const why =
      code === 404
        ? 'it answered 404: the chat does not know this URL any more; make a new one there'
        : 'it answered 410: the channel is archived, or the URL was removed';
    expect((await outbox.find(webhook)).disabledReason).toBe(why);
    expect(await outbox.states(webhook)).toEqual(['failed 1']);
  });
});

it('404 is for other receivers what it was: tried again', async () => {
  const outbox = await Outbox.open();
  const receiver = await WebhookReceiver.start();
  receiver.react = (response, received, count) =>
    status(count === 1 ? 404 : 204)(response, received, count);
  const webhook = await outbox.webhook(receiver.url);
  await outbox.dispatch();
  await outbox.happen();
  await expect.poll(() => outbox.states(webhook)).toEqual(['delivered 2']);
});
