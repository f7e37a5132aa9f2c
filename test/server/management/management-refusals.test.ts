/** What management refuses to save: each with 400 in the problem form, naming the place, and leaving what is live alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { send } from '../../support/wire/exchange.js';
import { expectInvalid } from '../../support/wire/refusal.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"live":true}');
});

async function expectLiveUntouched(): Promise<void> {
  expect((await game.wrapped('shop')).text).toMatch(/^\{"data":\{"live":true\},.*"seg":\[\]\}\}$/);
}

describe('text that is not JSON after stripping is refused with line and column:', () => {
  // `@` is where the text goes wrong; columns count UTF-16 units from 1.
  const located: readonly (readonly [string, string])[] = [
    ['a bare word', '{\n  "a": 1,\n  "b": @\n}'],
    ['on the first line', '[1, @]'],
    ['after a comment', '/* one\n two */ { "a": @ }'],
    ['after CRLF lines', '{\r\n\r\n"a": @}'],
    ['after text beyond ASCII', '{"😀é": @}'],
    ['after the end', '{}\n@'],
  ];
  for (const [name, text] of located) {
    it(name, async () => {
      const before = text.slice(0, text.indexOf('@'));
      const line = before.split('\n').length;
      const column = before.length - before.lastIndexOf('\n');
      const [error] = expectInvalid(await game.tryPut('shop', { text }));
      expect(error).toMatchObject({ path: 'text', line, column });
      expect(error?.message).toMatch(/\w/);
      await expectLiveUntouched();
    });
  }

  const refused: Record<string, string> = {
    'nothing at all': '',
    'only a comment': '// nothing',
    'an unclosed comment': '{} /* ',
    'an unclosed text': '"abc',
    'a raw line feed in a text': '"a\nb"',
    'a raw control character in a text': '"\u0001"',
    'a bad escape': '"\\x41"',
    'a short unicode escape': '"\\u12"',
    'single quotes': "{'a':1}",
    'a key without quotes': '{a:1}',
    NaN: '[NaN]',
    Infinity: '-Infinity',
    'a leading zero': '01',
    'a number that ends with its point': '1.',
    'a number that begins with its point': '.5',
    'a plus sign': '+1',
    'a hexadecimal number': '0x10',
    'an exponent without digits': '1e',
    'a lone comma in an array': '[,]',
    'a lone comma in an object': '{,}',
    'two commas': '[1,,2]',
    'two trailing commas': '[1,,]',
    'a missing comma': '[1 2]',
    'a comment in the middle of a number': '[1/**/2]',
    'a missing colon': '{"a" 1}',
    'a missing value': '{"a":}',
    'an unclosed array': '[1',
    'a bracket of the other kind': '[1}',
    'two values': '1 2',
    'a trailing comma at the root': '1,',
    'a # comment': '# no\n1',
    'a word in another case': 'True',
    'a no-break space between tokens': '[1,\u00a02]',
  };
  for (const [name, text] of Object.entries(refused)) {
    it(name, async () => {
      const [error] = expectInvalid(await game.tryPut('shop', { text }));
      expect(error?.path).toBe('text');
      expect(error?.line).toBeGreaterThanOrEqual(1);
      expect(error?.column).toBeGreaterThanOrEqual(1);
    });
  }

  it('and what is live stays live', expectLiveUntouched);
});

describe('text beyond a limit is refused:', () => {
  it('1,001 levels', async () => {
    expectInvalid(await game.tryPut('shop', { text: '['.repeat(1_001) + ']'.repeat(1_001) }));
    expectInvalid(
      await game.tryPut('shop', { text: `${'{"a":'.repeat(1_000)}[]${'}'.repeat(1_000)}` }),
    );
    await expectLiveUntouched();
  });

  it('100,000 nested brackets', async () => {
    expectInvalid(await game.tryPut('shop', { text: '['.repeat(100_000) + ']'.repeat(100_000) }));
    expectInvalid(await game.tryPut('shop', { text: '['.repeat(100_000) }));
    await expectLiveUntouched();
  });

  it('100,000 nested brackets in a mapping, a condition or the request itself', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const mapping of [
      deep,
      `[{"segment":"s","when":{},"replace":${deep}}]`,
      `[{"segment":"s","when":{"a":${deep}}}]`,
    ]) {
      expectInvalid(await game.tryPut('shop', { mapping }));
    }
    const answer = await server.admin('PUT', `${game.path}/contents/shop`, deep);
    expect(answer.status).toBe(400);
    await expectLiveUntouched();
  });
});

