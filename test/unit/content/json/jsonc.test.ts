import fc from 'fast-check';
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { stripJsonc } from '../../../../src/content/json/jsonc.js';
import { TextIssue } from '../../../../src/content/json/text-issue.js';
import { faultOf, strip } from '../mutation/splicing.js';
import { anyTree, jsoncOf } from './arbitrary-json.js';

const place = (text: string | Uint8Array): [number, number, number] => {
  const { offset, line, column } = faultOf(text);
  return [offset, line, column];
};

describe('stripJsonc keeps', () => {
  it('any JSON value as the root', () => {
    for (const json of ['{}', '[]', '""', '"a"', '0', '-0', '1.5e+3', 'true', 'false', 'null']) {
      expect(strip(json)).toBe(json);
    }
  });

  it('number lexemes as they are written', () => {
    const json = '[1e400,9007199254740993,1.10,-0,-0.0,1E5,1e+05,0.1e-7,100000000000000000000000]';
    expect(strip(json)).toBe(json);
  });

  it('key order, integer-like keys, repeated keys and __proto__', () => {
    const json = '{"b":1,"2":2,"1":3,"b":4,"__proto__":{"x":1},"constructor":5}';
    expect(strip(json)).toBe(json);
  });

  it('escapes as they are written, lone surrogates and escaped slashes included', () => {
    const json = String.raw`["\u0041\n\/\\\"","\ud800","\uD83D\uDE00","é€😀","\b\f\r\t"]`;
    expect(strip(json)).toBe(json);
  });

  it('what looks like a comment, white space or a trailing comma inside a string', () => {
    const json = '{"a // b":"/* c */","d":"  x,]  ,}","e":"\u007f\u2028"}';
    expect(strip(json)).toBe(json);
  });
});

describe('stripJsonc leaves out', () => {
  it('comments of both kinds, wherever white space may be', () => {
    expect(strip('/*0*/{/*1*/"a"/*2*/:/*3*/1/*4*/,//5\n"b":[//6\n2/*7*/]/*8*/}//9')).toBe(
      '{"a":1,"b":[2]}',
    );
    expect(strip('1//')).toBe('1');
    expect(strip('/***/1/**/')).toBe('1');
    expect(strip('/* // */1')).toBe('1');
    expect(strip('// /*\n1')).toBe('1');
  });

  it('a // comment up to \\n or \\r', () => {
    expect(strip('[1,//x\n2,//x\r3,//x\r\n4]')).toBe('[1,2,3,4]');
  });

  it('insignificant white space', () => {
    expect(strip(' \t\r\n{ "a" :\t1 ,\n"b"\r\n: [ 1 , 2 ] }\n\n')).toBe('{"a":1,"b":[1,2]}');
  });

  it('one trailing comma in objects and arrays', () => {
    expect(strip('{"a":[1,2,],"b":{"c":3,},}')).toBe('{"a":[1,2],"b":{"c":3}}');
    expect(strip('[1 , // x\n ]')).toBe('[1]');
    expect(strip('[[[],],]')).toBe('[[[]]]');
  });
});

