/** What the addon promises about memory and threads, and how it meets arguments that no typed caller would pass. */

import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { TextFault } from '../../src/content/json/text-fault.js';
import type { PreparedContent, Room } from '../../src/native/native-content.js';
import { documentOf } from '../unit/content/mutation/splicing.js';
import { addon, native } from './native-kernels.js';

const binary = resolve('native/build/Release/loadout.node');
const levelsMax = 100;

function prepared(text: string, isShared: boolean): PreparedContent {
  const content = native.prepare(Buffer.from(text), levelsMax, isShared);
  if (content instanceof TextFault) throw new Error(content.message);
  return content;
}

const merge = (value: string) => {
  const mutation = native.compileMutation('merge', documentOf(value));
  if (!('handle' in mutation)) throw new Error(mutation.message);
  return mutation;
};

describe('the memory of native results', () => {
  it('is of exactly their size, and can be moved to another thread', () => {
    const { document } = prepared('{"a": [1, 2], /* x */ "b": {"c": null}}', false);
    const { bytes } = native.splice(document, [merge('{"a":7}')], 1e6);
    for (const result of [document.bytes, document.nodes, bytes, native.quoteJson(bytes)]) {
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
    const whole = ({ buffer }: Uint8Array): string => Buffer.from(buffer).toString();
    for (const allocate of makers) {
      const room: Room = { before: 3, after: 2, allocate };
      const { bytes } = native.splice(document, [merge('{"a":22}')], 1e6, room);
      expect(Buffer.from(bytes).toString()).toBe('{"a":22,"b":"x"}');
      expect(whole(bytes)).toBe('...{"a":22,"b":"x"}..');
      const quoted = native.quoteJson(document.bytes, room);
      expect(whole(quoted)).toBe('..."{\\"a\\":1,\\"b\\":\\"x\\"}"..');
    }
    const { bytes } = native.splice(document, [], 1e6, { before: 1, after: 9 });
    expect([bytes.byteOffset, bytes.length, bytes.buffer.byteLength]).toEqual([1, 15, 25]);
  });

  it('outlives what a mutation was compiled from', () => {
    const value = documentOf('{"a":{"deep":[1,2,3]}}');
    const mutation = native.compileMutation('merge', value);
    if (!('handle' in mutation)) throw new Error(mutation.message);
    value.bytes.fill(0);
    value.nodes.fill(0);
    const { bytes } = native.splice(documentOf('{"b":1}'), [mutation], 1e6);
    expect(Buffer.from(bytes).toString()).toBe('{"b":1,"a":{"deep":[1,2,3]}}');
  });
});

describe('the addon in worker threads', () => {
  it('serves several at once, from one shared document, and goes when they go', async () => {
    const items = Array.from({ length: 500 }, (_, i) => `{"id":${i},"name":"n${i}"}`);
    const { document } = prepared(`{"n":0,"items":[${items.join(',')}]}`, true);
    expect(document.nodes.buffer).toBeInstanceOf(SharedArrayBuffer);
    const work = async (thread: number): Promise<void> => {
      const worker = new Worker(threadCode, {
        eval: true,
        workerData: { binary, document, thread },
      });
      const spliced = await new Promise<Uint8Array>((done, failed) => {
        worker.once('message', done);
        worker.once('error', failed);
      });
      await worker.terminate();
      expect(Buffer.from(spliced).toString()).toBe(`{"n":${thread},"items":[${items.join(',')}]}`);
    };
    await Promise.all([0, 1, 2, 3].map(work));
    await Promise.all([4, 5].map(work));
  });
});

const threadCode = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { binary, document, thread } = workerData;
  const addon = require(binary);
  const bytesOf = (length) => Buffer.allocUnsafeSlow(length);
  const json = Buffer.from('{"n":' + thread + '}');
  let nodes;
  addon.index(json, (length) => (nodes = new Uint32Array(length)));
  const mutation = addon.compile(0, json, nodes);
  let bytes;
  for (let i = 0; i < 2000; i++) {
    bytes = addon.splice(document.bytes, document.nodes, [mutation], 1e6, 0, 0, bytesOf);
    addon.strip(bytes, 100, bytesOf, null);
  }
  parentPort.postMessage(bytes, [bytes.buffer]);
`;

describe('an addon that is called wrongly', () => {
  const { bytes, nodes } = documentOf('{"a":[1,2]}');
  const make = (length: number): Uint8Array => new Uint8Array(length);
  const { handle } = merge('{"b":1}');
  // Arguments that the types forbid are what this is about.
  const wrong = addon as unknown as Record<string, (...args: unknown[]) => unknown>;
  const call = (name: string, ...args: unknown[]) =>
    expect(() => (wrong[name] as (...args: unknown[]) => unknown)(...args));

  it('throws, whatever is missing or of another type', () => {
    for (const name of ['strip', 'index', 'hash', 'compile', 'splice', 'quote', 'useKernel']) {
      call(name).toThrow();
      call(name, null, null, null, null, null, null, null).toThrow();
      call(name, 'x', {}, [], 1, 2, 3, 4).toThrow();
    }
    call('strip', bytes, 'x', make, null).toThrow();
    call('strip', new Uint16Array(4), 100, make, null).toThrow();
    call('compile', 3, bytes, nodes).toThrow('no such kind');
    call('compile', Number.NaN, bytes, nodes).toThrow('no such kind');
    call('splice', bytes, nodes, [{}], 1e6, 0, 0, make).toThrow('compiled mutation');
    call('splice', bytes, nodes, [null], 1e6, 0, 0, make).toThrow();
    call('splice', bytes, nodes, [handle], 1e6, -1, 0, make).toThrow('Room');
    call('splice', bytes, nodes, [handle], 1e6, 0, Number.NaN, make).toThrow('Room');
    call('useKernel', 'abacus').toThrow('no such kernel');
  });

  it("throws at an index that is not the document's", () => {
    call('splice', bytes, nodes.slice(4), [handle], 1e6, 0, 0, make).toThrow('index');
    call('splice', bytes, nodes.slice(0, 5), [handle], 1e6, 0, 0, make).toThrow('index');
    call('splice', bytes, new Uint32Array(0), [handle], 1e6, 0, 0, make).toThrow('index');
    call('compile', 0, bytes.subarray(1), nodes).toThrow('index');
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
      call('splice', bytes, nodes, [handle], 1e6, 0, 0, maker).toThrow();
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
      call('splice', bytes, nodes, [handle], 1e6, 0, 0, allocate).toThrow(message);
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
