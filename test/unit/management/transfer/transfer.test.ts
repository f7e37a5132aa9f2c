/** Export and import over the admin API: bytes that survive, all or nothing, and what each refusal says. */
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  changesAfter,
  type Harness,
  ownerToken,
  startApi,
  tokenOf,
} from '../harness.js';

const envPath = '/admin/v1/environments';

async function exported(api: Harness, env = 'dev', query = ''): Promise<string> {
  const answer = await askExport(api, env, ownerToken, query);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
  return answer.text();
}

function askExport(api: Harness, env: string, token: string, query = ''): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`${api.url}${envPath}/${env}/export${query}`, { headers });
}

async function importInto(
  api: Harness,
  env: string,
  body: string | Uint8Array<ArrayBuffer>,
  query = '',
  token = ownerToken,
): Promise<Pick<Answer, 'status' | 'body'>> {
  const response = await fetch(`${api.url}${envPath}/${env}/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body,
  });
  return { status: response.status, body: await response.json() };
}

const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

const content = (id: string, text: string, more: object = {}): object => ({
  kind: 'content',
  id,
  lines: [{ appVersion: '0.0.0', text }],
  ...more,
});

/** Everything that a text or a mapping may do to trip up who writes it out and reads it in. */
async function fillOddly(api: Harness, env: string): Promise<void> {
  const put = async (path: string, body: string): Promise<void> => {
    const answer = await api.call('PUT', `${envPath}/${env}${path}`, body);
    expect([answer.status, answer.text]).toEqual([expect.toSatisfy((s) => s < 300), answer.text]);
  };
  const text = (value: string): string => JSON.stringify(value);
  await put('/segments/whales', '{"when": {"level" : {"$gte":10.0}},"description":"big"}');
  await put('/segments/z%20%C3%A4%2F', '{"when":{"a":"\\ud800"}}');
  await put('/contents/Crlf', `{"text":${text('{\r\n  // why\r\n  "a": 1.10,\r\n}\r\n')}}`);
  await put('/contents/numbers', `{"text":${text('[1e400, 9007199254740993, -0, 1.0]')}}`);
  await put('/contents/keys', `{"text":${text('{"__proto__":1,"a":1,"a":2,"2":0,"1":0}')}}`);
  await put('/contents/unicode', `{"text":${text('"\u{1F600}\u2028 \\ud800 \uFEFF"')}}`);
  await put(
    '/contents/mapped',
    `{"text":"{\\"n\\":1}","mapping":[ {"segment":"whales",\n  "merge":{"n":1e400,"n":2.50,"__proto__":{"x":1}}},
      {"when":{},"segment":"t","variants":[{"name":"a","groups":[0,999],"replace":9007199254740993}]} ],
      "tags":["b","a"],"description":"d","schema":{ "type" : ["object","number"] }}`,
  );
  await put('/contents/lined', `{"text":"1","appVersion":"10.0.0"}`);
  await put('/contents/lined', `{"text":"2","appVersion":"2.0.0"}`);
  await put('/contents/drafted', '{"text":"1"}');
  await put('/contents/drafted', '{"text":"2","publish":false}');
  await put('/contents/unpublished', '{"text":"3","publish":false}');
  await put('/contents/gone', '{"text":"4"}');
  await api.call('DELETE', `${envPath}/${env}/contents/gone`);
}

describe('admin API: export', () => {
  it('gives the same bytes again after an import into an empty server', async () => {
    const api = await startApi();
    await fillOddly(api, 'dev');
    const first = await exported(api);
    expect(first.split('\n')).toHaveLength(1 + 2 + 8 + 1 + 1 + 1);
    expect(first).not.toContain('"gone"');

    const empty = await startApi();
    const imported = await importInto(empty, 'dev', first, '?mode=replace');
    expect(imported).toMatchObject({
      status: 200,
      body: { counts: { added: 8, changed: 0, unchanged: 0, removed: 0 } },
    });
    expect(await exported(empty)).toBe(first);
    for (const id of ['mapped', 'keys', 'lined']) {
      const path = `/contents/${id}`;
      const [there, here] = [await api.dev('GET', path), await empty.dev('GET', path)];
      const end = '"lines":';
      expect(here.text.slice(here.text.indexOf(end))).toBe(
        there.text.slice(there.text.indexOf(end)),
      );
    }
  });

  it('is one line an object, with counts at the end, and leaves drafts out on request', async () => {
    const api = await startApi();
    await fillOddly(api, 'dev');
    const text = await exported(api);
    const objects = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(objects[0]).toEqual({
      kind: 'environment',
      format: 1,
      id: 'dev',
      name: 'dev',
      protected: false,
    });
    expect(objects.at(-1)).toEqual({ kind: 'end', segments: 2, contents: 8 });
    expect(objects.map(({ kind, id }) => `${kind} ${id}`).slice(3, -1)).toEqual([
      'content Crlf',
      'content drafted',
      'draft drafted',
      'content keys',
      'content lined',
      'content mapped',
      'content numbers',
      'content unicode',
      'content unpublished',
    ]);
    expect(await exported(api, 'dev', '?drafts=false')).not.toContain('"kind":"draft"');
  });

  it('is of one moment, however long its reader takes', async () => {
    const api = await startApi();
    const generation = (number: number): string =>
      lines(
        ...Array.from({ length: 1_200 }, (_, index) =>
          content(`content-${index}`, JSON.stringify({ number, padding: 'x'.repeat(4_000) })),
        ),
      );
    expect((await importInto(api, 'dev', generation(1))).status).toBe(200);
    const reader = (await askExport(api, 'dev', ownerToken)).body?.getReader();
    const first = await reader?.read();
    expect((await importInto(api, 'dev', generation(2))).body.counts.changed).toBe(1_200);
    let text = Buffer.from(first?.value ?? []).toString();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      text += Buffer.from(part.value).toString();
    }
    const numbers = new Set<number>();
    for (const line of text.trimEnd().split('\n')) {
      const { kind, lines: found } = JSON.parse(line);
      if (kind === 'content') numbers.add(JSON.parse(found[0].text).number);
    }
    expect([...numbers]).toEqual([1]);
    expect(text.trimEnd().endsWith('{"kind":"end","segments":0,"contents":1200}')).toBe(true);
    expect(await exported(api)).toContain('{\\"number\\":2');
  });

  it('is for every role, and refuses an unknown environment', async () => {
    const api = await startApi();
    const viewer = await tokenOf(api, 'viewer');
    expect((await askExport(api, 'dev', viewer)).status).toBe(200);
    expect((await askExport(api, 'dev', 'nobodys-token')).status).toBe(401);
    const unknown = await api.call('GET', `${envPath}/nowhere/export`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'environment_not_found']);
  });
});

describe('admin API: import', () => {
  it('takes hand-written lines, with mapping, schema and condition as JSON, byte for byte', async () => {
    const api = await startApi();
    const body = `{"kind":"segment","name":"s","when":{ "a":1.0 }}\n\n{"kind":"content","id":"x","lines":[{"appVersion":"01.0.0","text":"{\\"a\\":1}"}],"mapping":[ {"segment":"s","merge":{"a":1e400}} ],"schema":{ "type":"object" }}`;
    const { status, body: report } = await importInto(api, 'dev', body);
    expect([status, report.counts.added]).toEqual([200, 1]);
    const shown = await api.dev('GET', '/contents/x');
    expect(shown.text).toContain('"mapping":[ {"segment":"s","merge":{"a":1e400}} ]');
    expect(shown.text).toContain('"schema":{ "type":"object" }');
    expect(shown.body.lines[0].appVersion).toBe('1.0.0');
    expect((await api.dev('GET', '/segments/s')).text).toContain('"when":{ "a":1.0 }');
  });

  it('publishes all of it under one number, and what is as in the file gets no new revision', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/same', { text: '1' });
    await api.dev('PUT', '/contents/other', { text: '1' });
    const before = await api.store.sequence();
    const file = lines(content('SAME', '1'), content('other', '2'), content('New', '3'));
    const { body } = await importInto(api, 'dev', file);
    expect(body).toMatchObject({
      counts: { added: 1, changed: 1, unchanged: 1, removed: 0 },
      contents: [
        { id: 'other', change: 'changed', revision: 2, live: 2 },
        { id: 'New', change: 'added', revision: 1, live: 1 },
      ],
      sequence: before + 1,
    });
    expect(api.published.at(-1)).toBe(before + 1);
    expect(await changesAfter(api.store, before)).toMatchObject([
      { id: 'other', lines: ['0.0.0 2'] },
      { id: 'New', lines: ['0.0.0 3'] },
    ]);
    const again = await importInto(api, 'dev', file);
    expect(again.body.counts).toEqual({ added: 0, changed: 0, unchanged: 3, removed: 0 });
    expect(again.body.sequence).toBe(before + 1);
  });

  it('merges on top of what is there, or replaces it, the history kept', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/old', { when: {} });
    await api.dev('PUT', '/contents/kept', { text: '1' });
    await api.dev('PUT', '/contents/gone', { text: '1', mapping: [{ segment: 'old', merge: 2 }] });
    const file = lines(content('kept', '2'), { kind: 'end', segments: 0, contents: 1 });
    await importInto(api, 'dev', file);
    expect((await api.dev('GET', '/contents')).body.contents).toHaveLength(2);
    const { body } = await importInto(api, 'dev', file, '?mode=replace');
    expect(body.counts).toEqual({ added: 0, changed: 0, unchanged: 1, removed: 1 });
    expect(body.contents).toMatchObject([{ id: 'gone', change: 'removed', revision: null }]);
    expect(body.segments).toEqual([{ name: 'old', change: 'removed' }]);
    expect((await api.dev('GET', '/contents')).body.contents).toMatchObject([{ id: 'kept' }]);
    expect((await api.dev('GET', '/contents/gone/revisions')).body.revisions).toHaveLength(1);
    expect((await api.dev('GET', '/segments')).body.segments).toEqual([]);
  });

  it('says on a dry run what would change, and stores nothing', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"a":1,"b":2}' });
    const before = await api.store.sequence();
    const file = lines(content('shop', '{"a":3,"b":2}', { tags: ['t'] }), content('new', '1'));
    const { status, body } = await importInto(api, 'dev', file, '?dryRun=true');
    expect([status, body.dryRun, body.sequence]).toEqual([200, true, before]);
    expect(body.contents).toMatchObject([
      {
        id: 'shop',
        change: 'changed',
        about: ['tags'],
        lines: [
          {
            change: 'changed',
            pointers: [{ path: '/a', change: 'changed', before: '1', after: '3' }],
          },
        ],
      },
      { id: 'new', change: 'added', lines: [{ change: 'added' }] },
    ]);
    expect(await api.store.sequence()).toBe(before);
    expect((await api.dev('GET', '/contents')).body.contents).toHaveLength(1);
    const texts = await api.store.read((db) => db.selectFrom('texts').select('digest').execute());
    expect(texts).toHaveLength(1);
  });

  it('keeps to the dry run that was looked at', async () => {
    const api = await startApi();
    const file = lines(content('shop', '1'));
    const { plan } = (await importInto(api, 'dev', file, '?dryRun=true')).body;
    await api.dev('PUT', '/contents/other', { text: '1' });
    const stale = await importInto(api, 'dev', file, `?plan=${plan}`);
    expect([stale.status, stale.body.code]).toEqual([409, 'plan_stale']);
    const fresh = (await importInto(api, 'dev', file, '?dryRun=true')).body.plan;
    const otherFile = await importInto(api, 'dev', lines(content('shop', '2')), `?plan=${fresh}`);
    expect(otherFile.body.code).toBe('plan_stale');
    expect((await importInto(api, 'dev', file, `?plan=${fresh}`)).status).toBe(200);
  });

  it('takes an owner and a plan where the environment is protected', async () => {
    const api = await startApi();
    const [editor, viewer] = [await tokenOf(api, 'editor'), await tokenOf(api, 'viewer')];
    await api.call('PATCH', `${envPath}/dev`, { protected: true });
    const file = lines(content('shop', '1'));
    expect((await importInto(api, 'dev', file, '', viewer)).status).toBe(403);
    expect((await importInto(api, 'dev', file, '', editor)).body.code).toBe('forbidden');
    const dry = await importInto(api, 'dev', file, '?dryRun=true', editor);
    expect(dry.status).toBe(200);
    const unseen = await importInto(api, 'dev', file);
    expect([unseen.status, unseen.body.code]).toEqual([409, 'plan_required']);
    expect((await importInto(api, 'dev', file, `?plan=${dry.body.plan}`)).status).toBe(200);
  });

  it('refuses all of it for one bad line, and says which and why', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/there', { when: {} });
    const before = await api.store.sequence();
    const file = [
      JSON.stringify(content('good', '1')),
      '{"kind":"content"',
      JSON.stringify(content('bad text', '1')),
      JSON.stringify(content('text', '{"a":\n  1,,}')),
      JSON.stringify(content('twice', '1')),
      JSON.stringify(content('TWICE', '2')),
      JSON.stringify(content('mapped', '1', { mapping: [{ segment: 'x' }, { when: {} }] })),
      JSON.stringify(
        content('missed', '{}', {
          mapping: [{ segment: 's', when: {}, patch: [{ op: 'remove', path: '/a' }] }],
        }),
      ),
      JSON.stringify(content('schema', '1', { schema: { type: 'string' } })),
      JSON.stringify({ kind: 'segment', name: 's', when: { $no: 1 } }),
      JSON.stringify({ kind: 'draft', id: 'nobody', lines: [{ appVersion: '0.0.0', text: '1' }] }),
      JSON.stringify({ kind: 'other' }),
      JSON.stringify(content('half', '"\ud800"')),
    ].join('\n');
    const { status, body } = await importInto(api, 'dev', file);
    expect([status, body.code]).toEqual([400, 'invalid_import']);
    const byLine = new Map<number, string>();
    for (const { line, path, message } of body.errors) byLine.set(line, `${path}: ${message}`);
    expect([...byLine.keys()].sort((a, b) => a - b)).toEqual([2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(byLine.get(4)).toContain('line 2, column 5');
    expect(byLine.get(6)).toContain('twice');
    expect(byLine.get(7)).toContain('mapping[1].segment');
    expect(byLine.get(8)).toContain('applies to no line');
    expect(await api.store.sequence()).toBe(before);
    expect((await api.dev('GET', '/contents')).body.contents).toEqual([]);
  });

  it('refuses a mapping whose saved segment is nowhere, in either mode', async () => {
    const api = await startApi();
    const end = { kind: 'end', segments: 0, contents: 1 };
    const file = lines(
      content('shop', '{}', { mapping: [{ segment: 'vip', merge: { a: 1 } }] }),
      end,
    );
    const missing = await importInto(api, 'dev', file);
    expect(missing.body).toMatchObject({ code: 'invalid_import', errors: [{ line: 1 }] });
    await api.dev('PUT', '/segments/vip', { when: {} });
    expect((await importInto(api, 'dev', file, '?mode=replace')).status).toBe(400);
    expect((await importInto(api, 'dev', file)).status).toBe(200);
  });

  it('refuses a file that was cut off', async () => {
    const api = await startApi();
    await fillOddly(api, 'dev');
    const whole = await exported(api);
    const cut = whole.slice(0, whole.lastIndexOf('{"kind":"end"'));
    expect((await importInto(api, 'dev', cut)).body.code).toBe('invalid_import');
    expect((await importInto(api, 'dev', '', '?mode=replace')).body.code).toBe('invalid_import');
    const torn = whole.replace(/^\{"kind":"content","id":"Crlf".*\n/m, '');
    expect((await importInto(api, 'dev', torn)).body.errors[0].message).toContain('counts');
  });

  it('refuses what is not NDJSON, and lines that are too large', async () => {
    const api = await startApi({ textBytesMax: 100 });
    const json = await api.dev('POST', '/import', { kind: 'content' });
    expect([json.status, json.body.code]).toEqual([415, 'invalid_content_type']);
    const bytes = new Uint8Array([0x7b, 0xff, 0x7d]);
    expect((await importInto(api, 'dev', bytes)).body.errors[0].message).toContain('UTF-8');
    const marked = await importInto(api, 'dev', `\uFEFF${lines(content('a', '1'))}`);
    expect(marked.body.code).toBe('invalid_import');
    const long = await importInto(api, 'dev', lines(content('a', `"${'x'.repeat(200)}"`)));
    expect(long.body.errors[0]).toMatchObject({ line: 1, path: 'lines[0].text' });
  });

  it('answers a line that is larger than any may be, and goes on to serve', async () => {
    const api = await startApi({ textBytesMax: 100 });
    const line = `{"kind":"content","id":"${'x'.repeat(16 * 1024 * 1024)}`;
    const { status, body } = await importInto(api, 'dev', line);
    expect([status, body.code]).toEqual([413, 'body_too_large']);
    expect(body.detail).toMatch(/^Line 1 is larger/);
    expect((await importInto(api, 'dev', lines(content('a', '1')))).status).toBe(200);
  });

  it('changes nothing when its sender goes away midway', async () => {
    const api = await startApi();
    const before = await api.store.sequence();
    const gone = new AbortController();
    async function* cutOff(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(lines(content('first', '1')));
      gone.abort();
      yield Buffer.from(lines(content('second', '2')));
    }
    const sent = fetch(`${api.url}${envPath}/dev/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/x-ndjson' },
      body: ReadableStream.from(cutOff()),
      duplex: 'half',
      signal: gone.signal,
    });
    await expect(sent).rejects.toThrow('aborted');
    expect((await importInto(api, 'dev', lines(content('other', '1')))).status).toBe(200);
    expect(await api.store.sequence()).toBe(before + 1);
    expect((await api.dev('GET', '/contents')).body.contents).toHaveLength(1);
  });

  it('keeps drafts: those of the file on top, those of the environment where the file has none', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('PUT', '/contents/shop', { text: '"mine"', publish: false });
    await importInto(api, 'dev', lines(content('shop', '1')));
    expect((await api.dev('GET', '/contents/shop')).body).toMatchObject({ newest: 2, live: 1 });
    const draft = { kind: 'draft', id: 'shop', lines: [{ appVersion: '0.0.0', text: '"new"' }] };
    await importInto(api, 'dev', lines(content('shop', '1'), draft));
    expect((await api.dev('GET', '/contents/shop')).body).toMatchObject({ newest: 3, live: 1 });
    // The file makes the draft live.
    await importInto(api, 'dev', lines(content('shop', '"new"')));
    expect((await api.dev('GET', '/contents/shop')).body).toMatchObject({ newest: 3, live: 3 });
  });

  it('brings back what was deleted, on top of its history', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '1' });
    await api.dev('DELETE', '/contents/shop');
    const { body } = await importInto(api, 'dev', lines(content('Shop', '1')));
    expect(body.contents).toMatchObject([{ id: 'Shop', change: 'added', revision: 2, live: 2 }]);
    const shown = (await api.dev('GET', '/contents/shop')).body;
    expect(shown).toMatchObject({ id: 'Shop', live: 2, deletedAt: null });
  });

  it('is audited in one row that names what changed', async () => {
    const api = await startApi();
    await importInto(api, 'dev', lines(content('shop', '1')));
    const { body } = await api.call('GET', '/admin/v1/audit?limit=1');
    expect(body.events[0]).toMatchObject({
      action: 'environment.import',
      environment: 'dev',
      details: { mode: 'merge', added: { count: 1, ids: ['shop'] } },
    });
  });
});
