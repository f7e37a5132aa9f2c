import { describe, expect, it } from 'vitest';
import { changesAfter, startApi, tokenOf } from '../harness.js';

describe('admin API: saving contents', () => {
  it('answers 201 for a new content and 200 for an edit, after every listener serves it', async () => {
    const api = await startApi();
    const made = await api.dev('PUT', '/contents/Shop', {
      text: '{"a":1, /* c */ }',
      note: 'first',
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: 'Shop',
      revision: 1,
      live: 1,
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      warnings: [],
      sequence: expect.any(Number),
    });
    expect(api.published.at(-1)).toBe(made.body.sequence);
    const edited = await api.dev('PUT', '/contents/SHOP', { text: '{"a":2}' });
    expect(edited.status).toBe(200);
    expect(edited.body).toMatchObject({ id: 'Shop', revision: 2, live: 2 });
    expect(edited.body.sequence).toBeGreaterThan(made.body.sequence);
  });

  it('gives no new number to a save that changes nothing, and still waits for the listeners', async () => {
    const api = await startApi();
    const made = await api.dev('PUT', '/contents/shop', { text: '{"a":1}' });
    const again = await api.dev('PUT', '/contents/shop', { text: '{"a":1}', note: 'again' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(made.body);
    expect(api.published.slice(-2)).toEqual([made.body.sequence, made.body.sequence]);
  });

  it('leaves what is not mentioned as it is', async () => {
    const api = await startApi();
    const mapping = [{ segment: 's', when: {}, merge: { b: 1 } }];
    const facts = { description: 'The shop.', tags: ['economy'], schema: { type: 'object' } };
    await api.dev('PUT', '/contents/shop', { text: '{"a":1}', mapping, ...facts });
    await api.dev('PUT', '/contents/shop', { text: '{"a":2}', appVersion: '02.0.0' });
    const { body } = await api.dev('GET', '/contents/shop');
    expect(body).toMatchObject({ ...facts, mapping, newest: 2, live: 2, revision: 2 });
    expect(body.lines).toMatchObject([
      { appVersion: '0.0.0', text: '{"a":1}' },
      { appVersion: '2.0.0', text: '{"a":2}' },
    ]);
    await api.dev('PUT', '/contents/shop', { mapping: [], schema: null, tags: [] });
    const { body: after } = await api.dev('GET', '/contents/shop');
    expect(after).toMatchObject({ mapping: [], schema: null, tags: [], description: 'The shop.' });
  });

  it('keeps a draft apart from what is live until it is published', async () => {
    const api = await startApi();
    const live = await api.dev('PUT', '/contents/shop', { text: '1' });
    const draft = await api.dev('PUT', '/contents/shop', { text: '2', publish: false });
    expect(draft.body).toMatchObject({ revision: 2, live: 1, sequence: live.body.sequence });
    const published = await api.dev('POST', '/contents/shop/publish', { revision: 2 });
    expect(published.status).toBe(200);
    expect(published.body).toMatchObject({ revision: 2, live: 2 });
    expect(await changesAfter(api.store, live.body.sequence)).toMatchObject([
      { lines: ['0.0.0 2'] },
    ]);
    const same = await api.dev('PUT', '/contents/shop', { text: '2' });
    expect(same.body).toMatchObject({ revision: 2, live: 2 });
  });

  it('publishes the draft that a save repeats, under the number it has', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1', publish: false });
    const published = await api.dev('PUT', '/contents/shop', { text: '1' });
    expect(published.body).toMatchObject({ revision: 1, live: 1 });
  });

  it('stores mapping and texts byte for byte', async () => {
    const api = await startApi();
    const mapping =
      '[ {"segment":"s","when":{},"merge":{"n":1e400,"m":1.10,"__proto__":{"x":9007199254740993},"e":"\\u0041"}} ]';
    const body = `{"mapping": [], "text":"{\\"a\\":1.0}", "m\\u0061pping" : ${mapping} }`;
    const made = await api.dev('PUT', '/contents/shop', body);
    expect(made.status).toBe(201);
    const shown = await api.dev('GET', '/contents/shop');
    expect(shown.text).toContain(`"mapping":${mapping}`);
    expect(await changesAfter(api.store, made.body.sequence - 1)).toMatchObject([
      { lines: ['0.0.0 {"a":1.0}'], mapping },
    ]);
    const revision = await api.dev('GET', '/contents/shop/revisions/1');
    expect(revision.text).toContain(`"mapping":${mapping}`);
  });

  it('refuses an edit that was not made from the newest revision, and says who saved in between', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1', ifRevision: 0 });
    await api.dev('PUT', '/contents/shop', { text: '2', ifRevision: 1 });
    const late = await api.dev('PUT', '/contents/shop', { text: '3', ifRevision: 1 });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ code: 'revision_conflict', status: 409, title: 'Conflict' });
    expect(late.body.detail).toContain('saved by owner');
    expect((await api.dev('PUT', '/contents/shop', { text: '3', ifRevision: 0 })).status).toBe(409);
  });

  it('says where a text is not JSON', async () => {
    const api = await startApi();
    const refused = await api.dev('PUT', '/contents/shop', { text: '{\n  "a": tru\n}' });
    expect(refused.status).toBe(400);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(refused.body).toMatchObject({
      type: 'about:blank',
      title: 'Bad Request',
      code: 'invalid_content',
      errors: [{ path: 'text', line: 2, column: expect.any(Number) }],
    });
  });

  it('refuses half a surrogate pair with its place', async () => {
    const api = await startApi();
    const refused = await api.dev('PUT', '/contents/shop', '{"text":"{\\n\\"a\\":\\"\\ud800\\"}"}');
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([{ path: 'text', line: 2, column: 6 }]);
  });

  it('refuses texts beyond the limits', async () => {
    const api = await startApi({ textBytesMax: 1_000, textLevelsMax: 10 });
    const large = await api.dev('PUT', '/contents/shop', { text: `"${'x'.repeat(1_000)}"` });
    expect(large.status).toBe(400);
    expect(large.body.errors[0].message).toContain('1000');
    const deep = await api.dev('PUT', '/contents/shop', { text: '['.repeat(100_000) });
    expect(deep.status).toBe(400);
    expect(deep.body.code).toBe('invalid_content');
  });

  it.each([
    ['no text for a new content', {}, 'text'],
    ['a version for no text', { appVersion: '1.0.0', mapping: [] }, 'appVersion'],
    ['a version that is none', { text: '1', appVersion: '1.0' }, 'appVersion'],
    ['a text that is no string', { text: { a: 1 } }, 'text'],
    ['a mapping that is no list', { text: '1', mapping: {} }, 'mapping'],
    ['an unknown field', { text: '1', app_version: '1.0.0' }, ''],
    ['too many tags', { text: '1', tags: Array.from({ length: 33 }, () => 't') }, 'tags'],
  ])('refuses %s', async (_what, body, path) => {
    const api = await startApi();
    const refused = await api.dev('PUT', '/contents/shop', body);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'invalid_body', errors: [{ path }] });
  });

  it('takes only content ids that delivery can be asked for', async () => {
    const api = await startApi();
    for (const id of ['a%20b', 'a%2Fb', 'x'.repeat(129), '%C3%A4']) {
      const refused = await api.dev('PUT', `/contents/${id}`, { text: '1' });
      expect(refused.status).toBe(400);
      expect(refused.body.code).toBe('invalid_request');
    }
    expect((await api.dev('PUT', `/contents/${'x'.repeat(128)}`, { text: '1' })).status).toBe(201);
  });
});