describe('stripJsonc refuses, and says where,', () => {
  const cases: [what: string, text: string, line: number, column: number, message: RegExp][] = [
    ['an empty text', '', 1, 1, /no value/],
    ['nothing but white space and comments', ' // x\n/* y */\n', 3, 1, /no value/],
    ['a byte-order mark', '\ufeff{}', 1, 1, /byte-order mark \(BOM\)/],
    ['a byte-order mark later on', '{}\ufeff', 1, 3, /U\+FEFF/],
    ['a lone comma in an array', '[,]', 1, 2, /Expected a value/],
    ['a lone comma in an object', '{,}', 1, 2, /Expected a key/],
    ['two trailing commas', '[1,,]', 1, 4, /Expected a value/],
    ['two trailing commas in an object', '{"a":1,,}', 1, 8, /Expected a key/],
    ['a comma after the root', '1,', 1, 2, /nothing more/],
    ['a second root', '{} {}', 1, 4, /nothing more/],
    ['a missing comma in an array', '[1 2]', 1, 4, /^A comma is missing before "2"\.$/],
    ['a missing comma in an object', '{"a":1 "b":2}', 1, 8, /^A comma is missing before "b"\.$/],
    [
      'a missing comma before a string with an escape',
      '["a" "\\n"]',
      1,
      6,
      /before a double quote\.$/,
    ],
    ['a missing comma before a word', '[1 true]', 1, 4, /^A comma is missing before "t"\.$/],
    ['a missing colon', '{"a" 1}', 1, 6, /Expected ":"/],
    ['a colon in an array', '["a":1]', 1, 5, /Expected "," or "\]"/],
    ['a missing value', '{"a":}', 1, 6, /Expected a value/],
    ['a key alone', '{"a"}', 1, 5, /Expected ":"/],
    ['an unquoted key', '{a:1}', 1, 2, /key in double quotes/],
    [
      'a letter in a number',
      '{\n"a": 12OO }',
      2,
      8,
      /^12OO is not a number\. Text needs quotes\.$/,
    ],
    ['a letter after a word', '[truely]', 1, 6, /^Expected "," or "\]", but found "l"/],
    ['the wrong bracket', '{"a":[1}', 1, 8, /Expected "," or "\]", but found "}"/],
    ['a bracket too many', '[]]', 1, 3, /nothing more/],
    ['an array that stays open', '\n  [1', 2, 5, /"\[" of line 2, column 3 is still open/],
    ['an object that stays open', '{"a":[{}', 1, 9, /"\[" of line 1, column 6 is still open/],
    ['an object that ends after a key', '{"a"', 1, 5, /the end of the text/],
    ['a comment that is never closed', '1 /* x *', 1, 3, /never closed/],
    ['/*/ as a comment', '/*/1', 1, 1, /never closed/],
    ['a slash alone', '[1 / 2]', 1, 4, /"\/" stands alone/],
    ['a slash at the end', '1/', 1, 2, /"\/" stands alone/],
    ['a hash comment', '# x\n1', 1, 1, /Expected a value, but found "#"/],
    ['a string that is never closed', '["abc', 1, 2, /never closed/],
    ['a string that ends in a backslash', '["abc\\', 1, 2, /never closed/],
    ['a raw line feed in a string', '["a\nb"]', 1, 4, /line break: write \\n/],
    ['a raw carriage return in a string', '["a\rb"]', 1, 4, /line break/],
    ['a raw tab in a string', '["\t"]', 1, 3, /U\+0009: write \\t/],
    ['a raw control character in a key', '{"\u0001":1}', 1, 3, /U\+0001: write \\u0001/],
    ['an escape that JSON has not', '["\\x41"]', 1, 3, /here comes "x"/],
    ['a short \\u escape', '["\\u00g0"]', 1, 3, /four hex digits/],
    ['single quotes', "['a']", 1, 2, /double quotes/],
    ['leading zeros', '[01]', 1, 2, /leading zeros/],
    ['leading zeros after a minus', '[-01]', 1, 3, /leading zeros/],
    ['a bare point', '[1.]', 1, 4, /A digit must follow the decimal point, not "\]"\.$/],
    ['a point first', '[.5]', 1, 2, /digit before its decimal point/],
    ['a plus sign', '[+1]', 1, 2, /"\+"/],
    ['a minus alone', '[-]', 1, 3, /A digit must follow the "-"/],
    ['an empty exponent', '[1e]', 1, 4, /exponent/],
    ['an exponent that is a sign', '[1.5E+]', 1, 7, /exponent/],
    ['hexadecimal numbers', '[0x10]', 1, 3, /^0x10 is not a number/],
    ['NaN', '[NaN]', 1, 2, /"NaN" is no JSON value/],
    ['Infinity', '[-Infinity]', 1, 3, /A digit must follow/],
    ['undefined', 'undefined', 1, 1, /"undefined" is no JSON value/],
    ['True', 'True', 1, 1, /"True" is no JSON value/],
    ['a word cut short', 'nul', 1, 1, /"nul" is no JSON value/],
    ['a word too long', 'nulls', 1, 5, /nothing more/],
    ['a no-break space', '[1,\u00a02]', 1, 4, /U\+00A0/],
    ['a NUL byte', '\u0000', 1, 1, /U\+0000/],
  ];
  for (const [what, text, line, column, message] of cases) {
    it(what, () => {
      const fault = faultOf(text);
      expect(fault.message).toMatch(message);
      expect([fault.line, fault.column]).toEqual([line, column]);
    });
  }

  it('bytes that are not UTF-8, in strings and in comments', () => {
    expect(faultOf(Buffer.from([0x22, 0x61, 0xff, 0x22])).message).toMatch(/not UTF-8: byte 0xFF/);
    const bad = [
      [0x80],
      [0xc0, 0xaf],
      [0xc3],
      [0xe2, 0x82],
      [0xe0, 0x80, 0x80],
      [0xed, 0xa0, 0x80],
    ];
    for (const bytes of [...bad, [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf5]]) {
      expect(place(Buffer.from([0x22, 0xc3, 0xa9, ...bytes, 0x22]))).toEqual([3, 1, 3]);
    }
    expect(place(Buffer.from([0x31, 0x2f, 0x2f, 0x0a, 0x2f, 0x2f, 0x80]))).toEqual([6, 2, 3]);
  });

  it('UTF-16, by its name', () => {
    expect(faultOf(Buffer.from('\ufeff{}', 'utf16le')).message).toMatch(/UTF-16/);
  });
});

