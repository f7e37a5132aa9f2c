import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tasks } from '../../../../src/management/worker/tasks.js';
import { startApi, startMs, tokenOf } from '../harness.js';

describe('evaluate', () => {
  it('gives the wrapped answer byte for byte, and why', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/saved', { when: { level: { $gte: 10 } } });
    const at = new Date(startMs).toISOString();
    const mapping = `[
      {"segment":"saved","info":"i1","merge":{"n":1e400}},
      {"segment":"nobody","when":{"level":99},"merge":{"x":1}},
      {"segment":"later","when":{},"from":"2030-01-01T00:00:00Z","merge":{"x":1}},
      {"segment":"test","when":{},"info":"i2","variants":[{"name":"all","groups":[0,999],"info":"i3"}]},
      {"segment":"miss","when":{},"patch":[{"op":"test","path":"/n","value":1},{"op":"remove","path":"/n"}]}
    ]`;
    await api.dev(
      'PUT',
      '/contents/shop',
      `{"text":"{\\"n\\": 1.10, \\"big\\": 9007199254740993}"}`,
    );
    const plain = await api.dev('POST', '/evaluate', { id: 'SHOP', u: 'u1' });
    expect(plain.text).toContain('"answer":{"data":{"n":1.10,"big":9007199254740993},"hash":"');
    await api.dev('PUT', '/contents/shop', `{"text":"{\\"n\\": 1}","mapping":${mapping}}`);
    const { text, body } = await api.dev('POST', '/evaluate', {
      id: 'shop',
      u: 'u1',
      p: { level: 12 },
      v: '1.2.3',
      at,
    });
    expect(text).toContain('"answer":{"data":{"n":1e400},"hash":"');
    expect(body).toMatchObject({ id: 'shop', revision: 2, live: 2, line: '0.0.0', at });
    expect(body.answer.meta.seg).toEqual([
      { n: 'saved', v: null, i: 'i1' },
      { n: 'test', v: 'all', i: 'i3' },
    ]);
    const verdicts = body.rules.map((rule: { segment: string; applied: boolean }) => [
      rule.segment,
      rule.applied,
    ]);
    expect(verdicts).toEqual([
      ['saved', true],
      ['nobody', false],
      ['later', false],
      ['test', true],
      ['miss', false],
    ]);
    expect(body.rules[2].reason).toContain('2030');
    expect(body.rules[3]).toMatchObject({
      ...{ variant: 'all', group: body.answer.meta.mod, info: 'i3' },
    });
    expect(body.rules[4].reason).toContain('could not apply');
    const answer = text.slice(text.indexOf('"answer":') + '"answer":'.length, -1);
    expect(body.sizes).toEqual({
      textBytes: 8,
      jsonBytes: 7,
      dataBytes: 11,
      answerBytes: Buffer.byteLength(answer),
      gzipBytes: gzipSync(answer).byteLength,
    });
  });

  it('takes a caller without a user id, or with an empty version, as delivery does', async () => {
    const api = await startApi();
    const variants = [{ name: 'zero', groups: [0, 0] }];
    const rule = (salt: string | null): object => ({ segment: 's', when: {}, salt, variants });
    await api.dev('PUT', '/contents/shop', { text: '{}', mapping: [rule(null), rule('prices')] });
    for (const u of [undefined, '']) {
      const { status, body } = await api.dev('POST', '/evaluate', { id: 'shop', u, v: '' });
      expect(status).toBe(200);
      expect([body.uid, body.mod, body.line]).toEqual([0, 0, '0.0.0']);
      const verdicts = body.rules as readonly { group: number; variant: string }[];
      expect(verdicts.map(({ group, variant }) => [group, variant])).toEqual([
        [0, 'zero'],
        [0, 'zero'],
      ]);
      expect(body.answer.meta.seg).toHaveLength(2);
    }
  });

  it('evaluates drafts and old revisions, and callers whom no line admits', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '"one"', appVersion: '1.0.0' });
    await api.dev('PUT', '/contents/shop', { text: '"two"', appVersion: '2.0.0', publish: false });
    const draft = await api.dev('POST', '/evaluate', { id: 'shop', revision: 2 });
    expect(draft.body).toMatchObject({ line: '2.0.0', live: 1, answer: { data: 'two' } });
    const old = await api.dev('POST', '/evaluate', { id: 'shop', v: '0.5.0' });
    expect([old.status, old.body.line, old.body.answer]).toEqual([200, null, null]);
    const unknown = await api.dev('POST', '/evaluate', { id: 'shop', revision: 7 });
    expect(unknown.body.code).toBe('revision_not_found');
    expect((await api.dev('POST', '/evaluate', { id: 'nothing' })).body.code).toBe(
      'content_not_found',
    );
  });

  it.each([
    ['u', { u: 1 }],
    ['p', { p: [] }],
    ['v', { v: '1.2' }],
    ['at', { at: 'now' }],
  ])('refuses a bad %s', async (field, wish) => {
    const api = await startApi();
    const refused = await api.dev('POST', '/evaluate', { id: 'shop', ...wish });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].path).toBe(field);
  });

  it('is open to viewers', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const viewer = await tokenOf(api, 'viewer');
    expect((await api.dev('POST', '/evaluate', { id: 'shop' }, viewer)).status).toBe(200);
  });
});

