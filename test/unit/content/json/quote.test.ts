import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteJson } from '../../../../src/content/json/quote.js';
import { anyTree } from './arbitrary-json.js';
import { printRaw } from './raw-tree.js';

const quote = (json: string): string => Buffer.from(quoteJson(Buffer.from(json))).toString('utf8');

describe('quoteJson', () => {
  it('gives a JSON text as a JSON string', () => {
    expect(quote('{"a":"\\"b\\\\"}')).toBe('"{\\"a\\":\\"\\\\\\"b\\\\\\\\\\"}"');
    expect(quote('1.10')).toBe('"1.10"');
    expect(quote('""')).toBe('"\\"\\""');
  });

  it('leaves everything but quotes and backslashes as it is', () => {
    expect(quote('"é€😀\u007f\u2028/"')).toBe('"\\"é€😀\u007f\u2028/\\""');
  });

  it('is undone by JSON.parse, and owns exactly its buffer', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const json = printRaw(tree);
        const quoted = quoteJson(Buffer.from(json));
        expect(JSON.parse(Buffer.from(quoted).toString('utf8'))).toBe(json);
        expect(quoted.buffer.byteLength).toBe(quoted.byteLength);
      }),
      { numRuns: 300 },
    );
  });
});
