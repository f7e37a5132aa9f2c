/** An edit of several lines is one value: all of it is saved, in one revision, or none of it. */
import { describe, expect, it } from 'vitest';
import { type Harness, startApi } from '../harness.js';

const mapping = [{ segment: 'all', when: {}, merge: { price: 2 } }];

async function withLines(): Promise<Harness> {
  const api = await startApi();
  const lines = [
    { appVersion: '0.0.0', text: '{"price":1}' },
    { appVersion: '1.0.0', text: '{"price":10}' },
    { appVersion: '2.0.0', text: '{"price":100}' },
  ];
  const made = await api.dev('PUT', '/contents/shop', { lines });
  expect([made.status, made.body.revision, made.body.live]).toEqual([201, 1, 1]);
  return api;
}

const shopOf = async (api: Harness) => (await api.dev('GET', '/contents/shop')).body;

async function textsOf(api: Harness): Promise<Record<string, string>> {
  const { lines } = await shopOf(api);
  return Object.fromEntries(
    lines.map(({ appVersion, text }: Record<string, string>) => [appVersion, text]),
  );
}

describe('admin API: all lines in one PUT', () => {
  it('saves texts, removals, additions and the mapping as one revision', async () => {
    const api = await withLines();
    const lines = [
      { appVersion: '3.0.0', text: '{"price":1000}' },
      { appVersion: '1.0.0' },
      { appVersion: '00.0.0', text: '{"price":3}' },
    ];
    const edit = { lines, mapping, ifRevision: 1, note: 'Dearer.' };
    const dry = await api.dev('PUT', '/contents/shop', { ...edit, dryRun: true });
    expect(dry.body).toMatchObject({ revision: 2, live: 2, removedLines: ['2.0.0'] });
    expect((await shopOf(api)).newest).toBe(1);

    const saved = await api.dev('PUT', '/contents/shop', edit);
    expect([saved.status, saved.body.revision, saved.body.live]).toEqual([200, 2, 2]);
    expect(saved.body.hash).toBe(dry.body.hash);
    expect(await textsOf(api)).toEqual({
      '0.0.0': '{"price":3}',
      '1.0.0': '{"price":10}',
      '3.0.0': '{"price":1000}',
    });
    expect((await shopOf(api)).mapping).toEqual(mapping);
    const { body } = await api.call('GET', '/admin/v1/audit?action=content.put');
    expect(body.events.at(0).details.changed.toSorted()).toEqual([
      'line 0.0.0',
      'line 2.0.0 removed',
      'line 3.0.0',
      'mapping',
    ]);
  });

  it('leaves lines alone that an edit does not name: of the text of one, of the mapping', async () => {
    const api = await withLines();
    const before = await textsOf(api);
    await api.dev('PUT', '/contents/shop', { text: '{"price":11}', appVersion: '1.0.0' });
    expect(await textsOf(api)).toEqual({ ...before, '1.0.0': '{"price":11}' });
    await api.dev('PUT', '/contents/shop', { mapping });
    expect(await textsOf(api)).toEqual({ ...before, '1.0.0': '{"price":11}' });
    const same = await api.dev('PUT', '/contents/shop', {
      lines: [{ appVersion: '0.0.0' }, { appVersion: '1.0.0' }, { appVersion: '2.0.0' }],
    });
    expect(same.body.revision).toBe(3);
  });

  it('publishes as a text does, unless it is to be a draft', async () => {
    const api = await withLines();
    const draft = await api.dev('PUT', '/contents/shop', {
      lines: [{ appVersion: '0.0.0' }],
      publish: false,
    });
    expect(draft.body).toMatchObject({ revision: 2, live: 1 });
    expect(Object.keys(await textsOf(api))).toEqual(['0.0.0']);
  });

  it.each([
    ['no line at all', { lines: [] }, 400, 'lines'],
    ['a text beside them', { lines: [{ appVersion: '0.0.0' }], text: '1' }, 400, 'lines'],
    ['a line beside them', { lines: [{ appVersion: '0.0.0' }], appVersion: '1.0.0' }, 400, 'lines'],
    [
      'a line twice, in two spellings',
      { lines: [{ appVersion: '1.0.0' }, { appVersion: '01.0.0' }] },
      400,
      'lines[1].appVersion',
    ],
    ['a line without a version', { lines: [{ text: '1' }] }, 400, 'lines[0].appVersion'],
    ['a member that nobody knows', { lines: [{ appVersion: '0.0.0', txt: '1' }] }, 400, 'lines[0]'],
    [
      'more lines than a content has',
      { lines: Array.from({ length: 101 }, (_, at) => ({ appVersion: `${at}.0.0`, text: '1' })) },
      400,
      'lines',
    ],
  ])('refuses %s, and changes nothing', async (_, body, status, path) => {
    const api = await withLines();
    const before = await shopOf(api);
    const refused = await api.dev('PUT', '/contents/shop', body);
    expect([refused.status, refused.body.code]).toEqual([status, 'invalid_body']);
    expect(refused.body.errors[0].path).toBe(path);
    expect(await shopOf(api)).toEqual(before);
  });

  it('says of which line a fault is, and where: nothing is saved of the others', async () => {
    const api = await withLines();
    const before = await shopOf(api);
    const lines = [
      { appVersion: '0.0.0', text: '{"price":5}' },
      { appVersion: '2.0.0', text: '{\n  "price": oops\n}' },
    ];
    const refused = await api.dev('PUT', '/contents/shop', { lines, mapping });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_content']);
    expect(refused.body.errors).toEqual([
      expect.objectContaining({ path: 'lines[1].text', appVersion: '2.0.0', line: 2, column: 12 }),
    ]);
    expect(await shopOf(api)).toEqual(before);
  });

  it('says of which line a warning and a mismatch is', async () => {
    const api = await startApi();
    const lines = [
      { appVersion: '0.0.0', text: '{"price":1}' },
      { appVersion: '1.0.0', text: '{"price":9007199254740993}' },
    ];
    const schema = { properties: { price: { maximum: 100 } } };
    const edit = { lines, schema, mapping, publish: false };
    const { body } = await api.dev('PUT', '/contents/shop', edit);
    const about = body.warnings.map(({ path, appVersion, code }: Record<string, string>) => [
      path,
      appVersion,
      code,
    ]);
    expect(about).toEqual([
      ['lines[1].text', '1.0.0', undefined],
      ['text', '1.0.0', 'schema_mismatch'],
    ]);
  });

  it('refuses to keep the text of a line that is not there', async () => {
    const api = await withLines();
    const refused = await api.dev('PUT', '/contents/shop', { lines: [{ appVersion: '7.0.0' }] });
    expect([refused.status, refused.body.code]).toEqual([404, 'line_not_found']);
    const fresh = await api.dev('PUT', '/contents/fresh', { lines: [{ appVersion: '0.0.0' }] });
    expect([fresh.status, fresh.body.code]).toEqual([404, 'line_not_found']);
  });
});

