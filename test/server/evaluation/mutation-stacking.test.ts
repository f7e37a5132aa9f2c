/** Several rules on one content: each works on the result of those before it; one that cannot apply leaves no trace. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
});

/** The bytes of `data`. */
async function dataText(id: string, body = {}): Promise<string> {
  const { text } = await game.wrapped(id, body);
  return text.slice('{"data":'.length, text.lastIndexOf(',"hash":'));
}

describe('rules are stacked: each works on the result of those before it', () => {
  it('merge, patch and replace', async () => {
    await game.put('stack', '{"n":0,"keep":1.10}', {
      mapping: `[
        {"segment":"merge","when":{},"merge":{"list":[{"a":1e400}],"n":1}},
        {"segment":"patch","when":{},"patch":[{"op":"add","path":"/list/0/b","value":2.0},{"op":"test","path":"/n","value":1}]},
        {"segment":"over","when":{"x":1},"replace":{"new":{"y":1}}},
        {"segment":"last","when":{},"merge":{"new":{"z":3.0}}}
      ]`,
    });
    expect(await dataText('stack')).toBe(
      '{"n":1,"keep":1.10,"list":[{"a":1e400,"b":2.0}],"new":{"z":3.0}}',
    );
    expect(await dataText('stack', { p: { x: 1 } })).toBe('{"new":{"y":1,"z":3.0}}');
    expect(await game.segments('stack', { p: { x: 1 } })).toEqual([
      'merge',
      'patch',
      'over',
      'last',
    ]);
  });

  it('removing and adding again puts a key at the end', async () => {
    await game.put('again', '{"a":1,"b":2}', {
      mapping: [
        { segment: 'off', when: {}, merge: { a: null } },
        { segment: 'on', when: {}, merge: { a: 3 } },
      ],
    });
    expect(await dataText('again')).toBe('{"b":2,"a":3}');
  });

  it('with a hundred rules', async () => {
    const rules = Array.from({ length: 100 }, (_, i) => ({
      segment: `s${i}`,
      when: {},
      patch: [{ op: 'add', path: '/-', value: i }],
    }));
    await game.put('hundred', '[]', { mapping: rules });
    expect(await dataText('hundred')).toBe(JSON.stringify(rules.map((_, i) => i)));
  });
});

describe('a rule that cannot apply at delivery', () => {
  const mapping = [
    { segment: 'base', when: { x: 1 }, merge: { extra: { n: 1 } } },
    {
      segment: 'needs-base',
      when: {},
      info: 'i',
      patch: [
        { op: 'add', path: '/first', value: 1 },
        { op: 'replace', path: '/extra/n', value: 2 },
      ],
    },
    { segment: 'after', when: {}, merge: { last: true } },
  ];

  it('leaves the data as it was before it, whole, and is not in seg', async () => {
    await game.put('partial', '{"a":1}', { mapping });
    expect(await dataText('partial')).toBe('{"a":1,"last":true}');
    expect(await game.segments('partial')).toEqual(['after']);
  });

  it('applies where it can, in every form and again from the cache', async () => {
    await game.put('partial', '{"a":1}', { mapping });
    for (let i = 0; i < 6; i++) {
      const body = { p: { x: 1 } };
      expect(await dataText('partial', body)).toBe('{"a":1,"extra":{"n":2},"first":1,"last":true}');
      expect(await game.segments('partial', body)).toEqual(['base', 'needs-base', 'after']);
      expect(await game.segments('partial')).toEqual(['after']);
      const serialized = await game.wrapped('partial', {}, '?responseType=serialized');
      expect(serialized.json.data).toBe('{"a":1,"last":true}');
      expect(serialized.json.meta.seg).toEqual([{ n: 'after', v: null }]);
    }
  });

  it('misses one line and applies to another', async () => {
    await game.put('two', '{"old":1}', { appVersion: '1.0.0' });
    const answer = await game.put('two', '{"new":1}', {
      appVersion: '2.0.0',
      mapping: [{ segment: 's', when: {}, patch: [{ op: 'replace', path: '/new', value: 2 }] }],
    });
    // Saved, with a word on the line it misses.
    expect(JSON.stringify(answer)).toMatch(/warning.*1\.0\.0/i);
    expect(await dataText('two', { v: '1.5.0' })).toBe('{"old":1}');
    expect(await game.segments('two', { v: '1.5.0' })).toEqual([]);
    expect(await dataText('two')).toBe('{"new":2}');
    expect(await game.segments('two')).toEqual(['s']);
  });
});
