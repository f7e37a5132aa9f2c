/*
 * Goal: contents that share a rendered body have a hash each, for it covers more than the body. Method: two contents of
 * equal texts and mutations are asked for in turn, so that each response overwrites the end of the one before.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { batchBytesMax } from '../../../src/delivery/limits.js';
import { Coding, Form } from '../../../src/delivery/render/render-task.js';
import { callerWith, DeliveryInProcess } from '../../support/delivery-in-process.js';

const filler = Array.from({ length: 200 }, (_, n) => ` ${n * 7919}`);
const json = JSON.stringify({ filler, n: 1 });
const changed = JSON.stringify({ filler, n: 2 });
const rules = [{ segment: 's', when: { a: 1 }, merge: { n: 2 } }];
const hashes = { first: '0123456789abcdef', second: 'fedcba9876543210' } as const;
type Id = keyof typeof hashes;

let delivery: DeliveryInProcess;

beforeEach(() => {
  delivery = new DeliveryInProcess();
  for (const id of ['first', 'second'] as const) {
    delivery.put({ id, json, hash: hashes[id], rules });
  }
});

/** Callers whose ids have one, two and ten digits among them: tails of several lengths. */
const callers = ['', 'player-1', 'player-2', 'player-3'].map((u) => () => callerWith({ a: 1 }, u));
const unmatched = () => callerWith({ a: 2 }, 'player-4');

function expected(hash: string, form: Form, isMatched: boolean, u: string): string {
  const { uid, mod } = callerWith({}, u);
  const text = isMatched ? changed : json;
  const data = form === Form.Serialized ? JSON.stringify(text) : text;
  const seg = isMatched ? '[{"n":"s","v":null}]' : '[]';
  return `{"data":${data},"hash":"${hash}","meta":{"uid":${uid},"mod":${mod},"seg":${seg}}}`;
}

const forms = { wrapped: Form.Wrapped, serialized: Form.Serialized } as const;

describe('contents that share a body', () => {
  for (const [name, form] of Object.entries(forms)) {
    for (const gzip of [false, true]) {
      it(`have their own hashes, ${name}${gzip ? ' and compressed' : ''}, from one rendered body`, async () => {
        const ask = async (id: Id, caller: () => ReturnType<typeof callerWith>, u: string) => {
          const { text } = await delivery.one(id, caller(), form, gzip);
          const isMatched = caller !== unmatched;
          expect(text).toBe(expected(hashes[id], form, isMatched, u));
        };
        const round = async (): Promise<void> => {
          for (const [at, caller] of callers.entries()) {
            const u = at === 0 ? '' : `player-${at}`;
            for (const id of ['first', 'second', 'first', 'first'] as const) {
              await ask(id, caller, u);
            }
          }
          await ask('first', unmatched, 'player-4');
          await ask('second', unmatched, 'player-4');
        };
        await round();
        const made = [delivery.rendered.length, delivery.renderer.inline];
        const { hits } = delivery.renderer;
        await round();
        expect([delivery.rendered.length, delivery.renderer.inline]).toEqual(made);
        expect(delivery.renderer.hits - hits).toBe(18);
        // One body for each of the two selections, in each coding that was asked for.
        expect(delivery.renderer.entries).toBeLessThanOrEqual(gzip ? 4 : 2);
      });

      it(`have their own hashes in one combined response, ${name}${gzip ? ' and compressed' : ''}`, async () => {
        const caller = () => callerWith({ a: 1 }, 'player-1');
        for (let round = 0; round < 3; round += 1) {
          const { text } = await delivery.many(['first', 'second'], caller(), form, gzip);
          const entry = (id: Id) => `"${id}":${expected(hashes[id], form, true, 'player-1')}`;
          expect(text).toBe(`{${entry('first')},${entry('second')}}`);
        }
        expect(delivery.renderer.entries).toBeLessThanOrEqual(gzip ? 2 : 1);
      });
    }
  }
});

describe('an edit that changes nothing but the hash', () => {
  for (const [name, form] of Object.entries(forms)) {
    it.each([false, true])(
      `is seen in the next ${name} response, with the body still warm, gzip: %s`,
      async (gzip) => {
        const caller = () => callerWith({ a: 1 }, 'player-1');
        for (let at = 0; at < 4; at += 1) await delivery.one('first', caller(), form, gzip);
        const made = [delivery.rendered.length, delivery.renderer.inline];
        const { hits } = delivery.renderer;
        const hash = '1111111111111111';
        delivery.put({
          id: 'first',
          json,
          hash,
          rules: [...rules, { segment: 'other', when: { a: 3 } }],
        });
        const { text, coding } = await delivery.one('first', caller(), form, gzip);
        expect(text).toBe(expected(hash, form, true, 'player-1'));
        expect(coding).toBe(gzip ? Coding.Gzip : Coding.Identity);
        expect([delivery.rendered.length, delivery.renderer.inline]).toEqual(made);
        expect(delivery.renderer.hits - hits).toBe(1);
      },
    );
  }
});

describe('a combined response that waits for the pool', () => {
  it('keeps the hash of its own line when a content with the same body is answered meanwhile', async () => {
    // Large enough for a task of its own.
    const late = JSON.stringify('x'.repeat(batchBytesMax));
    delivery.put({ id: 'late', json: late, hash: '2222222222222222', rules: [] });
    const caller = () => callerWith({ a: 2 }, 'player-1');
    delivery.holdPool(late);
    const waiting = delivery.many(['late', 'first'], caller(), Form.Wrapped, false);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const other = async () => (await delivery.one('second', caller(), Form.Wrapped, false)).text;
    // Its slot is remembered from the second time on, and with it what stands behind the body.
    for (let at = 0; at < 3; at += 1) {
      expect(await other()).toBe(expected(hashes.second, Form.Wrapped, false, 'player-1'));
    }
    delivery.releasePool();
    const first = `"first":${expected(hashes.first, Form.Wrapped, false, 'player-1')}`;
    expect((await waiting).text).toContain(first);
    expect(await other()).toBe(expected(hashes.second, Form.Wrapped, false, 'player-1'));
  });
});
