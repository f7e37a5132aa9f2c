import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Publisher, type PublisherParts } from '../../../../src/management/publishing/publisher.js';
import type { NoChanges, PublishedChanges } from '../../../../src/management/store/store.js';
import { StoreDamaged, StoreUnavailable } from '../../../../src/management/store/store-errors.js';
import { PublishedDamaged } from '../../../../src/published/damage.js';
import type { PublishedPosition, PublishedStore } from '../../../../src/published/writer.js';
import { eventually } from '../../../support/eventually.js';

/** A store and a published.db that are only their numbers; the tests say when one of them fails. */
class Published {
  stored = 0;
  sequence = 0;
  mark = '';
  failing = false;
  storeAway = false;
  storeEmpty = false;
  lookedAt = 'store';
  refused = '';
  asked = 0;
  servesNothing = true;
  pruneFails = false;
  isServed = true;
  damaged = false;
  storeDamaged = false;
  diskFull = false;
  announcing: () => unknown = () => undefined;
  replaced = 0;
  streamKey = '';
  readonly writer = this;
  readonly announced: number[] = [];
  readonly rebuilt: number[] = [];
  readonly changesPruned: number[] = [];
  readonly parts: PublisherParts;
  readonly publisher: Publisher;

  constructor(acceptEmpty = false) {
    this.parts = {
      store: {
        id: 'store',
        streamKey: 'key',
        readChanges: async (after) => this.readChanges(after),
        readManyChanges: (_, __, use) => use({ ...this.newest, changes: nothing() }),
        readEverything: (_, use) => use({ ...this.newest, changes: nothing() }),
        look: async () => ({ id: this.lookedAt, servesNothing: this.storeEmpty }),
        moveBeyond: async ({ sequence }) => {
          this.stored = sequence + 1;
        },
        pruneChanges: async (before) => {
          this.changesPruned.push(before);
        },
      },
      file: this,
      announce: async (sequence) => {
        this.announcing();
        this.announced.push(sequence);
      },
      isServed: () => this.isServed,
      withoutReaders: async (work) => work(),
      log: pino({ level: 'silent' }),
      acceptEmpty,
    };
    this.publisher = new Publisher(this.parts);
    onTestFinished(() => this.publisher.close());
  }

  get position(): PublishedPosition {
    return { sequence: this.sequence, mark: this.mark };
  }

  get newest(): PublishedPosition {
    return { sequence: this.stored, mark: `mark-${this.stored}` };
  }

  readChanges(after: PublishedPosition): PublishedChanges | NoChanges {
    this.asked += 1;
    if (this.storeAway) throw new StoreUnavailable(null);
    if (after.sequence > this.stored) return 'ahead';
    const isOurs = after.sequence === 0 || after.mark.startsWith('mark-');
    return isOurs ? { ...this.newest, changes: [] } : 'lost';
  }

  apply({ sequence, mark }: PublishedPosition): void {
    if (this.failing) throw new Error('database is locked');
    if (this.damaged) throw new PublishedDamaged('published.db is damaged');
    this.sequence = sequence;
    this.mark = mark;
  }

  async applyMany(to: PublishedPosition): Promise<void> {
    this.apply(to);
  }

  async rebuild(to: PublishedPosition): Promise<void> {
    this.apply(to);
    this.rebuilt.push(to.sequence);
  }

  /** Another file, which is sound. */
  async replace(
    to: PublishedPosition,
    store: PublishedStore,
    __: unknown,
    alone: (work: () => void) => unknown,
  ) {
    if (this.diskFull) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
    if (this.storeDamaged) throw new StoreDamaged('The store', 'a text', 'restore it');
    await alone(() => {
      this.damaged = false;
      this.replaced += 1;
      this.setStore(store);
    });
    this.apply(to);
  }

  isSound(): boolean {
    return !this.damaged;
  }

  setStore({ streamKey }: PublishedStore): void {
    this.streamKey = streamKey;
  }

  get isOfOlderFormat(): boolean {
    return this.sequence > 0 && this.streamKey === '';
  }

  setRefused(storeId: string): void {
    this.refused = storeId;
  }

  pruneBodies(): number {
    if (this.pruneFails) throw new Error('database is locked');
    return 0;
  }

  publish(sequence: number): Promise<void> {
    this.stored = sequence;
    return this.publisher.publish(sequence);
  }
}

