import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { WorkTooLong } from '../../../../src/management/jobs/work.js';
import { previewMsMax } from '../../../../src/management/limits/evaluation.js';
import {
  type Answer,
  type Harness,
  ownerToken,
  startApi,
  startMs,
  tokenOf,
  workHere,
} from '../harness.js';

type Context = Readonly<Record<string, unknown>>;

/** Sends the head and the contexts as NDJSON; a text goes as it is. */
async function preview(
  api: Harness,
  head: object | string,
  contexts: readonly (Context | string)[],
  more: { readonly type?: string; readonly token?: string; readonly env?: string } = {},
): Promise<Answer> {
  const { type = 'application/x-ndjson', token = ownerToken, env = 'dev' } = more;
  const lines = [head, ...contexts].map((line) =>
    typeof line === 'string' ? line : JSON.stringify(line),
  );
  const response = await fetch(`${api.url}/admin/v1/environments/${env}/preview`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${token}` },
    body: lines.join('\n'),
  });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: text === '' ? null : JSON.parse(text) };
}

const contextsOf = (count: number): Context[] =>
  Array.from({ length: count }, (_, index) => ({
    u: `player-${index}`,
    p: { country: index % 4 === 0 ? 'DE' : 'US', level: index },
  }));

const test = (more: object): unknown => [
  {
    segment: 'test',
    when: {},
    variants: [
      { name: 'control', groups: [0, 499] },
      { name: 'high', groups: [500, 999], ...more },
    ],
  },
];

describe('preview', () => {
  it('gives the shares of lines, rules and variants, now and with the edit', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/Shop', { text: '{"price":5}', mapping: test({}) });
    const contexts = contextsOf(100);
    const inHigh = contexts.filter(
      ({ u }) => makeEvaluationContext(String(u), {}, null).mod >= 500,
    ).length;
    const mapping = [
      ...(test({ merge: { price: 7 } }) as unknown[]),
      { segment: 'eu', when: { country: 'DE' }, merge: { vat: true } },
    ];
    const { status, body } = await preview(api, { id: 'shop', mapping }, contexts);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 'Shop',
      revision: 1,
      live: 1,
      unsaved: true,
      at: new Date(startMs).toISOString(),
      contexts: 100,
      faulty: 0,
      errors: [],
    });
    expect(body.now.lines).toEqual([{ appVersion: '0.0.0', contexts: 100, share: 1 }]);
    const variants = [
      { name: 'control', groups: [0, 499], contexts: 100 - inHigh, share: (100 - inHigh) / 100 },
      { name: 'high', groups: [500, 999], contexts: inHigh, share: inHigh / 100 },
    ];
    const rule = { rule: 0, segment: 'test', missed: 0, contexts: 100, share: 1, variants };
    expect(body.now.rules).toEqual([rule]);
    const eu = { rule: 1, segment: 'eu', missed: 0, contexts: 25, share: 0.25, variants: [] };
    expect(body.edit.rules).toEqual([rule, eu]);
    expect([body.now.answers, body.edit.answers]).toEqual([2, 4]);
  });

  it('counts just the contexts whose answers, asked for one by one, differ', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/high', { when: { level: { $gte: 40 } } });
    await api.dev('PUT', '/contents/shop', {
      text: '{"price":5,"gems":1}',
      appVersion: '1.0.0',
      mapping: [{ segment: 'high', merge: { gems: 2 } }, ...(test({}) as unknown[])],
    });
    const edit = {
      text: '{"price":5,"gems":2}',
      appVersion: '2.0.0',
      mapping: [
        { segment: 'high', merge: { gems: 2 } },
        { segment: 'de', when: { country: 'DE' }, patch: [{ op: 'remove', path: '/missing' }] },
        ...(test({ replace: { price: 9 } }) as unknown[]),
      ],
    };
    const versions = ['0.5.0', '1.5.0', '2.5.0', undefined];
    const contexts = contextsOf(60).map((context, index) => ({
      ...context,
      v: versions[(index >> 2) % 4],
    }));
    const { body } = await preview(api, { id: 'shop', ...edit }, contexts);
    const kinds = { appeared: 0, gone: 0, data: 0, hash: 0, report: 0 };
    for (const context of contexts) {
      const now = (await api.dev('POST', '/evaluate', { id: 'shop', ...context })).body.answer;
      const { answer } = (await api.dev('POST', '/evaluate', { id: 'shop', ...context, ...edit }))
        .body;
      if (now === null || answer === null) continue;
      if (JSON.stringify(now.data) !== JSON.stringify(answer.data)) kinds.data++;
      else if (JSON.stringify(now.meta) !== JSON.stringify(answer.meta)) kinds.report++;
      else if (now.hash !== answer.hash) kinds.hash++;
    }
    expect(body.byKind).toEqual(kinds);
    expect(kinds.data).toBeGreaterThan(5);
    expect(kinds.hash).toBeGreaterThan(2);
    expect(body.changed.contexts).toBe(kinds.data + kinds.report);
    expect(body.edit.notFound.contexts).toBe(16);
    expect(body.edit.rules[1]).toMatchObject({ segment: 'de', contexts: 0 });
    expect(body.edit.rules[1].missed).toBeGreaterThan(0);
  });

  it('shows each kind of change with examples and what differs', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"a":{"b":1},"c":2}' });
    const mapping = [{ segment: 'eu', when: { country: 'DE' }, merge: { a: { b: 3 } } }];
    const { body } = await preview(api, { id: 'shop', mapping }, contextsOf(20));
    expect(body.changed).toEqual({ contexts: 5, share: 0.25 });
    const { now, edit } = body.changes[0];
    // The mapping is part of it.
    expect(edit.hash).not.toBe(now.hash);
    expect(body.changes).toEqual([
      {
        kind: 'data',
        contexts: 5,
        share: 0.25,
        now: { line: '0.0.0', hash: now.hash, dataBytes: 19, seg: [] },
        edit: {
          line: '0.0.0',
          hash: edit.hash,
          dataBytes: 19,
          seg: [{ n: 'eu', v: null }],
        },
        pointers: [{ path: '/a/b', change: 'changed', before: '1', after: '3' }],
        examples: [
          { at: 2, u: 'player-0', v: null },
          { at: 6, u: 'player-4', v: null },
          { at: 10, u: 'player-8', v: null },
        ],
      },
    ]);
    expect(body.changesLeftOut).toBe(0);
  });

  it('tells what appears and what goes', async () => {
    const api = await startApi();
    const fresh = await preview(api, { id: 'fresh', text: '1' }, [{}, {}]);
    expect(fresh.body).toMatchObject({ id: 'fresh', revision: null, live: null });
    expect(fresh.body.byKind.appeared).toBe(2);
    expect(fresh.body.now).toMatchObject({ notFound: { contexts: 2, share: 1 }, lines: [] });
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/shop', { text: '1', appVersion: '2.0.0', publish: false });
    const gone = await api.dev('DELETE', '/contents/shop/lines/0.0.0?publish=false');
    expect(gone.status).toBe(200);
    // Without a revision it is the newest: the draft that would be published next.
    const { body } = await preview(api, { id: 'shop' }, [{ v: '1.0.0' }, { v: '2.0.0' }]);
    expect(body).toMatchObject({ revision: 3, live: 1, unsaved: false });
    expect(body.byKind).toEqual({ appeared: 0, gone: 1, data: 0, hash: 0, report: 0 });
    expect(body.changes[0]).toMatchObject({ kind: 'gone', edit: null, pointers: null });
  });

  it('previews a saved revision, as of a time', async () => {
    const api = await startApi();
    const rule = { segment: 's', when: {}, from: '2030-01-01T00:00:00Z', merge: { n: 2 } };
    await api.dev('PUT', '/contents/shop', { text: '{"n":1}', mapping: [rule] });
    await api.dev('PUT', '/contents/shop', { mapping: [] });
    const head = { id: 'shop', revision: 1 };
    expect((await preview(api, head, [{}])).body.changed.contexts).toBe(0);
    const later = { ...head, at: '2030-06-01T00:00:00Z' };
    expect((await preview(api, later, [{}])).body.changed.contexts).toBe(1);
  });

  it('names faulty contexts by the number of their line, and goes on', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const lines = [
      '{}',
      '',
      '{"p":[]}',
      '{"u":1}\r',
      '{"v":"1.2"}',
      'nonsense',
      '  {"u":"x"}\r',
      '[]',
    ];
    const { body } = await preview(api, { id: 'shop' }, lines);
    expect([body.contexts, body.faulty]).toEqual([2, 5]);
    expect(body.errors).toEqual([
      { line: 4, message: 'p must be an object' },
      { line: 5, message: 'u must be a text' },
      { line: 6, message: 'v must have the form X.Y.Z' },
      { line: 7, message: 'is not JSON in UTF-8' },
      { line: 9, message: 'must be an object' },
    ]);
    const large = `{"u":"${'x'.repeat(70_000)}"}`;
    expect((await preview(api, { id: 'shop' }, [large])).body.errors[0].message).toContain(
      'larger',
    );
    const none = await preview(api, { id: 'shop' }, []);
    expect(none.body).toMatchObject({ contexts: 0, changed: { contexts: 0, share: 0 } });
  });

  it('takes 10,000 contexts and refuses one more', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const contexts = contextsOf(10_000);
    expect((await preview(api, { id: 'shop' }, contexts)).body.contexts).toBe(10_000);
    const refused = await preview(api, { id: 'shop' }, [...contexts, {}]);
    expect([refused.status, refused.body.code]).toEqual([413, 'body_too_large']);
  });

  it('refuses contexts that are too large together, and still answers', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const large = `{"u":"${'x'.repeat(60_000)}"}`;
    const refused = await preview(api, { id: 'shop' }, Array(300).fill(large));
    expect([refused.status, refused.body.code]).toEqual([413, 'body_too_large']);
    expect((await preview(api, { id: 'shop' }, [{}])).status).toBe(200);
  });

  it('refuses a body that is too large for any preview, before it has read all of it', async () => {
    const api = await startApi({ textBytesMax: 10 });
    const context = `{"u":"${'x'.repeat(60_000)}"}`;
    const refused = await preview(api, { id: 'shop' }, Array(700).fill(context));
    expect([refused.status, refused.body.code]).toEqual([413, 'body_too_large']);
    expect(refused.body.detail).toContain('at most');
  });

  it('is ended when it takes too long, and says so', async () => {
    const limits: (number | undefined)[] = [];
    const api = await startApi(
      {},
      {
        work: {
          tasks: workHere.tasks,
          run: (name, input, { timeMsMax = 0 } = {}) => {
            if (name !== 'previewContexts') return workHere.run(name, input);
            limits.push(timeMsMax);
            return Promise.reject(new WorkTooLong(timeMsMax));
          },
        },
      },
    );
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const refused = await preview(api, { id: 'shop' }, [{}]);
    expect([refused.status, refused.body.code]).toEqual([400, 'too_costly']);
    expect(limits).toEqual([previewMsMax]);
  });

  it.each([
    ['a head that is no JSON', 'shop', 'invalid_body'],
    ['a head that is no object', '[]', 'invalid_body'],
    ['a head without an id', {}, 'invalid_body'],
    ['an unknown member of the head', { id: 'shop', when: {} }, 'invalid_body'],
    ['a faulty text', { id: 'shop', text: '{' }, 'invalid_content'],
    ['a faulty mapping', { id: 'shop', mapping: [{ segment: 's', when: 1 }] }, 'invalid_mapping'],
    ['a content that is not there', { id: 'nothing' }, 'content_not_found'],
    ['a revision that is not there', { id: 'shop', revision: 7 }, 'revision_not_found'],
  ])('refuses %s', async (_, head, code) => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    expect((await preview(api, head, [{}])).body.code).toBe(code);
  });

  it('refuses other types of bodies, other environments and strangers, and is open to viewers', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    const head = { id: 'shop' };
    const json = await preview(api, head, [], { type: 'application/json' });
    expect([json.status, json.body.code]).toEqual([415, 'invalid_content_type']);
    expect((await preview(api, head, [{}], { env: 'nowhere' })).body.code).toBe(
      'environment_not_found',
    );
    expect((await preview(api, head, [{}], { token: 'wrong' })).status).toBe(401);
    const token = await tokenOf(api, 'viewer');
    expect((await preview(api, head, [{}], { token })).status).toBe(200);
  });
});