describe('admin API: mappings', () => {
  it('says where a mapping is wrong', async () => {
    const api = await startApi();
    const mapping = [{ segment: 's', when: { a: { $wrong: 1 } }, merge: {} }];
    const refused = await api.dev('PUT', '/contents/shop', { text: '{}', mapping });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('invalid_mapping');
    expect(refused.body.errors[0].path).toMatch(/^mapping\[0\]\.when/);
  });

  it('needs the saved segments it refers to', async () => {
    const api = await startApi();
    const body = { text: '{}', mapping: [{ segment: 'whales', merge: {} }] };
    const refused = await api.dev('PUT', '/contents/shop', body);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([{ path: 'mapping[0].segment' }]);
    expect(refused.body.errors[0].message).toContain('whales');
    await api.dev('PUT', '/segments/whales', { when: { level: { $gt: 10 } } });
    expect((await api.dev('PUT', '/contents/shop', body)).status).toBe(201);
  });

  it('refuses a mutation that applies to no line, with the operation and the reason', async () => {
    const api = await startApi();
    const patch = [
      { op: 'test', path: '/a', value: 1 },
      { op: 'replace', path: '/missing/b', value: 2 },
    ];
    const mapping = [{ segment: 's', when: {}, variants: [{ name: 'v', groups: [0, 9], patch }] }];
    const refused = await api.dev('PUT', '/contents/shop', { text: '{"a":1}', mapping });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('invalid_mapping');
    expect(refused.body.errors[0].path).toBe('mapping[0].variants[0].patch');
    expect(refused.body.errors[0].message).toContain('operation 1');
  });

  it('warns of a line that a mutation misses', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"old":1}' });
    await api.dev('PUT', '/contents/shop', { text: '{"new":1}', appVersion: '2.0.0' });
    const mapping = [
      { segment: 's', when: {}, patch: [{ op: 'replace', path: '/new', value: 2 }] },
    ];
    const saved = await api.dev('PUT', '/contents/shop', { mapping });
    expect(saved.status).toBe(200);
    expect(saved.body.warnings).toHaveLength(1);
    expect(saved.body.warnings[0].path).toBe('mapping[0].patch');
    expect(saved.body.warnings[0].message).toContain('line 0.0.0');
  });

  it('takes a mutation that needs what an earlier rule, or one of its variants, inserts', async () => {
    const api = await startApi();
    const variants = [
      { name: 'a', groups: [0, 499], merge: { x: 1 } },
      { name: 'b', groups: [500, 999], merge: { banner: { text: 'hi' } } },
    ];
    const patch = [{ op: 'add', path: '/banner/colour', value: 'red' }];
    const mapping = [
      { segment: 'test', when: {}, variants },
      { segment: 'all', when: {}, patch },
    ];
    const saved = await api.dev('PUT', '/contents/shop', { text: '{}', mapping });
    expect(saved.status).toBe(201);
    expect(saved.body.warnings[0].message).toContain('unless the rules before it');
  });

  it('checks the mapping again when a line changes', async () => {
    const api = await startApi();
    const mapping = [{ segment: 's', when: {}, patch: [{ op: 'remove', path: '/a' }] }];
    await api.dev('PUT', '/contents/shop', { text: '{"a":1}', mapping });
    const refused = await api.dev('PUT', '/contents/shop', { text: '{"b":1}' });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('invalid_mapping');
  });

  it('checks it again when a revision is published or rolled back to', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/s', { when: {} });
    const mapping = [{ segment: 's', merge: { a: 1 } }];
    await api.dev('PUT', '/contents/shop', { text: '{}', mapping });
    await api.dev('PUT', '/contents/shop', { mapping: [] });
    expect((await api.dev('DELETE', '/segments/s')).status).toBe(200);
    const refused = await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('invalid_mapping');
  });

  it('tries hundreds of rules on a large text in one go', async () => {
    const api = await startApi();
    const text = JSON.stringify({ a: 1, filler: 'x'.repeat(5_000_000) });
    const patch = [{ op: 'replace', path: '/a', value: 2 }];
    const mapping = Array.from({ length: 400 }, (_, at) => ({
      segment: `s${at}`,
      when: {},
      patch,
    }));
    const before = process.cpuUsage();
    expect((await api.dev('PUT', '/contents/shop', { text, mapping })).status).toBe(201);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });
});