const patch = (operation: object): readonly unknown[] => [
  { segment: 's', when: {}, patch: [operation] },
];

describe('a mutation that can apply to no live line is refused with the operation and the reason:', () => {
  const hopeless: Record<string, object> = {
    'replace of what is not there': { op: 'replace', path: '/none', value: 1 },
    'remove of what is not there': { op: 'remove', path: '/none' },
    'add below what is not there': { op: 'add', path: '/none/a', value: 1 },
    'a test that fails': { op: 'test', path: '/live', value: false },
    'move from what is not there': { op: 'move', from: '/none', path: '/a' },
    'copy from what is not there': { op: 'copy', from: '/none', path: '/a' },
    'move of a value into itself': { op: 'move', from: '', path: '/a' },
  };
  for (const [name, operation] of Object.entries(hopeless)) {
    it(name, async () => {
      const [error] = expectInvalid(await game.tryPut('shop', { mapping: patch(operation) }));
      expect(error?.path).toMatch(/^mapping\[0\]/);
      expect(`${error?.path} ${error?.message}`).toMatch(/patch\[0\]|operation/i);
      await expectLiveUntouched();
    });
  }

  it('the second operation of a variant in the second rule, by its place', async () => {
    const mapping = [
      { segment: 'fine', when: {}, merge: { a: 1 } },
      {
        segment: 's',
        when: {},
        variants: [
          { name: 'control', groups: [0, 499] },
          {
            name: 'broken',
            groups: [500, 999],
            patch: [
              { op: 'replace', path: '/a', value: 2 },
              { op: 'remove', path: '/none' },
            ],
          },
        ],
      },
    ];
    const [error] = expectInvalid(await game.tryPut('shop', { mapping }));
    expect(error?.path).toMatch(/^mapping\[1\]\.variants\[1\]/);
    await expectLiveUntouched();
  });

  it('also when the text changes under a mapping that is already there', async () => {
    await game.put('moving', '{"a":1}', {
      mapping: patch({ op: 'replace', path: '/a', value: 2 }),
    });
    expectInvalid(await game.tryPut('moving', { text: '{"b":1}' }));
    expect((await game.wrapped('moving')).json.data).toEqual({ a: 2 });
  });

  it('also when the only line it applies to is taken away', async () => {
    await game.put('shrinks', '{"b":1}', { appVersion: '1.0.0' });
    await game.put('shrinks', '{"a":1}', {
      appVersion: '2.0.0',
      mapping: patch({ op: 'replace', path: '/a', value: 2 }),
    });
    const answer = await server.admin('DELETE', `${game.path}/contents/shrinks/lines/2.0.0`);
    expectInvalid(answer);
    expect((await game.wrapped('shrinks')).json.data).toEqual({ a: 2 });
  });

  it('but not one that applies only after the rules before it', async () => {
    const mapping = [
      { segment: 'base', when: {}, merge: { extra: {} } },
      { segment: 's', when: {}, patch: [{ op: 'add', path: '/extra/a', value: 1 }] },
    ];
    await game.put('layers', '{}', { mapping });
    expect((await game.wrapped('layers')).json.data).toEqual({ extra: { a: 1 } });
  });
});