describe('evaluate: why', () => {
  it('is as it will be on the clock of the user, and the bytes agree', async () => {
    const api = await startApi();
    const mapping = [
      {
        ...{ segment: 'weekend', when: {}, merge: { xp: 2 } },
        repeat: { days: ['fri'], from: '18:00', until: '10:00', plusDays: 3 },
      },
    ];
    await api.dev('PUT', '/contents/shop', { text: '{"xp":1}', mapping });
    // Friday, nine in the morning in UTC.
    const at = '2026-11-27T09:00:00Z';
    const seen = async (utcOffset: number) => {
      const { body } = await api.dev('POST', '/evaluate', { id: 'shop', p: { utcOffset }, at });
      const [rule] = body.rules;
      return [rule.outcome, body.answer.data.xp, rule.reason];
    };
    expect(await seen(540)).toEqual([
      'applied',
      2,
      "The player's clock shows 2026-11-27T18:00:00 (p.utcOffset is 540). It is open until 2026-11-30T01:00:00.000Z, 2026-11-30T10:00:00 for the player. Its condition matches every user.",
    ]);
    expect(await seen(-480)).toEqual([
      'not_open_yet',
      1,
      "The player's clock shows 2026-11-27T01:00:00 (p.utcOffset is -480). It opens next at 2026-11-28T02:00:00.000Z, 2026-11-27T18:00:00 for the player.",
    ]);
  });

  it('tells how each rule ended, and what decided', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/high', { when: { level: { $gte: 10 } } });
    const mapping = [
      { segment: 'high', info: 'i1', merge: { a: 1 } },
      { segment: 'eu', when: { country: { $in: ['DE', 'FR'] } }, merge: { b: 1 } },
      { segment: 'later', when: {}, from: '2030-01-01T00:00:00Z', merge: { c: 1 } },
      { segment: 'over', when: {}, until: '2020-01-01T00:00:00Z', merge: { c: 1 } },
      { segment: 'none', when: {}, salt: 's', variants: [{ name: 'x', groups: [0, 0] }] },
      { segment: 'miss', when: {}, patch: [{ op: 'remove', path: '/only-new' }] },
    ];
    await api.dev('PUT', '/contents/shop', { text: '{"only-new":1}', appVersion: '2.0.0' });
    await api.dev('PUT', '/contents/shop', { text: '{}', appVersion: '1.0.0', mapping });
    const { body } = await api.dev('POST', '/evaluate', {
      id: 'shop',
      u: 'u1',
      p: { level: 12, country: 'US' },
      v: '1.5.0',
    });
    expect(body.line).toBe('1.0.0');
    expect(body.lineReason).toContain('1.5.0');
    const outcomes = body.rules.map((rule: { outcome: string }) => rule.outcome);
    expect(outcomes).toEqual([
      'applied',
      'condition_failed',
      'not_open_yet',
      'closed',
      'group_not_in_test',
      'mutation_missed',
    ]);
    const [high, eu, , , none, miss] = body.rules;
    expect(high).toMatchObject({ rule: 0, saved: true, info: 'i1', group: null });
    expect(high.decidedBy).toMatchObject([{ path: 'when.level.$gte', found: '12', holds: true }]);
    expect(eu.reason).toBe(
      'Its condition does not match: country is "US", but must be one of ["DE","FR"].',
    );
    expect(none).toMatchObject({ applied: false, salt: 's', variant: null });
    expect(none.reason).toContain(`no variant takes the bucket ${none.group}`);
    expect(miss.reason).toContain('could not apply');
    expect(miss.reason).toContain('only-new');
    expect(body.mod).toBe(body.answer.meta.mod);
    expect(body.uid).toBe(body.answer.meta.uid);
  });

  it('tells why another line is given without an app version, and why none is', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1', appVersion: '1.0.0' });
    await api.dev('PUT', '/contents/shop', { text: '2', appVersion: '2.0.0' });
    const highest = await api.dev('POST', '/evaluate', { id: 'shop' });
    expect(highest.body.lineReason).toContain('no app version');
    const none = await api.dev('POST', '/evaluate', { id: 'shop', v: '0.9.0' });
    expect(none.body).toMatchObject({ line: null, answer: null, sizes: null, rules: [] });
    expect(none.body.lineReason).toContain('the lowest is 1.0.0');
  });

  it('takes attributes as they were sent', async () => {
    const api = await startApi();
    const mapping = '[{"segment":"s","when":{"__proto__":1,"n":{"$gt":1e308}},"merge":{"a":1}}]';
    await api.dev('PUT', '/contents/shop', `{"text":"{}","mapping":${mapping}}`);
    const wish = '{"id":"shop","p":{"n":1e400,"__proto__":1}}';
    expect((await api.dev('POST', '/evaluate', wish)).body.answer.data).toEqual({ a: 1 });
  });
});