describe('admin API: publish, roll back, remove', () => {
  it('rolls back under a new number, and undoes a deletion', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/shop', { text: '2' });
    const back = await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
    expect(back.body).toMatchObject({ revision: 3, live: 3 });
    expect((await api.dev('DELETE', '/contents/shop')).status).toBe(200);
    expect((await api.dev('GET', '/contents/shop')).status).toBe(404);
    const undone = await api.dev('POST', '/contents/shop/rollback', { revision: 2 });
    expect(undone.body).toMatchObject({ revision: 4, live: 4 });
    expect((await api.dev('GET', '/contents/shop')).body.lines[0].text).toBe('2');
  });

  it('publishes no revision that is older than the live one', async () => {
    const api = await startApi();
    for (const text of ['1', '2']) await api.dev('PUT', '/contents/shop', { text });
    const refused = await api.dev('POST', '/contents/shop/publish', { revision: 1 });
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe('revision_older');
    expect((await api.dev('POST', '/contents/shop/publish', { revision: 9 })).status).toBe(404);
    expect((await api.dev('POST', '/contents/shop/publish', {})).body.revision).toBe(2);
  });

  it('removes a line, but not the last one', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/shop', { text: '2', appVersion: '2.0.0' });
    const removed = await api.dev('DELETE', '/contents/shop/lines/0.0.0');
    expect(removed.body).toMatchObject({ revision: 3, live: 3 });
    const last = await api.dev('DELETE', '/contents/shop/lines/2.0.0');
    expect(last.status).toBe(409);
    expect(last.body.code).toBe('last_line');
    expect((await api.dev('DELETE', '/contents/shop/lines/7.0.0')).body.code).toBe(
      'line_not_found',
    );
    expect((await api.dev('DELETE', '/contents/shop/lines/7')).status).toBe(400);
  });

  it('deletes a content, keeps its history, and continues it when it is saved anew', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/Shop', { text: '1', description: 'Old.' });
    const deleted = await api.dev('DELETE', '/contents/shop');
    expect(deleted.body).toMatchObject({ id: 'Shop', sequence: expect.any(Number) });
    expect((await api.dev('DELETE', '/contents/shop')).status).toBe(404);
    expect((await api.dev('GET', '/contents')).body.contents).toEqual([]);
    expect((await api.dev('PUT', '/contents/shop', {})).status).toBe(400);
    const anew = await api.dev('PUT', '/contents/shop', { text: '2' });
    expect(anew.status).toBe(201);
    expect(anew.body).toMatchObject({ id: 'shop', revision: 2, live: 2 });
    expect((await api.dev('GET', '/contents/shop')).body.description).toBe('');
    const history = await api.dev('GET', '/contents/shop/revisions');
    expect(history.body.revisions).toMatchObject([
      { revision: 2, live: true, author: 'owner' },
      { revision: 1, live: false },
    ]);
  });

  it('lists contents with what they deliver, page by page', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/b', { text: '[1]' });
    await api.dev('PUT', '/contents/A', { text: '{"a":1}', publish: false });
    const mapping = [{ segment: 's', when: {}, merge: {} }];
    await api.dev('PUT', '/contents/c', { text: '1', mapping });
    const { body } = await api.dev('GET', '/contents');
    expect(body.next).toBeNull();
    expect(body.contents).toMatchObject([
      { id: 'A', live: null, newest: 1, dynamic: false, lines: 1, jsonBytes: 7 },
      { id: 'b', live: 1 },
      { id: 'c', dynamic: true },
    ]);
    const first = await api.dev('GET', '/contents?limit=2');
    expect(first.body).toMatchObject({ contents: [{ id: 'A' }, { id: 'b' }], next: 'b' });
    const second = await api.dev('GET', '/contents?limit=2&after=b');
    expect(second.body).toMatchObject({ contents: [{ id: 'c' }], next: null });
    expect((await api.dev('GET', '/contents?limit=0')).status).toBe(400);
  });
});