describe('admin API: all lines tried out', () => {
  it('evaluates them as they would be saved', async () => {
    const api = await withLines();
    const lines = [{ appVersion: '0.0.0' }, { appVersion: '1.5.0', text: '{"price":15}' }];
    const answerTo = async (v: string) => {
      const body = { id: 'shop', u: 'ada', v, lines, mapping: [] };
      return (await api.dev('POST', '/evaluate', body)).body;
    };
    expect(await answerTo('1.4.9')).toMatchObject({
      line: '0.0.0',
      answer: { data: { price: 1 } },
    });
    expect(await answerTo('2.0.0')).toMatchObject({
      line: '1.5.0',
      answer: { data: { price: 15 } },
    });
    const body = { id: 'shop', lines: [{ appVersion: '7.0.0' }] };
    const refused = await api.dev('POST', '/evaluate', body);
    expect([refused.status, refused.body.code]).toEqual([404, 'line_not_found']);
  });

  it('evaluates lines of a content that is not there yet', async () => {
    const api = await startApi();
    const lines = [{ appVersion: '1.0.0', text: '{"price":15}' }];
    const { body } = await api.dev('POST', '/evaluate', { id: 'fresh', v: '1.0.0', lines });
    expect(body).toMatchObject({ line: '1.0.0', revision: null, answer: { data: { price: 15 } } });
    const below = await api.dev('POST', '/evaluate', { id: 'fresh', v: '0.9.0', lines });
    expect(below.body).toMatchObject({ line: null, answer: null });
  });
});
