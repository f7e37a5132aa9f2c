/** Background work that is taken up and given up any number of times, as the leadership of a fleet comes and goes. */
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditRetention } from '../../../../src/management/audit/retention.js';
import { type LeaderJob, LeaderJobs } from '../../../../src/management/jobs/leader-jobs.js';
import { PeriodicJob } from '../../../../src/management/jobs/periodic-job.js';
import { Housekeeping } from '../../../../src/management/retention/housekeeping.js';
import { systemActor } from '../../../../src/management/store/unit-of-work.js';
import { deliveryRetention } from '../../../../src/management/webhooks/delivery-retention.js';
import { WebhookDispatcher } from '../../../../src/management/webhooks/dispatcher.js';
import { status, WebhookReceiver } from '../../../support/wire/webhook-receiver.js';
import { Outbox, secret } from '../webhooks/harness.js';

const log = pino({ level: 'silent' });

describe('leader jobs', () => {
  it('are started and stopped one after the other, however fast they are asked for', async () => {
    const done: string[] = [];
    const jobs = new LeaderJobs([slowJob(done)]);
    void jobs.start();
    void jobs.start();
    void jobs.stop();
    void jobs.stop();
    void jobs.start();
    expect(jobs.leads).toBe(true);
    await jobs.stop();
    expect(done).toEqual(['start', 'stop', 'stopped', 'start', 'stop', 'stopped']);
    expect(jobs.leads).toBe(false);
  });

  it('are not started any more once they are closed', async () => {
    const done: string[] = [];
    const jobs = new LeaderJobs([slowJob(done)]);
    await jobs.start();
    void jobs.close();
    await jobs.start();
    await jobs.close();
    expect(done).toEqual(['start', 'close', 'closed']);
    expect(jobs.leads).toBe(false);
  });

  it('send what came while nobody did them, each time they are started anew', async () => {
    const { outbox, jobs } = await realJobs();
    const receiver = await WebhookReceiver.start();
    const webhook = await outbox.webhook(receiver.url);
    for (let round = 1; round <= 3; round++) {
      await outbox.happen();
      expect(receiver.received).toHaveLength(2 * round - 2);
      await jobs.start();
      await receiver.have(2 * round - 1);
      await outbox.happen();
      await receiver.have(2 * round);
      await expect
        .poll(() => outbox.states(webhook))
        .toEqual(Array.from({ length: 2 * round }, () => 'delivered 1'));
      await jobs.stop();
    }
  });

  it('are given up at once though a receiver hangs, and its message is no attempt', async () => {
    const { outbox, jobs } = await realJobs();
    const receiver = await WebhookReceiver.start();
    receiver.react = () => undefined;
    const webhook = await outbox.webhook(receiver.url);
    await jobs.start();
    await outbox.happen();
    await receiver.have(1);
    const beganMs = performance.now();
    await jobs.stop();
    // A close would have given the receiver three seconds.
    expect(performance.now() - beganMs).toBeLessThan(1_000);
    expect(await outbox.states(webhook)).toEqual(['pending 0']);
    receiver.react = status(204);
    await jobs.start();
    await receiver.have(2);
    await expect.poll(() => outbox.states(webhook)).toEqual(['delivered 1']);
  });

  it('are done by hand on a server that does not do them', async () => {
    const { webhooks, housekeeping } = await realJobs();
    const receiver = await WebhookReceiver.start();
    const about = { id: 'evt_1', url: receiver.url, format: 'loadout' as const };
    const message = { ...about, secrets: [secret], body: '{}' };
    expect(await webhooks.send(message)).toMatchObject({ status: 204, error: '' });
    const rules = { revisionsKept: 1, deletedDaysKept: 1 };
    const wish = { actor: systemActor, rules, dryRun: false, msMax: null };
    expect(await housekeeping.run(wish)).toMatchObject({ finished: true });
  });

  it('that are done by hand go on when the server stops doing them by itself', async () => {
    const { jobs, webhooks } = await realJobs();
    const receiver = await WebhookReceiver.start();
    receiver.react = (response) => {
      void jobs.stop().then(() => response.writeHead(204).end());
    };
    await jobs.start();
    const about = { id: 'evt_1', url: receiver.url, format: 'loadout' as const };
    const message = { ...about, secrets: [secret], body: '{}' };
    expect(await webhooks.send(message)).toMatchObject({ status: 204, error: '' });
  });
});

