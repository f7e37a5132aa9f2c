import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseRequestBody, parseUserContext } from '../../../src/delivery/http/request-body.js';
import { Problem, problems } from '../../../src/delivery/problems.js';

/** The rules of docs/delivery-api.md in zod's words: the oracle of the hand-written check. */
const oracle = z.object({
  u: z.string().optional(),
  p: z.record(z.string(), z.unknown()).optional(),
  v: z
    .string()
    .regex(/^(\d{1,9}\.\d{1,9}\.\d{1,9})?$/)
    .nullish(),
});

const parseBytes = (bytes: Uint8Array) => {
  const body = parseRequestBody(bytes);
  return body instanceof Problem ? body : parseUserContext(body, bytes.byteLength);
};
const parse = (text: string) => parseBytes(Buffer.from(text));

describe('the user context', () => {
  it('takes what zod takes, and refuses what zod refuses', () => {
    const version = fc.oneof(
      fc.constantFrom('1.2.3', '0.0.0', '1.2', '1.2.3.4', '1.2.x', '', '1234567890.0.0', ' 1.2.3'),
      fc.string(),
      fc.constant(null),
      fc.double(),
    );
    const context = fc.record(
      {
        u: fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.constant(null)),
        p: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
        v: version,
        other: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(context, fc.jsonValue()), (body) => {
        const json: unknown = JSON.parse(JSON.stringify(body));
        const accepted = !(parse(JSON.stringify(body)) instanceof Problem);
        expect(accepted).toBe(oracle.safeParse(json).success);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['', problems.bodyEmpty],
    [' ', problems.bodyNotJson],
    ['{', problems.bodyNotJson],
    ['\ufeff{}', problems.bodyNotJson],
    ['[]', problems.bodyNotObject],
    ['null', problems.bodyNotObject],
    ['"x"', problems.bodyNotObject],
    ['{"u":null}', problems.userInvalid],
    ['{"p":[]}', problems.attributesInvalid],
    ['{"p":null}', problems.attributesInvalid],
    ['{"v":1}', problems.versionInvalid],
    ['{"v":"1.2.3\\n"}', problems.versionInvalid],
    ['['.repeat(100_000), problems.bodyNotJson],
  ])('refuses %j', (text, expected) => {
    expect(parse(text)).toBe(expected);
  });

  it('refuses what is not UTF-8', () => {
    expect(parseBytes(Buffer.from('{"u":"\xff"}', 'latin1'))).toBe(problems.bodyNotUtf8);
  });

  it('reads absent fields as empty, and lets the last of repeated ones win', () => {
    expect(parse('{}')).toMatchObject({ u: '', p: {}, v: '' });
    expect(parse('{"u":1,"u":"a","v":null}')).toMatchObject({ u: 'a', v: '' });
  });

  it('takes an empty version for none', () => {
    expect(parse('{"v":""}')).toEqual(parse('{}'));
  });

  it('is not led astray by what objects inherit', () => {
    expect(parse('{"__proto__":{"u":1}}')).toMatchObject({ u: '' });
  });
});
