import { describe, expect, it } from 'vitest';
import { formatJsonc } from '../../../../src/console/parts/code/format-jsonc.js';
import { stripJsonc } from '../../../../src/content/json/jsonc.js';

const stripped = (text: string) => {
  const json = stripJsonc(new TextEncoder().encode(text), 100);
  return json instanceof Uint8Array ? new TextDecoder().decode(json) : json.message;
};

describe('formatting', () => {
  it('lays a text out by two spaces', () => {
    expect(formatJsonc('{"a":1,"b":[1,{"c":null}],"d":{}}')).toBe(
      '{\n  "a": 1,\n  "b": [\n    1,\n    {\n      "c": null\n    }\n  ],\n  "d": {}\n}',
    );
  });

  it('keeps comments, trailing commas and how values are spelled', () => {
    const text =
      '{ // of a shop\n"price":1.10,"id":12345678901234567890, /* big */ "huge":1e400,"a":"\\u0041","a":2,}';
    const formatted = formatJsonc(text);
    expect(formatted).toBe(
      '{ // of a shop\n  "price": 1.10,\n  "id": 12345678901234567890, /* big */\n  "huge": 1e400,\n  "a": "\\u0041",\n  "a": 2,\n}',
    );
    expect(stripped(formatted)).toBe(stripped(text));
  });

  it('keeps tabs, four spaces and line breaks of two characters', () => {
    expect(formatJsonc('{\n\t"a":{"b":1}}')).toBe('{\n\t"a": {\n\t\t"b": 1\n\t}\n}');
    expect(formatJsonc('{\n    "a":1}')).toBe('{\n    "a": 1\n}');
    expect(formatJsonc('{\r\n  "a":1}')).toBe('{\r\n  "a": 1\r\n}');
  });

  it('changes nothing the second time', () => {
    const once = formatJsonc('[1,[2,{"a":[]}], // x\n3]');
    expect(formatJsonc(once)).toBe(once);
  });

  it('loses no character of a broken text but white space', () => {
    for (const text of ['{"a":', '{"a" 1,,]', '// only a comment', '{"a":"never closed}', '']) {
      const bare = (of: string) => of.replace(/\s/g, '');
      expect(bare(formatJsonc(text))).toBe(bare(text));
    }
  });

  it('lays out a megabyte without copying it for each edit', () => {
    const text = JSON.stringify(
      Array.from({ length: 21_000 }, (_, n) => ({ id: n, name: `thing ${n}`, tags: ['a', 'b'] })),
    );
    expect(text.length).toBeGreaterThan(1_000_000);
    const before = process.cpuUsage();
    const formatted = formatJsonc(text);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
    expect(JSON.parse(formatted)).toEqual(JSON.parse(text));
  });
});
