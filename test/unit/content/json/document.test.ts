import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  indexDocument,
  keyStartOf,
  NO_KEY,
  NODE_WORDS,
  nextOf,
  startOf,
  valueEndOf,
  valueStartOf,
} from '../../../../src/content/json/document.js';
import { anyTree } from './arbitrary-json.js';
import { parseRaw, printRaw } from './raw-tree.js';

/** The index as rows of [keyStart, valueStart, valueEnd, next]. */
function rowsOf(json: string): number[][] {
  const { nodes } = indexDocument(Buffer.from(json));
  const rows: number[][] = [];
  for (let at = 0; at < nodes.length; at += NODE_WORDS)
    rows.push([...nodes.slice(at, at + NODE_WORDS)]);
  return rows;
}

describe('indexDocument', () => {
  it('has four words per value, in document order', () => {
    expect(rowsOf('{"a":1,"b":[true,"x"],"c":{}}')).toEqual([
      [NO_KEY, 0, 29, 6],
      [1, 5, 6, 2],
      [7, 11, 21, 5],
      [NO_KEY, 12, 16, 4],
      [NO_KEY, 17, 20, 5],
      [22, 26, 28, 6],
    ]);
  });

  it('takes any value as the root', () => {
    for (const json of ['0', '"a"', 'null', '-1.5e7', '[]', '{}', '"\\""']) {
      expect(rowsOf(json)).toEqual([[NO_KEY, 0, json.length, 1]]);
    }
  });

  it('is not led astray by brackets, commas and escaped quotes in strings', () => {
    expect(rowsOf(String.raw`["],{\"\\",2]`)).toEqual([
      [NO_KEY, 0, 13, 3],
      [NO_KEY, 1, 10, 2],
      [NO_KEY, 11, 12, 3],
    ]);
  });

  it('keeps every member of a repeated key', () => {
    expect(rowsOf('{"a":1,"a":2}')).toHaveLength(3);
  });

  it('says where a member begins, its key included, and an element', () => {
    const document = indexDocument(Buffer.from('{"a":[1]}'));
    expect([keyStartOf(document, 1), valueStartOf(document, 1), valueEndOf(document, 1)]).toEqual([
      1, 5, 8,
    ]);
    expect([startOf(document, 1), startOf(document, 2), nextOf(document, 1)]).toEqual([1, 6, 3]);
  });

  it('holds no more words than it needs, and refers to the bytes it was given', () => {
    const json = Buffer.from('[1,2,3]');
    const document = indexDocument(json);
    expect(document.bytes).toBe(json);
    expect(document.nodes.buffer.byteLength).toBe(4 * NODE_WORDS * 4);
  });

  it('survives 100,000 levels', () => {
    const { nodes } = indexDocument(Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)));
    expect(nodes).toHaveLength(100_000 * NODE_WORDS);
    expect([...nodes.slice(-NODE_WORDS)]).toEqual([NO_KEY, 99_999, 100_001, 100_000]);
  });

  it('can be shared between threads as it is', () => {
    const { bytes, nodes } = indexDocument(Buffer.from('{"a":[1,2]}'));
    const shared = new Uint32Array(new SharedArrayBuffer(nodes.byteLength));
    shared.set(nodes);
    expect(nextOf({ bytes, nodes: shared }, 1)).toBe(4);
  });

  it('agrees with a plain recursive parser', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        // The plain parser counts characters; escaping what is not ASCII makes them bytes.
        const json = printRaw(tree).replace(/[^\x20-\x7f]/g, 'u');
        const rows: number[][] = [];
        parseRaw(json, rows);
        expect(rowsOf(json)).toEqual(rows);
      }),
      { numRuns: 500 },
    );
  });
});