describe('evaluate: unsaved edits', () => {
  it('are answered as they would be once saved, on top of the newest revision', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/eu', { when: { country: 'DE' } });
    await api.dev('PUT', '/contents/Shop', { text: '{"n":1}', appVersion: '1.0.0' });
    await api.dev('PUT', '/contents/Shop', {
      text: '{"n":2}',
      appVersion: '2.0.0',
      mapping: [{ segment: 'eu', merge: { old: true } }],
      publish: false,
    });
    const p = { country: 'DE' };
    const edits = [
      { text: '{"n":1.50 /* new */}', appVersion: '1.0.0' },
      { text: '{"n":3,}', appVersion: '3.0.0' },
      { mapping: [{ segment: 'eu', merge: { new: true } }] },
      { text: '[]', appVersion: '2.0.0', mapping: [] },
    ];
    for (const edit of edits) {
      const tried = [];
      for (const v of ['1.0.0', '2.0.0', '3.0.0']) {
        const { body, text } = await api.dev('POST', '/evaluate', { id: 'shop', p, v, ...edit });
        expect(body).toMatchObject({ id: 'Shop', revision: 2, live: 1, unsaved: true });
        tried.push(text.slice(text.indexOf('"answer":')));
      }
      // The same edit, saved under another id, answers the same bytes.
      const id = `copy-${edits.indexOf(edit)}`;
      await api.dev('PUT', `/contents/${id}`, { text: '{"n":1}', appVersion: '1.0.0' });
      const mapping = [{ segment: 'eu', merge: { old: true } }];
      await api.dev('PUT', `/contents/${id}`, { text: '{"n":2}', appVersion: '2.0.0', mapping });
      expect((await api.dev('PUT', `/contents/${id}`, edit)).status).toBe(200);
      for (const [index, v] of ['1.0.0', '2.0.0', '3.0.0'].entries()) {
        const { text } = await api.dev('POST', '/evaluate', { id, p, v });
        expect(tried[index]).toBe(text.slice(text.indexOf('"answer":')));
      }
    }
    const { body } = await api.dev('GET', '/contents/shop/revisions');
    expect(body.revisions).toHaveLength(2);
  });

  it('may be of any revision, the newest draft, or a content that is not there yet', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/shop', { text: '2', publish: false });
    const newest = await api.dev('POST', '/evaluate', { id: 'shop', revision: 'newest' });
    expect(newest.body).toMatchObject({ revision: 2, unsaved: false, answer: { data: 2 } });
    const mapping = [{ segment: 's', when: {}, replace: 9 }];
    const old = await api.dev('POST', '/evaluate', { id: 'shop', revision: 1, mapping });
    expect(old.body).toMatchObject({ revision: 1, answer: { data: 9 } });
    const fresh = await api.dev('POST', '/evaluate', { id: 'fresh', text: '{"a":1}', mapping });
    expect(fresh.body).toMatchObject({ id: 'fresh', revision: null, live: null, line: '0.0.0' });
    expect((await api.dev('POST', '/evaluate', { id: 'fresh', mapping })).body.code).toBe(
      'content_not_found',
    );
  });

  it('are refused where a PUT would refuse them, with their place', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{}' });
    const tryOut = (edit: object) => api.dev('POST', '/evaluate', { id: 'shop', ...edit });
    const text = await tryOut({ text: '{\n  "a": }' });
    expect(text.body).toMatchObject({
      status: 400,
      code: 'invalid_content',
      errors: [{ path: 'text', line: 2, column: 8 }],
    });
    const wrong = await tryOut({ mapping: [{ segment: 's', when: { a: { $no: 1 } } }] });
    expect(wrong.body).toMatchObject({
      code: 'invalid_mapping',
      errors: [{ path: 'mapping[0].when.a.$no' }],
    });
    const unsaved = await tryOut({ mapping: [{ segment: 'nobody', merge: {} }] });
    expect(unsaved.body).toMatchObject({
      code: 'invalid_mapping',
      errors: [{ path: 'mapping[0].segment' }],
    });
    expect((await tryOut({ appVersion: '1.0.0' })).body.errors[0].path).toBe('appVersion');
  });

  it('takes attributes as large as delivery does, and no larger', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const p = (chars: number) => ({ id: 'shop', p: { name: 'x'.repeat(chars) } });
    expect((await api.dev('POST', '/evaluate', p(60_000))).status).toBe(200);
    const refused = await api.dev('POST', '/evaluate', p(70_000));
    expect(refused.body).toMatchObject({
      status: 400,
      code: 'invalid_body',
      errors: [{ path: 'p' }],
    });
  });

  it('tells a text that is too large', async () => {
    const api = await startApi({ textBytesMax: 10 });
    const refused = await api.dev('POST', '/evaluate', { id: 'shop', text: '[1,2,3,4,5,6]' });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'text']);
  });

  it('goes to a worker when it is heavy, and answers the same', async () => {
    const ran: string[] = [];
    const api = await startApi(
      {},
      {
        work: {
          tasks,
          run: async (name, input) => {
            ran.push(name);
            return (tasks[name] as (input: unknown) => never)(input);
          },
        },
      },
    );
    await api.dev('PUT', '/contents/shop', { text: '[1]' });
    ran.length = 0;
    const small = await api.dev('POST', '/evaluate', { id: 'shop', text: '[1, 2]' });
    expect([small.body.answer.data, ran]).toEqual([[1, 2], []]);
    const text = `[${'1,'.repeat(50_000)}2]`;
    const large = await api.dev('POST', '/evaluate', { id: 'shop', text });
    expect([large.body.answer.data.length, ran]).toEqual([50_001, ['evaluateContext']]);
    ran.length = 0;
    // A regular expression may take long on a long text, however small all of it is.
    const mapping = [{ segment: 's', when: { name: { $regex: '^a' } }, merge: {} }];
    const p = { name: 'b'.repeat(5_000) };
    await api.dev('POST', '/evaluate', { id: 'shop', p, mapping });
    expect(ran).toEqual(['evaluateContext']);
  });
});