describe('a mapping is refused:', () => {
  const all = [{ name: 'v', groups: [0, 999] }];
  const rule = (more: object): unknown => [{ segment: 's', when: {}, ...more }];
  const refused: Record<string, unknown> = {
    'an object': { segment: 's', when: {} },
    'a rule that is no object': [1],
    'a rule without a segment': [{ when: {} }],
    'a segment that is no text': [{ segment: 1, when: {} }],
    'two mutations in a rule': rule({ merge: {}, replace: 1 }),
    'two mutations in a variant': rule({
      variants: [{ ...all[0], merge: {}, patch: [] }],
    }),
    'groups that overlap at one end': rule({
      variants: [
        { name: 'a', groups: [0, 500] },
        { name: 'b', groups: [500, 999] },
      ],
    }),
    'groups of which one holds the other': rule({
      variants: [
        { name: 'a', groups: [0, 999] },
        { name: 'b', groups: [5, 6] },
      ],
    }),
    'a group above 999': rule({ variants: [{ name: 'a', groups: [0, 1000] }] }),
    'a group below 0': rule({ variants: [{ name: 'a', groups: [-1, 5] }] }),
    'groups the wrong way round': rule({ variants: [{ name: 'a', groups: [6, 5] }] }),
    'a group that is no integer': rule({ variants: [{ name: 'a', groups: [0, 1.5] }] }),
    'groups of three': rule({ variants: [{ name: 'a', groups: [0, 1, 2] }] }),
    'a variant without a name': rule({ variants: [{ groups: [0, 1] }] }),
    'a variant without groups': rule({ variants: [{ name: 'a' }] }),
    'a window with a zone at one end': rule({
      from: '2026-11-01T00:00:00',
      until: '2026-12-01T00:00:00Z',
    }),
    'a day that does not exist': rule({ until: '2026-02-30T00:00:00Z' }),
    'a time that is a number': rule({ from: 1_790_000_000_000 }),
    'a salt that is a number': rule({ salt: 1 }),
    'an info that is no text': rule({ info: {} }),
    'a patch that is no array': rule({ patch: { op: 'remove', path: '/live' } }),
    'a patch with an unknown operation': rule({ patch: [{ op: 'set', path: '/live', value: 1 }] }),
    'a patch without a path': rule({ patch: [{ op: 'remove' }] }),
    'a patch without a value': rule({ patch: [{ op: 'add', path: '/a' }] }),
    'a patch with a path that does not begin with a slash': rule({
      patch: [{ op: 'remove', path: 'live' }],
    }),
    'a patch with an index that begins with 0': rule({
      patch: [{ op: 'add', path: '/list/01', value: 1 }],
    }),
  };
  for (const [name, mapping] of Object.entries(refused)) {
    it(name, async () => {
      const put = { mapping: JSON.stringify(mapping) };
      const errors = expectInvalid(await game.tryPut('shop', put));
      expect(errors.length).toBeGreaterThan(0);
      expect(errors[0]?.path).toMatch(/^mapping/);
      await expectLiveUntouched();
    });
  }
});

describe('the management API', () => {
  it('needs its token', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { 'x-api-key': game.key }]) {
      const answer = await send(server.adminUrl, '/admin/v1/environments', { headers });
      expect(answer.status).toBe(401);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    }
  });

  it('refuses a body that is not JSON', async () => {
    expectInvalid(await server.admin('PUT', `${game.path}/contents/shop`, '{"text":'));
    await expectLiveUntouched();
  });

  it('refuses an edit that builds on an old revision with 409', async () => {
    const first = await game.put('guarded', '1');
    expectDone(await game.tryPut('guarded', { text: '2' }));
    const body = { text: '3', ifRevision: first.revision };
    const answer = await server.admin('PUT', `${game.path}/contents/guarded`, body);
    expect(answer.status).toBe(409);
    expect((await game.plain('guarded')).text).toBe('2');
  });

  it('does not know contents and environments that are not there', async () => {
    const paths = ['/admin/v1/environments/none', `${game.path}/contents/none`];
    for (const path of paths) expect((await server.admin('GET', path)).status).toBe(404);
    const put = await server.admin('PUT', '/admin/v1/environments/none/contents/a', { text: '1' });
    expect(put.status).toBe(404);
  });
});