describe('the place of a fault', () => {
  it('counts \\n, \\r and \\r\\n each as one line end', () => {
    expect(place('\n\n?')).toEqual([2, 3, 1]);
    expect(place('\r\r?')).toEqual([2, 3, 1]);
    expect(place('\r\n\r\n?')).toEqual([4, 3, 1]);
    expect(place('\n\r?')).toEqual([2, 3, 1]);
  });

  it('counts columns in UTF-16 code units and offsets in bytes', () => {
    expect(place('["é€😀" ?')).toEqual([13, 1, 9]);
  });

  it('does not count tabs double, nor the line end itself', () => {
    expect(place('[\n\t\t1\n\t?')).toEqual([7, 3, 2]);
  });
});

describe('stripJsonc and depth', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  it('allows as many levels as it is told and refuses one more', () => {
    expect(strip(nested(1_000), 1_000)).toBe(nested(1_000));
    expect(faultOf(nested(1_001), 1_000)).toMatchObject({ offset: 1_000, line: 1, column: 1_001 });
    expect(faultOf(nested(1_001), 1_000).message).toMatch(/1000 levels/);
    expect(strip('{"a":[{}]}', 3)).toBe('{"a":[{}]}');
    expect(faultOf('{"a":[{}]}', 2).offset).toBe(6);
    expect(strip('1', 0)).toBe('1');
    expect(faultOf('[]', 0).offset).toBe(0);
  });

  it('counts how deep brackets nest, not how many there are', () => {
    expect(strip('[[],[],[[]]]', 3)).toBe('[[],[],[[]]]');
  });

  it('survives 100,000 brackets, also where so many are allowed', () => {
    expect(faultOf('['.repeat(100_000)).offset).toBe(1_000);
    expect(faultOf('{"a":'.repeat(100_000)).offset).toBe(5_000);
    expect(faultOf('['.repeat(100_000), 1e9).message).toMatch(/the end of the text/);
    expect(strip(nested(100_000), 1e9)).toBe(nested(100_000));
  });
});

