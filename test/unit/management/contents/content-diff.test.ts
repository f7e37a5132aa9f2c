import { describe, expect, it } from 'vitest';
import { diffPointers } from '../../../../src/management/contents/diff/diff-pointers.js';
import { diffTexts } from '../../../../src/management/contents/diff/diff-texts.js';
import { startApi } from '../harness.js';

const pointers = (before: string, after: string, countMax = 100) =>
  diffPointers(Buffer.from(before), Buffer.from(after), countMax).map(
    (change) => `${change.change} ${change.path} ${change.before} -> ${change.after}`,
  );

describe('the structural diff', () => {
  it('names what was added, changed and removed, with the values as they stand', () => {
    expect(pointers('{"a":1,"b":[1,2],"c":{"x":1}}', '{"a":1.0,"b":[1,3],"d":null}')).toEqual([
      'changed /a 1 -> 1.0',
      'changed /b/1 2 -> 3',
      'removed /c {"x":1} -> null',
      'added /d null -> null',
    ]);
    expect(pointers('[1]', '{"a":1}')).toEqual(['changed  [1] -> {"a":1}']);
    expect(pointers('{"a":[1]}', '{"a":[1]}')).toEqual([]);
  });

  it('tells numbers apart that JavaScript reads as one', () => {
    expect(pointers('{"n":9007199254740993}', '{"n":9007199254740992}')).toEqual([
      'changed /n 9007199254740993 -> 9007199254740992',
    ]);
    expect(pointers('[1e400]', '[1e401]')).toEqual(['changed /0 1e400 -> 1e401']);
  });

  it('escapes keys as RFC 6901 has it, and takes __proto__ as a key like any other', () => {
    expect(pointers('{"a/b":1,"c~d":1,"":1}', '{"a/b":2,"c~d":2,"":2}')).toEqual([
      'changed /a~1b 1 -> 2',
      'changed /c~0d 1 -> 2',
      'changed / 1 -> 2',
    ]);
    expect(pointers('{"__proto__":1}', '{"__proto__":2}')).toEqual(['changed /__proto__ 1 -> 2']);
  });

  it('sees one change where an element comes or goes in the middle of a list', () => {
    expect(pointers('[1,2,3,4]', '[0,1,2,3,4]')).toEqual(['added /0 null -> 0']);
    expect(pointers('[1,2,3,4]', '[1,2,4]')).toEqual(['removed /2 3 -> null']);
    expect(pointers('[1,{"a":1},3]', '[1,{"a":2},3]')).toEqual(['changed /1/a 1 -> 2']);
    expect(pointers('[1,1]', '[1,1,1]')).toEqual(['added /2 null -> 1']);
  });

  it('hides no change: the order of keys and repeated keys count', () => {
    expect(pointers('{"o":{"a":1,"b":2}}', '{"o":{"b":2,"a":1}}')).toEqual([
      'changed /o {"a":1,"b":2} -> {"b":2,"a":1}',
    ]);
    expect(pointers('{"a":1,"a":2}', '{"a":2}')).toEqual(['changed  {"a":1,"a":2} -> {"a":2}']);
  });

  it('is bounded in its number and in the length of a value', () => {
    const before = JSON.stringify(Array.from({ length: 500 }, () => 0));
    const after = JSON.stringify(Array.from({ length: 500 }, () => 1));
    expect(pointers(before, after, 7)).toHaveLength(7);
    const [long] = diffPointers(Buffer.from('1'), Buffer.from(`"${'🔥'.repeat(500)}"`), 1);
    expect(long?.after?.length).toBeLessThanOrEqual(100);
    expect(long?.after?.endsWith('…')).toBe(true);
  });
});

describe('the diff of texts', () => {
  it('shows comments, in the unified form', () => {
    const before = '{\n  // old price\n  "price": 1\n}\n';
    const after = '{\n  // new price\n  "price": 1\n}\n';
    expect(diffTexts(before, after)).toEqual({
      text: '@@ -1,4 +1,4 @@\n {\n-  // old price\n+  // new price\n   "price": 1\n }',
      cut: false,
    });
  });

  it('is bounded in lines, in their length and in work', () => {
    const lines = (word: string) =>
      Array.from({ length: 3_000 }, (_, at) => `${word} ${at}`).join('\n');
    const many = diffTexts('', lines('a'));
    expect(many.cut).toBe(true);
    expect(many.text.split('\n')).toHaveLength(1_000);
    const wide = diffTexts('', 'x'.repeat(1_000_000));
    expect(wide.cut).toBe(true);
    expect(wide.text.length).toBeLessThan(1_000);
    const before = process.cpuUsage();
    const far = (word: string) =>
      Array.from({ length: 40_000 }, (_, at) => `${word}${at}`).join('\n');
    expect(diffTexts(far('a'), far('b'))).toEqual({ text: '', cut: true });
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
  });
});

