/** Background work that is taken up and given up any number of times, as the leadership of a fleet comes and goes. */
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AuditRetention } from '../../../../src/management/audit/retention.js';
import { type LeaderJob, LeaderJobs } from '../../../../src/management/jobs/leader-jobs.js';
import { PeriodicJob } from '../../../../src/management/jobs/periodic-job.js';
import { Housekeeping } from '../../../../src/management/retention/housekeeping.js';
import { systemActor } from '../../../../src/management/store/unit-of-work.js';
import { DeliveryRetention } from '../../../../src/management/webhooks/delivery-retention.js';
import { WebhookDispatcher } from '../../../../src/management/webhooks/dispatcher.js';
import { status, WebhookReceiver } from '../../../support/wire/webhook-receiver.js';
import { Outbox, secret } from '../webhooks/harness.js';

const log = pino({ level: 'silent' });

describe('chores', () => {
  it('are started and stopped one after the other, however fast they are asked for', async () => {
    const done: string[] = [];
    const chores = new LeaderJobs([slowChore(done)]);
    void chores.start();
    void chores.start();
    void chores.stop();
    void chores.stop();
    void chores.start();
    expect(chores.doing).toBe(true);
    await chores.stop();
    expect(done).toEqual(['start', 'stop', 'stopped', 'start', 'stop', 'stopped']);
    expect(chores.doing).toBe(false);
  });

  it('are not started any more once they are closed', async () => {
    const done: string[] = [];
    const chores = new LeaderJobs([slowChore(done)]);
    await chores.start();
    void chores.close();
    await chores.start();
    await chores.close();
    expect(done).toEqual(['start', 'close', 'closed']);
    expect(chores.doing).toBe(false);
  });

  it('send what came while nobody did them, each time they are started anew', async () => {
    const { outbox, chores } = await realChores();
    const receiver = await WebhookReceiver.start();
    const webhook = await outbox.webhook(receiver.url);
    for (let round = 1; round <= 3; round++) {
      await outbox.happen();
      expect(receiver.received).toHaveLength(2 * round - 2);
      await chores.start();
      await receiver.have(2 * round - 1);
      await outbox.happen();
      await receiver.have(2 * round);
      await expect
        .poll(() => outbox.states(webhook))
        .toEqual(Array.from({ length: 2 * round }, () => 'delivered 1'));
      await chores.stop();
    }
  });

  it('are given up at once though a receiver hangs, and its message is no attempt', async () => {
    const { outbox, chores } = await realChores();
    const receiver = await WebhookReceiver.start();
    receiver.react = () => undefined;
    const webhook = await outbox.webhook(receiver.url);
    await chores.start();
    await outbox.happen();
    await receiver.have(1);
    const beganMs = performance.now();
    await chores.stop();
    // A close would have given the receiver three seconds.
    expect(performance.now() - beganMs).toBeLessThan(1_000);
    expect(await outbox.states(webhook)).toEqual(['pending 0']);
    receiver.react = status(204);
    await chores.start();
    await receiver.have(2);
    await expect.poll(() => outbox.states(webhook)).toEqual(['delivered 1']);
  });

  it('are done by hand on a server that does not do them', async () => {
    const { webhooks, housekeeping } = await realChores();
    const receiver = await WebhookReceiver.start();
    const message = { id: 'evt_1', url: receiver.url, secrets: [secret], body: '{}' };
    expect(await webhooks.send(message)).toMatchObject({ status: 204, error: '' });
    const rules = { revisionsKept: 1, deletedDaysKept: 1 };
    const wish = { actor: systemActor, rules, dryRun: false, msMax: null };
    expect(await housekeeping.run(wish)).toMatchObject({ finished: true });
  });

  it('that are done by hand go on when the server stops doing them by itself', async () => {
    const { chores, webhooks } = await realChores();
    const receiver = await WebhookReceiver.start();
    receiver.react = (response) => {
      void chores.stop().then(() => response.writeHead(204).end());
    };
    await chores.start();
    const message = { id: 'evt_1', url: receiver.url, secrets: [secret], body: '{}' };
    expect(await webhooks.send(message)).toMatchObject({ status: 204, error: '' });
  });
});

describe('rounds', () => {
  it('follow each other from start to stop, which waits for the one under way', async () => {
    let [under, most, rounds] = [0, 0, 0];
    const loop = new PeriodicJob(
      async (signal) => {
        most = Math.max(most, ++under);
        rounds++;
        await new Promise((resolve) => setImmediate(resolve));
        if (rounds >= 3) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        under--;
      },
      { firstMs: 0, everyMs: 1 },
    );
    loop.start();
    loop.start();
    await expect.poll(() => rounds).toBe(3);
    await loop.stop();
    expect([under, most, rounds]).toEqual([0, 1, 3]);
    await loop.stop();
    expect(rounds).toBe(3);
  });

  it('do not overlap those of the start before', async () => {
    const order: string[] = [];
    let count = 0;
    const loop = new PeriodicJob(
      async (signal) => {
        const name = ++count;
        order.push(`${name} begins`);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
      },
      { firstMs: 0, everyMs: 1 },
    );
    loop.start();
    await expect.poll(() => count).toBe(1);
    void loop.stop();
    loop.start();
    await expect.poll(() => count).toBe(2);
    await loop.stop();
    expect(order).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
  });
});

/** Notes what it is told, and takes its time. */
function slowChore(done: string[]): LeaderJob {
  const end = async (word: string): Promise<void> => {
    done.push(word);
    await new Promise((resolve) => setImmediate(resolve));
    done.push(word === 'stop' ? 'stopped' : 'closed');
  };
  return {
    start: () => void done.push('start'),
    stop: () => end('stop'),
    close: () => end('close'),
  };
}

/** All of them over a store, not started. */
async function realChores() {
  const outbox = await Outbox.open();
  const { store, clock } = outbox;
  const rules = { revisionsKept: null, deletedDaysKept: null };
  const housekeeping = new Housekeeping({ store, rules, now: clock.now, log });
  const webhooks = new WebhookDispatcher({ store, log, now: clock.now, toLocal: true });
  const chores = new LeaderJobs([
    housekeeping,
    new AuditRetention(store, log, clock.now, 1),
    new DeliveryRetention(store, log, clock.now),
    webhooks,
  ]);
  onTestFinished(() => chores.close());
  return { outbox, chores, housekeeping, webhooks };
}