async function* nothing(): AsyncGenerator<never> {
  yield* [];
}

describe('the publisher', () => {
  it('publishes later what it could not publish, without another call', async () => {
    const published = new Published();
    await published.publish(1);
    published.failing = true;
    await expect(published.publish(2)).rejects.toThrow('database is locked');
    expect(published.publisher.failing).toBe(true);
    published.failing = false;
    await eventually('sequence 2 is announced', 2_000, () => published.announced.at(-1) === 2);
    expect(published.publisher.failing).toBe(false);
  });

  it('tries at once for an edit that comes while it waits to try again', async () => {
    const published = new Published();
    published.failing = true;
    for (const sequence of [1, 2, 3, 4, 5, 6, 7, 8]) {
      await expect(published.publish(sequence)).rejects.toThrow('database is locked');
    }
    published.failing = false;
    const startedAt = performance.now();
    await published.publish(9);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });

  it('rejects nobody because something old could not be removed', async () => {
    const published = new Published();
    published.pruneFails = true;
    await published.publisher.start();
    await published.publish(1);
    expect(published.publisher.failing).toBe(false);
  });

  it('prunes the change log now and then', async () => {
    const published = new Published();
    for (let sequence = 1; sequence <= 2_500; sequence++) await published.publish(sequence);
    expect(published.changesPruned).toHaveLength(2);
  });

  it('stops trying when it is closed', async () => {
    const published = new Published();
    published.failing = true;
    await expect(published.publish(1)).rejects.toThrow('database is locked');
    await published.publisher.close();
    published.failing = false;
    await expect(published.publish(2)).rejects.toThrow('closed');
    expect(published.announced).toEqual([]);
  });

  it('publishes what another node wrote when it is asked to look', async () => {
    const published = new Published();
    await published.publish(1);
    published.stored = 4;
    published.publisher.pull();
    await eventually('the other edit', 2_000, async () => published.announced.at(-1) === 4);
    published.publisher.pull();
    await published.publish(5);
    expect(published.announced).toEqual([1, 4, 5]);
  });

  it('starts with what it has while the store is away, and publishes when it is back', async () => {
    const published = new Published();
    published.apply({ sequence: 7, mark: 'mark-7' });
    published.storeAway = true;
    await published.publisher.start();
    expect(published.announced).toEqual([7]);
    expect(published.publisher).toMatchObject({ storeAway: true, failing: false });
    published.stored = 9;
    published.storeAway = false;
    await eventually('the edits of meanwhile', 5_000, async () => published.announced.at(-1) === 9);
    expect(published.publisher.storeAway).toBe(false);
  });

  it('does not start without a store when it has nothing to serve', async () => {
    const published = new Published();
    published.storeAway = true;
    await expect(published.publisher.start()).rejects.toThrow(StoreUnavailable);
  });

  it('moves a store that went back in time beyond what is served, and reads everything', async () => {
    const published = new Published();
    published.apply({ sequence: 90, mark: 'gone' });
    published.stored = 80;
    await published.publisher.start();
    expect(published.rebuilt).toEqual([91]);
    expect(published.announced).toEqual([91]);
  });

  it('does not replace what is served by an empty store, however much is written to that, unless it is told', async () => {
    const published = new Published();
    published.apply({ sequence: 90, mark: 'good' });
    published.servesNothing = false;
    published.storeEmpty = true;
    await published.publisher.start();
    expect(published.publisher).toMatchObject({ storeAway: true, failing: false });
    expect(published.publisher.refusal).toBeInstanceOf(Error);
    published.storeEmpty = false;
    await expect(published.publish(91)).rejects.toThrow('The store is empty');
    expect(published.rebuilt).toEqual([]);
    // The right one is back, as it was before what is served was made.
    published.lookedAt = 'another';
    await expect(published.publish(91)).resolves.toBeUndefined();
    expect(published.publisher.refusal).toBeNull();
    const told = new Published(true);
    told.apply({ sequence: 90, mark: 'good' });
    told.servesNothing = false;
    told.storeEmpty = true;
    await told.publisher.start();
    expect(told.rebuilt).toEqual([91]);
  });

  it('says by the mark that the former history is served until the other one is announced', async () => {
    const published = new Published();
    await published.publish(5);
    const served: PublishedPosition[] = [];
    published.announcing = () => served.push(published.publisher.served);
    published.stored = 3;
    published.publisher.pull();
    await eventually('the store moved beyond', 5_000, () => published.announced.at(-1) === 6);
    expect(served).toEqual([{ sequence: 5, mark: 'mark-5' }]);
    expect(published.publisher.served).toEqual({ sequence: 6, mark: 'mark-6' });
  });

  it('rejects who waits for a number that the store has lost, and does not go on asking for it', async () => {
    const published = new Published();
    await published.publish(4);
    await expect(published.publisher.publish(5)).rejects.toThrow('no sequence 5');
    const asked = published.asked;
    await pause(100);
    expect(published.asked).toBe(asked);
    await published.publish(6);
    expect(published.announced).toEqual([4, 6]);
  });

  it('has a damaged file replaced in the middle of an edit, which is then served', async () => {
    const published = new Published();
    await published.publish(1);
    published.damaged = true;
    await published.publish(2);
    expect([published.replaced, published.sequence]).toEqual([1, 2]);
    expect(published.announced).toEqual([1, 2]);
  });

  it('replaces a file that listeners report, once for all of them, and announces it to all', async () => {
    const published = new Published();
    await published.publish(1);
    for (let n = 0; n < 3; n += 1) published.publisher.repair(new PublishedDamaged('a body'));
    await eventually('another file', 5_000, () => published.announced.length === 2);
    expect(published.announced).toEqual([1, 1]);
    expect(published.replaced).toBe(1);
  });

  it('does not replace a file again and again: the second time comes later, and the third later yet', async () => {
    const published = new Published();
    await published.publish(1);
    const report = (): void => published.publisher.repair(new PublishedDamaged('a body'));
    const startedMs = performance.now();
    for (let count = 1; count <= 2; count += 1) {
      report();
      await eventually(`file ${count}`, 10_000, () => published.replaced === count);
    }
    expect(performance.now() - startedMs).toBeGreaterThan(900);
    report();
    await pause(1_100);
    expect(published.replaced).toBe(2);
  });

  it('goes on with edits while a damaged store cannot give another file, and asks it seldom', async () => {
    const published = new Published();
    await published.publish(1);
    published.storeDamaged = true;
    published.publisher.repair(new PublishedDamaged('a body'));
    await published.publish(2);
    published.storeDamaged = false;
    await published.publish(3);
    expect(published.replaced).toBe(0);
  });

  it('replaces a file of an earlier format once the store responds, and serves it until then', async () => {
    const published = new Published();
    await published.publish(3);
    published.streamKey = '';
    published.storeAway = true;
    const upgraded = new Publisher(published.parts);
    onTestFinished(() => upgraded.close());
    await upgraded.start();
    expect([upgraded.served.sequence, published.replaced, published.streamKey]).toEqual([3, 0, '']);
    published.storeAway = false;
    upgraded.resume();
    await eventually('another file', 5_000, () => published.replaced === 1);
    await eventually('it is announced', 5_000, () => published.announced.length === 3);
    expect(published.streamKey).toBe('key');
    await upgraded.publish(3);
    expect([published.replaced, published.announced]).toEqual([1, [3, 3, 3]]);
  });

  it('serves a file of an earlier format, and edits, while there is no room for another one', async () => {
    const published = new Published();
    await published.publish(3);
    published.streamKey = '';
    published.diskFull = true;
    const upgraded = new Publisher(published.parts);
    onTestFinished(() => upgraded.close());
    await upgraded.start();
    expect(upgraded.served).toEqual({ sequence: 3, mark: 'mark-3' });
    published.stored = 4;
    await upgraded.publish(4);
    expect([upgraded.served.sequence, published.replaced, published.streamKey]).toEqual([4, 0, '']);
    published.diskFull = false;
    await eventually('another file', 10_000, () => published.streamKey === 'key');
    expect(published.replaced).toBe(1);
  });

  it('looks at the file when a listener ended before it had read it', async () => {
    const published = new Published();
    await published.publish(1);
    published.publisher.repair(null);
    published.damaged = true;
    published.publisher.repair(null);
    await eventually('another file', 5_000, () => published.replaced === 1);
  });

  it('announces again what was served once, when nobody serves it any more', async () => {
    const published = new Published();
    await published.publish(1);
    await published.publisher.publish(1);
    expect(published.announced).toEqual([1]);
    published.isServed = false;
    await published.publisher.publish(1);
    expect(published.announced).toEqual([1, 1]);
  });
});
