/*
 * Goal: a draft may break its content's JSON Schema, and is saved with the faults as warnings; but by no way does such a
 * state become live.
 */
import { describe, expect, it } from 'vitest';
import { type Harness, startApi } from '../harness.js';

const schema = {
  type: 'object',
  properties: { price: { type: 'number', minimum: 0, maximum: 100 } },
  required: ['price'],
};
const good = '{"price":1}';
const bad = '{\n  "price": 4990000\n}';

/** `shop` with its schema and r1 live, and a faulty draft r2. */
async function withFaultyDraft(): Promise<Harness> {
  const api = await startApi();
  await api.dev('PUT', '/contents/shop', { text: good, schema });
  const saved = await api.dev('PUT', '/contents/shop', { text: bad, publish: false });
  expect([saved.status, saved.body.revision, saved.body.live]).toEqual([200, 2, 1]);
  return api;
}

const shopOf = async (api: Harness) => (await api.dev('GET', '/contents/shop')).body;

/** The warnings of a save, but for those of values that move far from what is live. */
const faultsOf = ({ body }: { body: { warnings: { code?: string }[] } }) =>
  body.warnings.filter(({ code }) => code !== 'value_factor' && code !== 'value_type_changed');

const tooDear = {
  path: 'text',
  appVersion: '0.0.0',
  message: 'In the line 0.0.0, /price must be <= 100',
  line: 2,
  column: 12,
  code: 'schema_mismatch',
};