describe('admin API: the diff of two revisions', () => {
  it('compares what is live with the newest, or the newest with the one before', async () => {
    const api = await startApi();
    const first = await api.dev('PUT', '/contents/Shop', { text: '{"a":1}', note: 'first' });
    const only = await api.dev('GET', '/contents/shop/diff');
    expect(only.body).toMatchObject({
      id: 'Shop',
      from: null,
      to: { revision: 1, live: true, hash: first.body.hash, author: 'owner', note: 'first' },
      lines: [{ appVersion: '0.0.0', change: 'added', oldHash: null, newHash: first.body.hash }],
      mapping: { change: 'same', rules: [] },
    });
    await api.dev('PUT', '/contents/shop', { text: '{"a":2}' });
    const last = await api.dev('GET', '/contents/shop/diff');
    expect(last.body).toMatchObject({ from: { revision: 1 }, to: { revision: 2, live: true } });
    await api.dev('PUT', '/contents/shop', { text: '{"a":3}', publish: false });
    await api.dev('PUT', '/contents/shop', { text: '{"a":4}', publish: false });
    const draft = await api.dev('GET', '/contents/shop/diff');
    expect(draft.body).toMatchObject({
      from: { revision: 2, live: true },
      to: { revision: 4, live: false },
      lines: [{ pointers: [{ path: '/a', change: 'changed', before: '2', after: '4' }] }],
    });
    const back = await api.dev('GET', '/contents/shop/diff?from=4&to=1');
    expect(back.body.lines[0].pointers[0]).toMatchObject({ before: '4', after: '1' });
    const whole = await api.dev('GET', '/contents/shop/diff?from=0&to=2');
    expect(whole.body).toMatchObject({ from: null, lines: [{ change: 'added' }] });
    const same = await api.dev('GET', '/contents/shop/diff?from=2&to=2');
    expect(same.body.lines).toEqual([]);
  });

  it('shows each line that differs: as JSON, and as text with its comments', async () => {
    const api = await startApi();
    const put = (text: string, appVersion: string) =>
      api.dev('PUT', '/contents/shop', { text, appVersion });
    await put('{"same":1}', '0.0.0');
    await put('{"gone":1}', '1.0.0');
    await put('{\n  "price": 1 // cheap\n}', '2.0.0');
    await put('{\n  "price": 1 // dear\n}', '2.0.0');
    await put('{"new":1}', '3.0.0');
    await api.dev('DELETE', '/contents/shop/lines/1.0.0');
    const { body } = await api.dev('GET', '/contents/shop/diff?from=3&to=6');
    expect(body.lines).toMatchObject([
      { appVersion: '2.0.0', change: 'changed', pointers: [], textCut: false },
      { appVersion: '3.0.0', change: 'added', text: expect.stringContaining('+{"new":1}') },
      { appVersion: '1.0.0', change: 'removed', text: expect.stringContaining('-{"gone":1}') },
    ]);
    const [changed] = body.lines;
    expect(changed.oldHash).toBe(changed.newHash);
    expect(changed.text).toContain('-  "price": 1 // cheap\n+  "price": 1 // dear');
  });

  it('says which rules were added, removed, changed or moved', async () => {
    const api = await startApi();
    const rule = (segment: string, price: number) => ({ segment, when: {}, merge: { price } });
    const text = '{"price":0}';
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((segment) => rule(segment, 1));
    await api.dev('PUT', '/contents/shop', { text, mapping: [a, b, c, d] });
    await api.dev('PUT', '/contents/shop', { mapping: [c, a, rule('b', 2), rule('e', 1)] });
    const { body } = await api.dev('GET', '/contents/shop/diff');
    expect(body.mapping.change).toBe('changed');
    expect(body.mapping.rules).toMatchObject([
      { segment: 'a', change: 'moved', from: 0, to: 1, pointers: [] },
      {
        segment: 'b',
        change: 'changed',
        from: 1,
        to: 2,
        pointers: [{ path: '/merge/price', before: '1', after: '2' }],
      },
      { segment: 'e', change: 'added', from: null, to: 3 },
      { segment: 'd', change: 'removed', from: 3, to: null },
    ]);
    await api.dev('PUT', '/contents/shop', { mapping: [] });
    const removed = await api.dev('GET', '/contents/shop/diff');
    expect(removed.body.mapping.change).toBe('removed');
    expect(removed.body.mapping.rules).toHaveLength(4);
  });

  it('refuses revisions and contents that there are not', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const codeOf = async (path: string) => (await api.dev('GET', `/contents/${path}`)).body.code;
    expect(await codeOf('shop/diff?to=2')).toBe('revision_not_found');
    expect(await codeOf('shop/diff?from=9&to=1')).toBe('revision_not_found');
    expect(await codeOf('none/diff')).toBe('content_not_found');
    expect(await codeOf('shop/diff?to=0')).toBe('invalid_request');
    expect(await codeOf('shop/diff?from=x')).toBe('invalid_request');
    expect(await codeOf('shop/diff?from=-1')).toBe('invalid_request');
  });
});
