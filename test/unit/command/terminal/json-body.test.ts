import { describe, expect, it } from 'vitest';
import { jsonBody, strictJson } from '../../../../src/command/terminal/json-body.js';

describe('jsonBody', () => {
  it('puts JSON texts in byte for byte', () => {
    const mapping = '[{"merge":{"__proto__":1.10,"b":1e400,"a":9007199254740993,"u":"\\u00e9"}}]';
    expect(jsonBody({ text: '{"a":1}\n' }, { mapping })).toBe(
      `{"text":"{\\"a\\":1}\\n","mapping":${mapping}}`,
    );
  });

  it('leaves out what is undefined', () => {
    expect(jsonBody({ a: undefined }, { b: undefined })).toBe('{}');
    expect(jsonBody({}, { when: '{}' })).toBe('{"when":{}}');
    expect(jsonBody({ a: 1, b: undefined }, {})).toBe('{"a":1}');
  });
});

describe('strictJson', () => {
  it('removes comments and trailing commas and changes no value', () => {
    expect(strictJson('[ // first\n 1.10, /* ü */ "\\u00e9", ]', 'm.jsonc')).toBe(
      '[1.10,"\\u00e9"]',
    );
  });

  it('says where a file is not JSON', () => {
    expect(() => strictJson('[\n  1,\n  oops\n]', 'm.jsonc')).toThrow(
      /^m\.jsonc is not JSON: .*\(line 3, column 3\)$/,
    );
    expect(() => strictJson('', '-')).toThrow(/^standard input is not JSON/);
  });
});
