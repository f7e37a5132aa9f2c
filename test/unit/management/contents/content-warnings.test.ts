import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findWarnings } from '../../../../src/management/contents/warnings/find-warnings.js';
import { startApi } from '../harness.js';

const doubtsOf = (text: string) => findWarnings(Buffer.from(text));
const places = (text: string) => doubtsOf(text).map(({ line, column }) => [line, column]);

const text000 = { path: 'text', appVersion: '0.0.0' };

describe('warnings of a text', () => {
  it('come with a save and with a dry run, and refuse nothing', async () => {
    const api = await startApi();
    const text = '{\n  "a": 1, // first\n  "a": 9007199254740993\n}';
    const dry = await api.dev('PUT', '/contents/shop', { text, dryRun: true });
    expect(dry.status).toBe(200);
    const saved = await api.dev('PUT', '/contents/shop', { text });
    expect(saved.status).toBe(201);
    expect(saved.body.warnings).toEqual([
      { ...text000, message: expect.stringContaining('"a"'), line: 3, column: 3 },
      {
        ...text000,
        message:
          '9007199254740993 is beyond 2^53 and no double; most clients read it as 9007199254740992.',
        line: 3,
        column: 8,
      },
    ]);
    expect(dry.body.warnings).toEqual(saved.body.warnings);
  });

  it('come with those of the mapping and of its conditions, each where it is', async () => {
    const api = await startApi();
    const mapping = [
      { segment: 'a', when: { country: { $in: 'DE' } }, merge: { x: 1 } },
      { segment: 'b', when: {}, patch: [{ op: 'remove', path: '/new' }] },
    ];
    await api.dev('PUT', '/contents/shop', { text: '{"old":1}' });
    await api.dev('PUT', '/sample-users/ada', { p: { country: 'DE' } });
    const line = { text: '{"new":1e999}', appVersion: '2.0.0', mapping };
    const { body } = await api.dev('PUT', '/contents/shop', line);
    expect(body.warnings.map(({ path }: { path: string }) => path)).toEqual([
      'text',
      'mapping[0].when.country.$in',
      'mapping[1].patch',
    ]);
  });

  it('come for a rule that says something twice', async () => {
    const api = await startApi();
    const rule = '{"segment":"s","when":{},"merge":{"a":1},"merge":{"b":2}}';
    const { status, body } = await api.dev(
      'PUT',
      '/contents/shop',
      `{"text":"{}","mapping":[${rule}]}`,
    );
    expect(status).toBe(201);
    expect(body.warnings).toEqual([
      { path: 'mapping', message: expect.stringContaining('The key "merge"') },
    ]);
  });

  it('find a key that is repeated in one object, however it is written, and only there', () => {
    expect(places('{"a":1,"b":{"a":2},"\\u0061":3,"a":4}')).toEqual([
      [1, 20],
      [1, 31],
    ]);
    expect(places('[{"a":1},{"a":1}]')).toEqual([]);
    expect(places('{"a":"a","b":["a","a"]}')).toEqual([]);
    expect(places('{"a":{"x":1},/* "a" */"c":{"x":1}, "a":2,}')).toEqual([[1, 36]]);
  });

  it('find integers that no double is, and no others', () => {
    const exact = ['9007199254740992', '9007199254740994', '1e21', '100000000000000000000', '-1'];
    for (const number of exact) expect(doubtsOf(`[${number}]`)).toEqual([]);
    for (const number of ['9007199254740993', '-9007199254740995', '123456789012345678901']) {
      expect(doubtsOf(`[${number}]`)).toHaveLength(1);
    }
    // Fractions are rounded by every reader of doubles; nobody takes them for exact.
    expect(doubtsOf('[0.1000000000000000055511151231257827]')).toEqual([]);
  });

  it('find numbers that overflow a double', () => {
    for (const number of ['1e400', '-1E+309', `1${'0'.repeat(309)}`, `${'9'.repeat(2_000)}`]) {
      expect(doubtsOf(`{"n":${number}}`)[0]?.message).toContain('larger than a double can be');
    }
    expect(doubtsOf('[1e308, 1e-400, -1.7976931348623157e308]')).toEqual([]);
  });

  it('find halves of surrogate pairs in values and keys, but not pairs', () => {
    expect(doubtsOf('"\\ud83d\\ude00 \\\\ud83d"')).toEqual([]);
    expect(places('["x\\ud83d", "\\ude00"]')).toEqual([
      [1, 4],
      [1, 14],
    ]);
    expect(places('{"\\ud83d\\ud83d\\ude00": 1}')).toEqual([[1, 3]]);
  });

  it('count columns in UTF-16 units and lines as editors do', () => {
    expect(places('{"🔥": 1e400,\r\n"ü": [1e400,\r"x", 1e400]}')).toEqual([
      [1, 8],
      [2, 7],
      [3, 6],
    ]);
  });

  it('are bounded, and say so', () => {
    const doubts = doubtsOf(`[${Array.from({ length: 500 }, () => '1e400').join(',')}]`);
    expect(doubts).toHaveLength(50);
    expect(doubts.at(-1)?.message).toContain('not looked through any further');
    const [long] = doubtsOf(`{"${'k'.repeat(10_000)}":1e400,"${'k'.repeat(10_000)}":1}`).slice(1);
    expect(long?.message.length).toBeLessThan(200);
  });

  it('find nothing in any text without such things, wherever its comments are', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value, null, 1).replaceAll('\n', ' // "a": 1e400\n/* 1e400 */');
        const doubts = doubtsOf(text.replaceAll('\\ud', '\\u0'));
        expect(doubts.filter(({ message }) => !message.includes('beyond 2^53'))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('look through a large text in one pass', () => {
    const row = '{"id":12345,"name":"sword","price":1.25,"tags":["a","b"]},\n';
    const text = `[${row.repeat(100_000)}1e400]`;
    // Of the processor, because the clock counts what else the machine does. It takes a tenth of that.
    const before = process.cpuUsage();
    expect(places(text)).toEqual([[100_001, 1]]);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });
});