describe('admin API: roles on contents', () => {
  it('lets viewers read and not write, and editors write where it is not protected', async () => {
    const api = await startApi();
    const viewer = await tokenOf(api, 'viewer');
    const editor = await tokenOf(api, 'editor');
    const text = { text: '1' };
    expect((await api.dev('PUT', '/contents/shop', text, viewer)).status).toBe(403);
    expect((await api.dev('PUT', '/contents/shop', text, editor)).status).toBe(201);
    expect((await api.dev('GET', '/contents/shop', undefined, viewer)).status).toBe(200);
    for (const path of ['/publish', '/rollback']) {
      const refused = await api.dev('POST', `/contents/shop${path}`, { revision: 1 }, viewer);
      expect(refused.status).toBe(403);
    }
    await api.call('PATCH', '/admin/v1/environments/dev', { protected: true });
    const edits: [string, string, unknown][] = [
      ['PUT', '/contents/shop', text],
      ['DELETE', '/contents/shop', undefined],
      ['DELETE', '/contents/shop/lines/0.0.0', undefined],
      ['POST', '/contents/shop/publish', { revision: 1 }],
      ['POST', '/contents/shop/rollback', { revision: 1 }],
      ['POST', '/keys', {}],
      ['PUT', '/segments/s', { when: {} }],
      ['DELETE', '/segments/s', undefined],
    ];
    for (const [method, path, body] of edits) {
      const refused = await api.dev(method, path, body, editor);
      expect([method, path, refused.status]).toEqual([method, path, 403]);
      expect(refused.body.detail).toContain('protected');
    }
    expect((await api.dev('PUT', '/contents/shop', { text: '2' })).status).toBe(200);
  });
});
