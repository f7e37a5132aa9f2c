import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultBatchLimits } from '../../../../src/analysis/storage/batches.js';
import { compact } from '../../../../src/analysis/storage/compaction.js';
import { HttpSink } from '../../../../src/analysis/storage/http/http-sink.js';
import { StorageFailed } from '../../../../src/analysis/storage/storage-failed.js';
import { forgetWaiting } from '../../../../src/analysis/storage/waiting-files.js';
import { TestCollector } from '../../../support/events/collector.js';
import {
  exposure,
  makeEventsFolder,
  noon,
  priceExperiment,
  purchase,
  sealFile,
} from './event-files.js';

/** Rows of some 220 bytes: 12,000 of them are three parts. */
const manyLines = Array.from({ length: 12_000 }, (_, at) => purchase(`user-${at}`, `${at}`));

class Sending {
  readonly events = makeEventsFolder();
  readonly collector: TestCollector;
  parts = 0;

  constructor(collector: TestCollector) {
    this.collector = collector;
  }

  /** As a process that starts anew. */
  compact(url: string = this.collector.url) {
    const progressed = (): void => {
      this.parts += 1;
    };
    const sink = new HttpSink({ events: this.events, url, progressed, responseMsMax: 1_000 });
    const limits = { ...defaultBatchLimits, filesMax: 1 };
    const parts = { events: this.events, sink, hashesIds: false, limits };
    return compact(parts, [priceExperiment], noon);
  }

  async failure(url?: string): Promise<StorageFailed> {
    const failed = await this.compact(url).then(
      () => null,
      (error: unknown) => error,
    );
    if (!(failed instanceof StorageFailed)) throw new Error('it has not failed');
    return failed;
  }

  get eids(): readonly string[] {
    return this.collector.rows.map(({ eid }) => eid);
  }
}

describe('events for a collector', () => {
  it('are rows of both tables, with the password as a header', async () => {
    const sending = new Sending(await TestCollector.start());
    sealFile(sending.events, [purchase('ann', '1', { k: 1 }), exposure('ann', 'high', '2')]);
    expect(await sending.compact()).toMatchObject({ events: 2, more: true });
    const [received] = sending.collector.taken;
    expect(received?.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      authorization: `Basic ${Buffer.from('collector:secret').toString('base64')}`,
    });
    expect(received?.rows).toEqual([
      {
        ...{ table: 'metric_events', environment: 'live', name: 'purchase', u: 'ann' },
        ...{ value: 4.99, trusted: true, at: '2026-11-24 11:59:59.000' },
        ...{ received_at: '2026-11-24 12:00:00.000', day: '2026-11-24', eid: '1' },
        attributes: null,
      },
      expect.objectContaining({ table: 'exposures', experiment: 'price-test', phase: 1 }),
    ]);
    expect(readdirSync(join(sending.events, 'pending'))).toEqual([]);
  });

  it('wait while the collector is down, responds with 500 or 401, or is too slow', async () => {
    const sending = new Sending(await TestCollector.start());
    sealFile(sending.events, [purchase('ann', '1')]);
    expect(await sending.failure('http://127.0.0.1:9/')).toMatchObject({
      reason: 'sink_unavailable',
    });
    for (const status of [500, 401]) {
      sending.collector.behave = () => status;
      const failed = await sending.failure();
      expect(failed).toMatchObject({ reason: 'sink_unavailable', retrySeconds: null });
      expect(failed.message).toBe(`The collector responds with ${status}: not now`);
      expect(failed.message).not.toContain('secret');
    }
    sending.collector.behave = () => null;
    expect((await sending.failure()).message).toMatch(/does not respond/);
    sending.collector.behave = (_, response) => {
      response.setHeader('retry-after', '7');
      return 503;
    };
    expect(await sending.failure()).toMatchObject({ retrySeconds: 7 });
    sending.collector.behave = () => 200;
    // More failures than a batch may have when it is the reason of them.
    expect(await sending.compact()).toMatchObject({ events: 1, setAside: 0 });
    expect(sending.eids).toEqual(['1']);
  });

  it('go on behind what was taken, whatever happens in between', async () => {
    const sending = new Sending(await TestCollector.start());
    sealFile(sending.events, manyLines);
    const { collector } = sending;
    collector.behave = (_, response) => {
      if (collector.taken.length === 0) return 200;
      response.destroy();
      return null;
    };
    expect(await sending.failure()).toMatchObject({ reason: 'sink_unavailable' });
    expect(sending.parts).toBe(1);
    collector.behave = () => 200;
    await sending.compact();
    expect(sending.eids).toEqual(manyLines.map(({ e }) => e.eid));
    expect(collector.taken.length).toBeGreaterThan(2);
  });

  it('are sent again where the response was lost: the key of the part is the same', async () => {
    const sending = new Sending(await TestCollector.start());
    sealFile(sending.events, [purchase('ann', '1')]);
    const { collector } = sending;
    collector.behave = (received, response) => {
      collector.taken.push(received);
      response.destroy();
      return null;
    };
    await sending.failure();
    collector.behave = () => 200;
    await sending.compact();
    expect(sending.eids).toEqual(['1', '1']);
    const keys = collector.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  });

  it('all arrive where a user was forgotten while the collector was down', async () => {
    const sending = new Sending(await TestCollector.start());
    sealFile(sending.events, manyLines);
    const { collector } = sending;
    collector.behave = () => (collector.taken.length === 0 ? 200 : 500);
    await sending.failure();
    const sent = sending.eids.length;
    // Of what was sent, and of what was not.
    for (const at of [1, sent + 1]) forgetWaiting(sending.events, 'live', `user-${at}`);
    collector.behave = () => 200;
    expect(await sending.compact()).toMatchObject({ unreadable: 0, setAside: 0 });
    const expected = manyLines.map(({ e }) => e.eid).filter((eid) => eid !== `${sent + 1}`);
    expect(sending.eids).toEqual(expected);
    const keys = collector.received.map(({ headers }) => headers['idempotency-key']);
    // The part that was refused begins at the same line, and ends at another one.
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('come in smaller parts for a collector that finds them too large', async () => {
    const sending = new Sending(await TestCollector.start());
    sealFile(sending.events, manyLines);
    sending.collector.behave = ({ rows }) => (rows.length > 700 ? 413 : 200);
    await sending.compact();
    expect(sending.eids).toEqual(manyLines.map(({ e }) => e.eid));
    sealFile(sending.events, [purchase('ann', '1')]);
    sending.collector.behave = () => 413;
    expect((await sending.failure()).message).toMatch(/413 to the rows of a single event/);
  });

  it('are not followed to another address', async () => {
    const sending = new Sending(await TestCollector.start());
    sealFile(sending.events, [purchase('ann', '1')]);
    sending.collector.behave = (_, response) => {
      response.setHeader('location', 'http://127.0.0.1:9/');
      return 302;
    };
    expect((await sending.failure()).message).toMatch(/responds with 302/);
    expect(existsSync(join(sending.events, 'pending'))).toBe(true);
  });
});