describe('admin API: a draft that does not match its schema', () => {
  it('is saved, and its faults are warnings that name their place', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: good, schema });
    const tried = { text: bad, publish: false, dryRun: true };
    const would = await api.dev('PUT', '/contents/shop', tried);
    expect([would.status, faultsOf(would)]).toEqual([200, [tooDear]]);
    const saved = await api.dev('PUT', '/contents/shop', { text: bad, publish: false });
    expect([saved.status, faultsOf(saved)]).toEqual([200, [tooDear]]);
    expect(saved.body).toMatchObject({ revision: 2, live: 1 });
    expect((await shopOf(api)).lines[0].text).toBe(bad);
  });

  it('is saved where a rule or a variant makes what the schema forbids', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: good, schema });
    const variants = [
      { name: 'control', groups: [0, 499] },
      { name: 'dear', groups: [500, 999], merge: { price: 1_000 } },
    ];
    const mapping = [{ segment: 'test', when: {}, variants }];
    const saved = await api.dev('PUT', '/contents/shop', { mapping, publish: false });
    expect(saved.status).toBe(200);
    expect(saved.body.warnings).toContainEqual({
      path: 'mapping[0].variants[1].merge',
      appVersion: '0.0.0',
      message: 'In the line 0.0.0, /price must be <= 100',
      code: 'schema_mismatch',
    });
    const published = await api.dev('PUT', '/contents/shop', { mapping });
    expect([published.status, published.body.code]).toEqual([400, 'invalid_content']);
  });

  it('is how a new content may begin, with text and schema at once', async () => {
    const api = await startApi();
    const made = await api.dev('PUT', '/contents/shop', { text: bad, schema, publish: false });
    expect([made.status, made.body.live]).toEqual([201, null]);
    expect(faultsOf(made)).toEqual([tooDear]);
    const published = await api.dev('POST', '/contents/shop/publish', {});
    expect([published.status, published.body.code]).toEqual([400, 'invalid_content']);
    expect((await shopOf(api)).live).toBeNull();
  });

  it('is refused as before when its text is no JSON, its schema none, or its mapping faulty', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: good, schema });
    const refused = async (edit: object) =>
      (await api.dev('PUT', '/contents/shop', { ...edit, publish: false })).body.code;
    expect(await refused({ text: '{"price":' })).toBe('invalid_content');
    expect(await refused({ schema: { type: 'txt' } })).toBe('invalid_schema');
    expect(await refused({ mapping: [{ segment: 'nobody' }] })).toBe('invalid_mapping');
    expect((await shopOf(api)).newest).toBe(1);
  });

  it('is not published, neither by its number, nor as the newest, nor by a PUT', async () => {
    const api = await withFaultyDraft();
    for (const body of [{}, { revision: 2 }]) {
      const refused = await api.dev('POST', '/contents/shop/publish', body);
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_content']);
      expect(refused.body.errors[0]).toMatchObject({ path: 'text', line: 2, column: 12 });
    }
    // What is not said stays as it is in the newest revision: the faulty text would go live.
    for (const body of [{ description: 'a shop', publish: true }, { text: bad }, { mapping: [] }]) {
      expect((await api.dev('PUT', '/contents/shop', body)).status).toBe(400);
    }
    expect(await shopOf(api)).toMatchObject({ newest: 2, live: 1, description: '' });
  });

  it('is not rolled back to, deleted or not', async () => {
    const api = await withFaultyDraft();
    const back = { revision: 2 };
    expect((await api.dev('POST', '/contents/shop/rollback', back)).status).toBe(400);
    await api.dev('DELETE', '/contents/shop');
    expect((await api.dev('POST', '/contents/shop/rollback', back)).status).toBe(400);
    expect((await api.dev('GET', '/contents/shop')).status).toBe(404);
  });

  it('is a draft again when its deleted content is restored', async () => {
    const api = await withFaultyDraft();
    await api.dev('DELETE', '/contents/shop');
    expect((await api.dev('POST', '/contents/shop/restore')).status).toBe(200);
    expect(await shopOf(api)).toMatchObject({ newest: 2, live: 1 });
    await api.dev('PUT', '/contents/new', { text: bad, schema, publish: false });
    await api.dev('DELETE', '/contents/new');
    expect((await api.dev('POST', '/contents/new/restore')).status).toBe(200);
    expect((await api.dev('GET', '/contents/new')).body).toMatchObject({ newest: 1, live: null });
  });

  it('is not restored as what was live, when the schema changed meanwhile', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: good });
    // A draft may bring the schema that the text of the future matches; what is live goes on as it was.
    const next = { text: '{"cost":1}', schema: { required: ['cost'] }, publish: false };
    expect((await api.dev('PUT', '/contents/shop', next)).status).toBe(200);
    await api.dev('DELETE', '/contents/shop');
    const restored = await api.dev('POST', '/contents/shop/restore');
    expect([restored.status, restored.body.code]).toEqual([400, 'invalid_content']);
  });

  it('does not go live by the removal of a line, which may be saved as a draft', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: good, schema });
    await api.dev('PUT', '/contents/shop', { text: good, appVersion: '2.0.0' });
    await api.dev('PUT', '/contents/shop', { text: bad, appVersion: '1.0.0', publish: false });
    const line = '/contents/shop/lines/2.0.0';
    expect((await api.dev('DELETE', line)).status).toBe(400);
    const draft = await api.dev('DELETE', `${line}?publish=false`);
    expect([draft.status, draft.body.live]).toEqual([200, 2]);
    expect(faultsOf(draft)).toMatchObject([{ code: 'schema_mismatch' }]);
    // Without the faulty line nothing is wrong any more.
    expect((await api.dev('DELETE', '/contents/shop/lines/1.0.0')).status).toBe(200);
  });

  it('does not bring a schema that what is live breaks as well', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"cost":1}' });
    const body = { text: '{"cost":2}', schema, publish: false };
    const refused = await api.dev('PUT', '/contents/shop', body);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_content']);
    const alone = await api.dev('PUT', '/contents/shop', { schema, publish: false });
    expect([alone.status, alone.body.code]).toEqual([400, 'invalid_content']);
    await api.dev('PUT', '/contents/shop', { text: '{"cost":3}', publish: false });
    const over = await api.dev('PUT', '/contents/shop', { schema, publish: false });
    expect([over.status, over.body.code]).toEqual([400, 'invalid_content']);
    expect(await shopOf(api)).toMatchObject({ schema: null, newest: 2, live: 1 });
  });

  it('may come under a schema that what is live matches', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: good });
    await api.dev('PUT', '/contents/shop', { text: bad, publish: false });
    const saved = await api.dev('PUT', '/contents/shop', { schema, publish: false });
    expect([saved.status, faultsOf(saved)]).toEqual([200, [tooDear]]);
  });

  it('stays where it is when its environment is synced', async () => {
    const api = await withFaultyDraft();
    await api.call('POST', '/admin/v1/environments', { id: 'prod' });
    const sync = '/admin/v1/environments/prod/sync';
    const synced = await api.call('POST', sync, { from: 'dev' });
    expect([synced.status, synced.body.added.length]).toEqual([200, 1]);
    const there = await api.call('GET', '/admin/v1/environments/prod/contents/shop');
    expect(there.body).toMatchObject({ live: 1, newest: 1, lines: [{ text: good }] });
  });

  it('does not go live where a sync finds it as the same draft in the target', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: bad });
    await api.call('POST', '/admin/v1/environments', { id: 'prod' });
    const shop = '/admin/v1/environments/prod/contents/shop';
    await api.call('PUT', shop, { text: good, schema });
    await api.call('PUT', shop, { text: bad, publish: false });
    // The schema comes along with the content: in the source there is none, and so nothing breaks one.
    await api.call('POST', '/admin/v1/environments/prod/sync', { from: 'dev' });
    expect((await api.call('GET', shop)).body).toMatchObject({ live: 2, schema: null });
    // Under a schema of the source, the same text is refused there already.
    const held = await api.dev('PUT', '/contents/shop', { schema, publish: false });
    expect(held.status).toBe(400);
  });

  it('is exported and imported again as the draft that it is', async () => {
    const api = await withFaultyDraft();
    await api.dev('PUT', '/contents/new', { text: bad, schema, publish: false });
    const { text: file } = await api.dev('GET', '/export?drafts=true');
    await api.call('POST', '/admin/v1/environments', { id: 'copy' });
    const imported = await importInto(api, 'copy', file);
    expect(imported.status).toBe(200);
    expect(imported.body.warnings).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'schema_mismatch' })]),
    );
    const copy = async (id: string) =>
      (await api.call('GET', `/admin/v1/environments/copy/contents/${id}`)).body;
    expect(await copy('shop')).toMatchObject({ newest: 2, live: 1, lines: [{ text: bad }] });
    expect(await copy('new')).toMatchObject({ newest: 1, live: null });
    const published = await api.call(
      'POST',
      '/admin/v1/environments/copy/contents/new/publish',
      {},
    );
    expect(published.status).toBe(400);
  });

  it('does not go live by an import, whose live contents must match', async () => {
    const api = await withFaultyDraft();
    const shop = { kind: 'content', id: 'shop', schema };
    const line = (more: object) => `${JSON.stringify({ ...shop, ...more })}\n`;
    const lines = [{ appVersion: '0.0.0', text: bad }];
    // The draft that is there has this very text: it would be published.
    const refused = await importInto(api, 'dev', line({ lines }));
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_import']);
    expect(await shopOf(api)).toMatchObject({ newest: 2, live: 1 });
  });

  it('does not bring a schema by an import that what is live may break', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: bad });
    const lines = [{ appVersion: '0.0.0', text: bad }];
    const draft = JSON.stringify({ kind: 'content', id: 'shop', schema, lines, live: false });
    const refused = await importInto(api, 'dev', `${draft}\n`);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_import']);
    expect(refused.body.errors[0]).toMatchObject({ line: 1 });
    expect((await shopOf(api)).schema).toBeNull();
  });
});

async function importInto(api: Harness, env: string, file: string) {
  const response = await fetch(`${api.url}/admin/v1/environments/${env}/import`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer owner-token-of-the-tests',
      'content-type': 'application/x-ndjson',
    },
    body: file,
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
  return { status: response.status, body: (await response.json()) as any };
}