describe('runs of a periodic job', () => {
  it('follow each other from start to stop, which waits for the one under way', async () => {
    let [under, most, runs] = [0, 0, 0];
    const loop = new PeriodicJob(
      async (signal = new AbortController().signal) => {
        most = Math.max(most, ++under);
        runs++;
        await new Promise((resolve) => setImmediate(resolve));
        // The stop may come before the listener.
        if (runs >= 3 && !signal.aborted)
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        under--;
      },
      { firstMs: 0, everyMs: 1, log, event: 'test_failed', failed: '' },
    );
    loop.start();
    loop.start();
    await expect.poll(() => runs).toBe(3);
    await loop.stop();
    expect([under, most, runs]).toEqual([0, 1, 3]);
    await loop.stop();
    expect(runs).toBe(3);
  });

  it('do not overlap those of the start before', async () => {
    const order: string[] = [];
    let count = 0;
    const loop = new PeriodicJob(
      async (signal = new AbortController().signal) => {
        const name = ++count;
        order.push(`${name} begins`);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
      },
      { firstMs: 0, everyMs: 1, log, event: 'test_failed', failed: '' },
    );
    loop.start();
    await expect.poll(() => count).toBe(1);
    void loop.stop();
    loop.start();
    await expect.poll(() => count).toBe(2);
    await loop.stop();
    expect(order).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
  });

  it('go on after one that failed, which is logged with its event', async () => {
    const lines: unknown[] = [];
    let count = 0;
    const loop = new PeriodicJob(
      async () => {
        count += 1;
        if (count === 1) throw new Error('once');
      },
      {
        firstMs: 0,
        everyMs: 1,
        log: { warn: (...line: unknown[]) => void lines.push(line) },
        event: 'test_failed',
        failed: 'the test failed',
      },
    );
    loop.start();
    await expect.poll(() => count).toBeGreaterThan(2);
    await loop.stop();
    expect(lines).toEqual([[{ err: new Error('once'), event: 'test_failed' }, 'the test failed']]);
  });

  it('that are asked for by hand wait for the one under way, and say that they failed', async () => {
    const order: string[] = [];
    const job = new PeriodicJob(
      async () => {
        order.push('begins');
        await new Promise((resolve) => setImmediate(resolve));
        order.push('ends');
        if (order.length === 4) throw new Error('second');
      },
      { firstMs: 0, everyMs: 1, log, event: 'test_failed', failed: '' },
    );
    const [first, second] = [job.runNow(), job.runNow()];
    await first;
    await expect(second).rejects.toThrow('second');
    expect(order).toEqual(['begins', 'ends', 'begins', 'ends']);
    await job.close();
  });
});

/** Records its calls, and takes its time. */
function slowJob(done: string[]): LeaderJob {
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
async function realJobs() {
  const outbox = await Outbox.open();
  const { store, clock } = outbox;
  const rules = { revisionsKept: null, deletedDaysKept: null };
  const housekeeping = new Housekeeping({ store, rules, now: clock.now, log });
  const webhooks = new WebhookDispatcher({ store, log, now: clock.now, toLocal: true });
  const jobs = new LeaderJobs([
    housekeeping,
    auditRetention(store, log, clock.now, 1),
    deliveryRetention(store, log, clock.now),
    webhooks,
  ]);
  onTestFinished(() => jobs.close());
  return { outbox, jobs, housekeeping, webhooks };
}
