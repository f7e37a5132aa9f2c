/*
 * Goal: a caller who accepts gzip does not wait for the compression of a variant that is asked for the first time; from
 * the second time on it is compressed, unless the response is below 1 KiB. Method: the whole of delivery but for sockets
 * and threads, whose pool writes down what it is asked for.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { gzipBytesMin, inlineTurnBytesMax } from '../../../src/delivery/limits.js';
import { Coding, Form } from '../../../src/delivery/render/render-task.js';
import { callerWith, DeliveryInProcess, type TestRule } from '../../support/delivery-in-process.js';

const hash = '0123456789abcdef';
const filler = Array.from({ length: 400 }, (_, n) => `row ${n * 7919}`);
/** Each attribute switches a variant of its own. */
const rules: readonly TestRule[] = ['a', 'b', 'c', 'd'].map((name, n) => ({
  segment: name,
  when: { [name]: 1 },
  merge: { n },
}));

let delivery: DeliveryInProcess;

function put(id: string, value: object | string): void {
  delivery.put({ id, json: JSON.stringify(value), hash, rules });
}

/** Asks for variants that no test looks at until the parsed content is at hand. */
async function warm(...ids: string[]): Promise<void> {
  for (const id of ids) await delivery.one(id, callerWith({ d: 1 }), Form.Wrapped, false);
  await new Promise((resolve) => setImmediate(resolve));
  delivery.poolTasks.length = 0;
}

const one = (id: string, p: Record<string, unknown>, gzip: boolean, form: Form = Form.Wrapped) =>
  delivery.one(id, callerWith(p, 'player-1'), form, gzip);
const many = (ids: readonly string[], p: Record<string, unknown>, gzip: boolean) =>
  delivery.many(ids, callerWith(p, 'player-1'), Form.Wrapped, gzip);

beforeEach(() => {
  delivery = new DeliveryInProcess();
});

describe('a variant that is asked for with gzip', () => {
  beforeEach(async () => {
    put('big', { filler, n: 0 });
    await warm('big');
  });

  it('comes uncompressed and without the pool the first time, compressed from the second on', async () => {
    const first = await one('big', { b: 1 }, true);
    expect(first.coding).toBe(Coding.Identity);
    expect(delivery.poolTasks).toEqual([]);
    const second = await one('big', { b: 1 }, true);
    expect(second.coding).toBe(Coding.Gzip);
    expect(second.bytes).toBeLessThan(first.bytes);
    expect(delivery.rendered.map(({ coding }) => coding)).toEqual([Coding.Gzip]);
    const third = await one('big', { b: 1 }, true);
    expect(third.coding).toBe(Coding.Gzip);
    expect(delivery.poolTasks).toHaveLength(1);
    const plain = await one('big', { b: 1 }, false);
    expect(JSON.parse(plain.text).data).toEqual({ filler, n: 1 });
    expect([first.text, second.text, third.text]).toEqual(Array(3).fill(plain.text));
  });

  it('comes right to whoever asks in between with or without it', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (const gzip of [true, false, true]) {
        for (const p of [{ a: 1 }, { b: 1 }, { a: 1, c: 1 }]) {
          const { text } = await one('big', p, gzip);
          const applied = Object.keys(p);
          const n = rules.findIndex(({ segment }) => segment === applied.at(-1));
          const { data, meta } = JSON.parse(text);
          expect(data).toEqual({ filler, n });
          expect(meta.seg).toEqual(applied.map((name) => ({ n: name, v: null })));
        }
      }
    }
  });

  it('is compressed at once where it cannot be spliced at once', async () => {
    const serialized = await one('big', { b: 1 }, true, Form.Serialized);
    expect(serialized.coding).toBe(Coding.Gzip);
    const plain = await one('big', {}, true, Form.Plain);
    expect(plain.coding).toBe(Coding.Gzip);
    const unmatched = await one('big', {}, true);
    expect(unmatched.coding).toBe(Coding.Gzip);
  });
});

