/** What the addon promises about memory and threads, and how it meets arguments that no typed caller would pass. */

import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { noRoom, type Room } from '../../src/content/json/room.js';
import { TextFault } from '../../src/content/json/text-fault.js';
import type { PreparedContent } from '../../src/native/native-content.js';
import { addon, native } from './native-kernels.js';

const binary = resolve('native/build/Release/loadout.node');
const levelsMax = 100;

function prepared(text: string, isShared: boolean): PreparedContent {
  const content = native.prepare(Buffer.from(text), levelsMax, isShared);
  if (content instanceof TextFault) throw new Error(content.message);
  return content;
}

describe('the memory of native results', () => {
  it('is of exactly their size, and can be moved to another thread', () => {
    const { document } = prepared('{"a": [1, 2], /* x */ "b": {"c": null}}', false);
    const quoted = native.quoteJson(document.bytes, noRoom);
    for (const result of [document.bytes, document.nodes, quoted]) {
      expect(result.byteOffset).toBe(0);
      expect(result.byteLength).toBe(result.buffer.byteLength);
      const before = [...result];
      const moved = structuredClone(result, { transfer: [result.buffer as ArrayBuffer] });
      expect([...moved]).toEqual(before);
      expect(result.byteLength).toBe(0);
    }
  });

  it('has room around it where that is asked for, and is what the caller makes', () => {
    const { document } = prepared('{"a":1,"b":"x"}', false);
    const makers = [
      (length: number) => new Uint8Array(length).fill(0x2e),
      (length: number) => new Uint8Array(new SharedArrayBuffer(length)).fill(0x2e),
    ];
    for (const allocate of makers) {
      const room: Room = { before: 3, after: 2, allocate };
      const quoted = native.quoteJson(document.bytes, room);
      expect(Buffer.from(quoted).toString()).toBe('..."{\\"a\\":1,\\"b\\":\\"x\\"}"..');
    }
    expect(native.quoteJson(document.bytes, { before: 1, after: 9 })).toHaveLength(33);
  });
});

describe('the addon in worker threads', () => {
  it('serves several at once, from one shared document, and goes when they go', async () => {
    const items = Array.from({ length: 500 }, (_, i) => `{"id":${i},"name":"n${i}"}`);
    const { document, hash } = prepared(`[${items.join(',')}]`, true);
    expect(document.nodes.buffer).toBeInstanceOf(SharedArrayBuffer);
    const work = async (thread: number): Promise<void> => {
      const worker = new Worker(threadCode, {
        eval: true,
        workerData: { binary, json: document.bytes, hash, thread },
      });
      const quoted = await new Promise<Uint8Array>((done, failed) => {
        worker.once('message', done);
        worker.once('error', failed);
      });
      await worker.terminate();
      expect(Buffer.from(quoted).toString()).toBe(JSON.stringify(`[${thread}]`));
    };
    await Promise.all([0, 1, 2, 3].map(work));
    await Promise.all([4, 5].map(work));
  });
});

const threadCode = `
  const { strict: assert } = require('node:assert');
  const { parentPort, workerData } = require('node:worker_threads');
  const { binary, json, hash, thread } = workerData;
  const addon = require(binary);
  const bytesOf = (length) => Buffer.allocUnsafeSlow(length);
  const wordsOf = (length) => new Uint32Array(length);
  const own = Buffer.from('[' + thread + ']');
  let quoted;
  for (let i = 0; i < 2000; i++) {
    assert.equal(addon.strip(json, 100, bytesOf, wordsOf), hash);
    quoted = addon.quote(own, 0, 0, bytesOf);
  }
  parentPort.postMessage(quoted, [quoted.buffer]);
`;

describe('an addon that is called wrongly', () => {
  const bytes = Buffer.from('{"a":[1,2]}');
  const make = (length: number): Uint8Array => new Uint8Array(length);
  // Arguments that the types forbid are what this is about.
  const wrong = addon as unknown as Record<string, (...args: unknown[]) => unknown>;
  const call = (name: string, ...args: unknown[]) =>
    expect(() => (wrong[name] as (...args: unknown[]) => unknown)(...args));

  it('throws, whatever is missing or of another type', () => {
    for (const name of ['strip', 'index', 'hash', 'quote', 'useKernel']) {
      call(name).toThrow();
      call(name, null, null, null, null).toThrow();
      call(name, 'x', {}, [], 1).toThrow();
    }
    call('strip', bytes, 'x', make, null).toThrow();
    call('strip', new Uint16Array(4), 100, make, null).toThrow();
    call('quote', bytes, -1, 0, make).toThrow('Room');
    call('quote', bytes, 0, Number.NaN, make).toThrow('Room');
    call('useKernel', 'abacus').toThrow('no such kernel');
  });

  it('throws at a buffer that is not what it asked for', () => {
    const makers = [
      () => null,
      () => [],
      () => new Uint8Array(1),
      (n: number) => new Uint8Array(n + 1),
      (n: number) => new Uint16Array(n),
    ];
    for (const maker of makers) {
      call('strip', bytes, 100, maker, null).toThrow();
      call('strip', bytes, 100, make, maker).toThrow();
      call('quote', bytes, 0, 0, maker).toThrow();
      call('index', bytes, maker).toThrow();
    }
  });

  it('passes on what the caller throws, and refuses to be called from within', () => {
    const throws = () => {
      throw new RangeError('no more memory');
    };
    const reenters = (length: number) => {
      addon.quote(bytes, 0, 0, make);
      return make(length);
    };
    for (const [allocate, message] of [
      [throws, 'no more memory'],
      [reenters, 'under way'],
    ] as const) {
      call('quote', bytes, 0, 0, allocate).toThrow(message);
      call('strip', bytes, 100, allocate, null).toThrow(message);
    }
    expect(Buffer.from(addon.quote(bytes, 0, 0, make)).toString()).toBe('"{\\"a\\":[1,2]}"');
  });

  it('does not index what is no minified JSON', () => {
    for (const text of ['', ' 1', '1 ', '[1,]', '[1 ]', '//\n1', '{"a":1', '"\u0000"']) {
      expect(addon.index(Buffer.from(text), (length) => new Uint32Array(length))).toBe(false);
    }
  });
});