describe('stripJsonc and size', () => {
  it('takes megabytes', () => {
    const line = '  { "id": "item_0001", "price": 7.99, /* gold */ "tags": ["a", "b"], },\n';
    const stripped = '{"id":"item_0001","price":7.99,"tags":["a","b"]}';
    expect(strip(`[\n${line.repeat(50_000)}]`)).toBe(`[${Array(50_000).fill(stripped).join(',')}]`);
  });

  it('gives a result that owns exactly its buffer', () => {
    const json = stripJsonc(Buffer.from(' [1, 2] '), 10) as Uint8Array;
    expect(json.buffer.byteLength).toBe(5);
    expect(json.byteLength).toBe(5);
  });

  it('reads memory that threads share', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(6));
    shared.set(Buffer.from('["é"]'));
    expect(strip(shared)).toBe('["é"]');
  });
});

/** A tree of jsonc-parser without its offsets, numbers by their lexemes. */
function shapeOf(text: string, node: Node): unknown {
  if (node.type === 'number') return { number: text.slice(node.offset, node.offset + node.length) };
  if (!node.children) return node.value;
  const children = node.children.map((child) => shapeOf(text, child));
  return { [node.type]: children };
}

function oracle(text: string): { shape: unknown; errors: ParseError[] } {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  return { shape: root && shapeOf(text, root), errors };
}

describe('stripJsonc, on random texts,', () => {
  it('gives the bytes that were written, without what surrounds them', () => {
    fc.assert(
      fc.property(jsoncOf(anyTree), ({ jsonc, json }) => {
        expect(strip(jsonc)).toBe(json);
      }),
      { numRuns: 400 },
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(jsoncOf(anyTree), ({ jsonc }) => {
        const once = strip(jsonc);
        expect(strip(once)).toBe(once);
      }),
      { numRuns: 200 },
    );
  });

  it('agrees with jsonc-parser on valid texts', () => {
    fc.assert(
      fc.property(jsoncOf(anyTree), ({ jsonc }) => {
        const { shape, errors } = oracle(jsonc);
        expect(errors).toEqual([]);
        expect(oracle(strip(jsonc)).shape).toEqual(shape);
      }),
      { numRuns: 400 },
    );
  });

  it('agrees with jsonc-parser on what is valid', () => {
    const edit = fc.tuple(
      fc.nat(),
      fc.nat(3),
      fc.constantFrom(...'[]{},:"/*\\ \n\t0123.eE+-truefalsnx\u0001é'),
    );
    fc.assert(
      fc.property(
        jsoncOf(anyTree),
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        (text, edits) => {
          let jsonc = text.jsonc;
          for (const [at, removed, inserted] of edits) {
            const cut = at % (jsonc.length + 1);
            jsonc = jsonc.slice(0, cut) + inserted + jsonc.slice(cut + removed);
          }
          fc.pre(!/\p{Surrogate}/u.test(jsonc)); // an edit may cut a pair in two; UTF-8 cannot say that
          const result = stripJsonc(Buffer.from(jsonc), 1_000);
          expect(result instanceof TextIssue).toBe(oracle(jsonc).errors.length > 0);
          if (!(result instanceof TextIssue)) JSON.parse(Buffer.from(result).toString());
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('never crashes on random bytes, and what it lets pass is strict JSON', () => {
    const jsonish = fc.constantFrom(...Buffer.from('[]{}:,"\\/*\n 019.eE-+tfnu'), 0xc3, 0xa9, 0xff);
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.array(jsonish, { maxLength: 12 }));
    fc.assert(
      fc.property(bytes, (input) => {
        const result = stripJsonc(Uint8Array.from(input), 5);
        if (result instanceof TextIssue) {
          expect(result.offset).toBeLessThanOrEqual(input.length);
          expect(result.line).toBeGreaterThan(0);
          expect(result.column).toBeGreaterThan(0);
        } else {
          JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(result));
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