describe('a response below 1 KiB', () => {
  it('is never compressed, and costs the pool nothing once the parsed content is there', async () => {
    put('small', { n: 0 });
    await warm('small');
    for (let round = 0; round < 5; round += 1) {
      const { coding, text } = await one('small', { b: 1 }, true);
      expect(coding).toBe(Coding.Identity);
      expect(JSON.parse(text).data).toEqual({ n: 1 });
    }
    expect(delivery.poolTasks).toEqual([]);
    expect(delivery.renderer.entries).toBe(2);
  });

  it.each([Form.Wrapped, Form.Serialized, Form.Plain])(
    'is not compressed without mutations either, form %i',
    async (form) => {
      put('small', { n: 0 });
      for (let round = 0; round < 5; round += 1) {
        expect((await one('small', {}, true, form)).coding).toBe(Coding.Identity);
      }
      expect(delivery.rendered.map(({ coding }) => coding)).toEqual([Coding.Identity]);
    },
  );

  it('ends where 1 KiB begins, to the byte, tail included', async () => {
    const tailOf = async (): Promise<number> => {
      put('edge', { n: 0, x: '' });
      return (await one('edge', { b: 1 }, false)).bytes;
    };
    const empty = await tailOf();
    for (const [bytes, coding] of [
      [gzipBytesMin - 1, Coding.Identity],
      [gzipBytesMin, Coding.Gzip],
    ] as const) {
      const id = `edge-${bytes}`;
      put(id, { n: 0, x: 'x'.repeat(bytes - empty) });
      await warm(id);
      for (let round = 0; round < 3; round += 1) {
        const response = await one(id, { b: 1 }, true);
        expect(Buffer.byteLength(response.text)).toBe(bytes);
        expect(response.coding).toBe(round === 0 ? Coding.Identity : coding);
      }
      // A caller whose id has fewer digits may be below it where this one is not.
      const short = await delivery.one(id, callerWith({ b: 1 }), Form.Wrapped, true);
      const nobody = await delivery.one(id, callerWith({ b: 1 }, ''), Form.Wrapped, true);
      for (const { coding: used, text } of [short, nobody]) {
        expect(used === Coding.Gzip).toBe(Buffer.byteLength(text) >= gzipBytesMin);
      }
    }
  });
});

describe('a combined response with gzip', () => {
  it('comes uncompressed and without the pool where all its variants are new, then compressed', async () => {
    const ids = ['big', 'other'];
    put('big', { filler, n: 0 });
    put('other', { filler, n: 0, o: 1 });
    await warm(...ids);
    const first = await many(ids, { b: 1 }, true);
    expect(first.coding).toBe(Coding.Identity);
    expect(delivery.poolTasks).toEqual([]);
    const second = await many(ids, { b: 1 }, true);
    expect(second.coding).toBe(Coding.Gzip);
    expect(second.bytes).toBeLessThan(first.bytes / 2);
    const { poolTasks } = delivery;
    expect(poolTasks).toHaveLength(1);
    expect((await many(ids, { b: 1 }, true)).coding).toBe(Coding.Gzip);
    expect(poolTasks).toHaveLength(1);
    expect([first.text, second.text]).toEqual(
      Array(2).fill((await many(ids, { b: 1 }, false)).text),
    );
  });

  it('is compressed where one of its variants is new', async () => {
    const ids = ['big', 'other'];
    put('big', { filler, n: 0 });
    put('other', { filler, n: 0, o: 1 });
    await warm(...ids);
    for (let at = 0; at < 2; at += 1) await one('big', { b: 1 }, true);
    delivery.poolTasks.length = 0;
    const response = await many(ids, { b: 1 }, true);
    expect(response.coding).toBe(Coding.Gzip);
    expect(delivery.poolTasks).toEqual([]);
    expect(response.text).toBe((await many(ids, { b: 1 }, false)).text);
  });

  it('of small contents is compressed without the pool from the second time on', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `small-${n}`);
    for (const id of ids) put(id, { id, filler: filler.slice(0, 40), n: 0 });
    await warm(...ids);
    const first = await many(ids, { b: 1 }, true);
    const second = await many(ids, { b: 1 }, true);
    expect(second.coding).toBe(Coding.Gzip);
    expect(second.bytes).toBeLessThan(first.bytes * 0.8);
    expect((await many(ids, { b: 1 }, true)).bytes).toBe(second.bytes);
    expect(delivery.poolTasks).toEqual([]);
    const plain = await many(ids, { b: 1 }, false);
    expect([first.text, second.text]).toEqual([plain.text, plain.text]);
    // Alone, each goes out as it is.
    expect((await one('small-1', { b: 1 }, true)).coding).toBe(Coding.Identity);
    expect((await one('small-1', { b: 1 }, true)).coding).toBe(Coding.Identity);
    expect((await many(ids, { b: 1 }, true)).text).toBe(plain.text);
  });

  it('below 1 KiB is never compressed', async () => {
    put('tiny', { n: 0 });
    put('tiny2', { n: 0, o: 0 });
    await warm('tiny', 'tiny2');
    for (let round = 0; round < 4; round += 1) {
      const response = await many(['tiny', 'tiny2', 'gone'], { b: 1 }, true);
      expect(response.coding).toBe(Coding.Identity);
      expect(JSON.parse(response.text).tiny2.data).toEqual({ n: 1, o: 0 });
    }
    expect(delivery.poolTasks).toEqual([]);
  });

  it('that takes several turns is still the first one in the last of them', async () => {
    const text = 'x'.repeat(200_000);
    const ids = Array.from({ length: 15 }, (_, n) => `large-${n}`);
    expect(ids.length * text.length).toBeGreaterThan(inlineTurnBytesMax);
    for (const id of ids) put(id, { id, text, n: 0 });
    await warm(...ids);
    const first = await many(ids, { b: 1 }, true);
    expect(first.coding).toBe(Coding.Identity);
    expect(delivery.poolTasks).toEqual([]);
    const second = await many(ids, { b: 1 }, true);
    expect(second.coding).toBe(Coding.Gzip);
    expect(second.text).toBe(first.text);
  });
});
