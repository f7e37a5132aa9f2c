import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Publisher, type PublisherParts } from '../../../src/management/publisher.js';
import { eventually } from '../../support/eventually.js';

/** A store and a published.db that are only their numbers; the tests say when one of them fails. */
class Published {
  stored = 0;
  sequence = 0;
  failing = false;
  pruneFails = false;
  readonly announced: number[] = [];
  readonly changesPruned: number[] = [];
  readonly publisher: Publisher;

  constructor() {
    const parts: PublisherParts = {
      store: {
        readChanges: async () => ({ sequence: this.stored, changes: [] }),
        readManyChanges: (_, use) => use({ sequence: this.stored, changes: nothing() }),
        readEverything: (use) => use({ sequence: this.stored, changes: nothing() }),
        pruneChanges: async (before) => {
          this.changesPruned.push(before);
        },
      },
      writer: this,
      announce: async (sequence) => {
        this.announced.push(sequence);
      },
      log: pino({ level: 'silent' }),
    };
    this.publisher = new Publisher(parts);
    onTestFinished(() => this.publisher.close());
  }

  apply(sequence: number): void {
    if (this.failing) throw new Error('database is locked');
    this.sequence = sequence;
  }

  async applyMany(sequence: number): Promise<void> {
    this.apply(sequence);
  }

  async rebuild(sequence: number): Promise<void> {
    this.apply(sequence);
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
});
