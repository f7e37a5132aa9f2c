/** A JSONC text that is given another value keeps what people wrote around it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editedText } from '../../../../src/content/json/edited-text.js';
import { stripJsonc } from '../../../../src/content/json/jsonc.js';
import { TextIssue } from '../../../../src/content/json/text-issue.js';

function edit(text: string, wanted: unknown): string {
  const json = Buffer.from(JSON.stringify(wanted));
  return Buffer.from(editedText(Buffer.from(text), json, 100)).toString();
}

describe('an edited text', () => {
  it('keeps comments and white space around a value that changes', () => {
    const text = '{\n  // what a pack costs\n  "price": 4.90, /* euros */\n  "gold": 100\n}\n';
    expect(edit(text, { price: 3.5, gold: 100 })).toBe(text.replace('4.90', '3.5'));
  });

  it('keeps the spelling of numbers that stay', () => {
    const wanted = Buffer.from('{"a":1.0e2,"b":{"c":1}}');
    const text = Buffer.from('{ "a": 1.0e2, "b": { "c": 2 } }');
    expect(Buffer.from(editedText(text, wanted, 100)).toString()).toBe(
      '{ "a": 1.0e2, "b": { "c": 1 } }',
    );
  });

  it('cuts members out, the last one without a comma before it', () => {
    const text = '{\n  "a": 1,\n  "b": 2, // of b\n  "c": 3\n}';
    expect(edit(text, { b: 2, c: 3 })).toBe('{\n  "b": 2, // of b\n  "c": 3\n}');
    expect(edit(text, { a: 1, b: 2 })).toBe('{\n  "a": 1,\n  "b": 2\n}');
    expect(edit(text, { a: 1 })).toBe('{\n  "a": 1\n}');
  });

  it('adds members behind the last, also behind a trailing comma', () => {
    expect(edit('{ "a": 1 }', { a: 1, b: [2] })).toBe('{ "a": 1, "b":[2] }');
    expect(edit('{ "a": 1, }', { a: 1, b: 2 })).toBe('{ "a": 1, "b":2, }');
  });

  it('takes one element out of a list', () => {
    expect(edit('[\n  {"n": 1},\n  {"n": 2},\n  {"n": 3}\n]', [{ n: 1 }, { n: 3 }])).toBe(
      '[\n  {"n": 1},\n  {"n": 3}\n]',
    );
  });

  it('is the wanted value whatever the text was', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, value, fc.constantFrom(0, 1, 2), (before, after, indent) => {
        const text = Buffer.from(JSON.stringify(before, null, indent));
        const wanted = Buffer.from(JSON.stringify(after));
        const result = stripJsonc(editedText(text, wanted, 1_000), 1_000);
        expect(result).not.toBeInstanceOf(TextIssue);
        expect(Buffer.from(result as Uint8Array).toString()).toBe(wanted.toString());
      }),
    );
  });
});
