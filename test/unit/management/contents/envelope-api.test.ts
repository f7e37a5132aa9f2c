import { describe, expect, it } from 'vitest';
import { ownerToken, startApi } from '../harness.js';

type Warning = { code?: string; path: string; message: string };
const codesOf = (body: { warnings: Warning[] }) =>
  body.warnings.map(({ code, path }) => [code, path]);

const rules = [{ segment: 'whales', when: {}, merge: { gold: 50_000_000 } }];
const factor = ['value_factor', '/gold'];

describe('a save', () => {
  it('warns of a number that moves by more than a factor of ten, and of a type that changes', async () => {
    const api = await startApi();
    const first = await api.dev('PUT', '/contents/shop', { text: '{"gold":5000,"name":"5"}' });
    expect(first.body.warnings).toEqual([]);
    const edit = { text: '{"gold":5000000,"name":5}' };
    const dry = await api.dev('PUT', '/contents/shop', { ...edit, dryRun: true });
    expect(dry.body.warnings).toEqual([
      {
        ...{ code: 'value_factor', path: '/gold', appVersion: '0.0.0' },
        message:
          'In version line 0.0.0, /gold goes from 5,000 to 5,000,000: more than a factor of 10.',
      },
      {
        ...{ code: 'value_type_changed', path: '/name', appVersion: '0.0.0' },
        message: 'In version line 0.0.0, /name is a string and becomes a number.',
      },
    ]);
    const saved = await api.dev('PUT', '/contents/shop', edit);
    expect(saved.status).toBe(200);
    expect(saved.body.warnings).toEqual(dry.body.warnings);
    const same = await api.dev('PUT', '/contents/shop', edit);
    expect(same.body.warnings).toEqual([]);
  });

  it('warns of what a rule writes, also of a draft, and again where the draft is published', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"gold":5000}' });
    const draft = await api.dev('PUT', '/contents/shop', { mapping: rules, publish: false });
    expect(codesOf(draft.body)).toEqual([factor]);
    expect(draft.body.warnings[0].message).toContain('50,000,000 (rule "whales")');
    const published = await api.dev('POST', '/contents/shop/publish', {});
    expect(codesOf(published.body)).toEqual([factor]);
    const back = await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
    expect(back.status).toBe(200);
    expect(codesOf(back.body)).toEqual([factor]);
  });

  it('warns of what players of a line get that is removed', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"gold":5}' });
    await api.dev('PUT', '/contents/shop', { text: '{"gold":50}', appVersion: '2.0.0' });
    await api.dev('PUT', '/contents/shop', { text: '{"gold":500}', appVersion: '2.0.0' });
    const { body } = await api.dev('DELETE', '/contents/shop/lines/2.0.0');
    expect(codesOf(body)).toEqual([factor]);
  });

  it('lists five values, and how many more there are', async () => {
    const api = await startApi();
    const list = (value: number) => JSON.stringify(Array.from({ length: 8 }, () => value));
    await api.dev('PUT', '/contents/shop', { text: list(1) });
    const { body } = await api.dev('PUT', '/contents/shop', { text: list(100) });
    expect(body.warnings).toHaveLength(6);
    expect(body.warnings[5]).toEqual({
      path: '',
      message: '3 more values like these are not shown.',
    });
  });
});

describe('a sync and an import', () => {
  it('warn of values that move far from what is live in the target, in a dry run and in earnest', async () => {
    const api = await startApi();
    await api.call('POST', '/admin/v1/environments', { id: 'live' });
    const live = (method: string, path: string, body?: unknown) =>
      api.call(method, `/admin/v1/environments/live${path}`, body);
    await live('PUT', '/contents/shop', { text: '{"gold":5}' });
    await api.dev('PUT', '/contents/shop', { text: '{"gold":5000}' });
    const found = [['value_factor', 'shop/gold']];
    for (const dryRun of [true, false]) {
      const { body } = await live('POST', '/sync', { from: 'dev', dryRun });
      expect(codesOf(body)).toEqual(found);
    }
  });

  it('warn of the same where a file is imported', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"gold":5000}' });
    const { text } = await api.dev('GET', '/export');
    await api.dev('PUT', '/contents/shop', { text: '{"gold":5}' });
    for (const dryRun of [true, false]) {
      const response = await fetch(
        `${api.url}/admin/v1/environments/dev/import?mode=merge&dryRun=${dryRun}`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${ownerToken}`,
            'content-type': 'application/x-ndjson',
          },
          body: text,
        },
      );
      expect(codesOf((await response.json()) as { warnings: never[] })).toEqual([
        ['value_factor', 'shop/gold'],
      ]);
    }
  });
});

describe('the envelope of a content', () => {
  it('has the values of a revision, by version line and path, with the rule that writes them', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"gold":5000,"open":true}' });
    await api.dev('PUT', '/contents/shop', { mapping: rules, publish: false });
    const { status, body } = await api.dev('GET', '/contents/shop/envelope');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 'shop', revision: 2, live: 1 });
    expect(body.lines).toMatchObject([{ appVersion: '0.0.0', truncated: false, unbounded: false }]);
    const line = { rule: null, segment: null, variant: null };
    expect(body.lines[0].paths[1]).toEqual({
      ...{ path: '/gold', types: ['number'], always: true, values: ['5000', '50000000'] },
      min: { value: 5000, ...line },
      max: { value: 50_000_000, rule: 0, segment: 'whales', variant: null },
    });
    expect(body.lines[0].paths[2]).toMatchObject({ path: '/open', values: ['true'], min: null });
    expect(body.findings).toMatchObject([{ kind: 'factor', severity: 'warn', path: '/gold' }]);
    const first = await api.dev('GET', '/contents/shop/envelope?revision=1');
    expect(first.body).toMatchObject({ revision: 1, findings: [] });
  });

  it('is computed of unsaved edits against what is live, and saves nothing', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"gold":5000}' });
    const edit = { id: 'shop', text: '{"gold":"many"}' };
    const { body } = await api.dev('POST', '/envelope', edit);
    expect(body).toMatchObject({ revision: 1, live: 1 });
    expect(body.findings).toMatchObject([{ kind: 'type_changed', appVersion: '0.0.0' }]);
    const shown = await api.dev('GET', '/contents/shop');
    expect(shown.body.newest ?? shown.body.revision).toBe(1);
  });

  it('is that of a new content too, and of none that is not there', async () => {
    const api = await startApi();
    const made = await api.dev('POST', '/envelope', { id: 'new', text: '[1e400]' });
    expect(made.body).toMatchObject({ revision: null, live: null, findings: [] });
    expect(made.body.lines[0].paths[1]).toMatchObject({ path: '/*', max: { value: null } });
    expect((await api.dev('GET', '/contents/none/envelope')).body.code).toBe('content_not_found');
  });

  it('rejects an edit that could not be saved', async () => {
    const api = await startApi();
    const bad = await api.dev('POST', '/envelope', { id: 'new', text: '{' });
    expect(bad.body.code).toBe('invalid_content');
    const mapping = [{ segment: 'unsaved', merge: {} }];
    const rule = await api.dev('POST', '/envelope', { id: 'new', text: '{}', mapping });
    expect(rule.body.code).toBe('invalid_mapping');
  });
});
