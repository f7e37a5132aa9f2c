/*
 * Goal: nothing that a content can deliver breaks its JSON Schema, and whoever tries is told what breaks where.
 */
import { describe, expect, it } from 'vitest';
import { startApi } from '../harness.js';

const schema = {
  type: 'object',
  properties: { price: { type: 'number', minimum: 0 }, name: { type: 'string' } },
  required: ['price'],
  additionalProperties: false,
};

describe('admin API: JSON Schema of a content', () => {
  it('refuses a text that does not match, with the place in the text as it was written', async () => {
    const api = await startApi();
    const text = '{\n  // in gems\n  "price": -1,\n  "colour": "red"\n}';
    const refused = await api.dev('PUT', '/contents/shop', { text, schema });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('invalid_content');
    expect(refused.body.errors).toEqual(
      expect.arrayContaining([
        {
          path: 'text',
          appVersion: '0.0.0',
          message: 'In the line 0.0.0, /price must be >= 0',
          line: 3,
          column: 12,
        },
        {
          path: 'text',
          appVersion: '0.0.0',
          message:
            'In the line 0.0.0, the whole document must NOT have additional properties: "colour"',
          line: 1,
          column: 1,
        },
      ]),
    );
    expect((await api.dev('GET', '/contents/shop')).status).toBe(404);
  });

  it('keeps a schema that fits, and holds later texts to it', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"price":1}', schema });
    const refused = await api.dev('PUT', '/contents/shop', { text: '{}' });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].message).toContain("must have required property 'price'");
    expect((await api.dev('PUT', '/contents/shop', { text: '{"price":2}' })).status).toBe(200);
    expect((await api.dev('PUT', '/contents/shop', { schema: null })).status).toBe(200);
    expect((await api.dev('PUT', '/contents/shop', { text: '{}' })).status).toBe(200);
  });

  it('refuses a schema that the text there is does not match, and changes nothing', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"cost":1}' });
    const refused = await api.dev('PUT', '/contents/shop', { schema });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('invalid_content');
    expect((await api.dev('GET', '/contents/shop')).body.schema).toBeNull();
  });

  it('checks every line', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"price":1}', schema });
    const second = { text: '{"price":"1"}', appVersion: '2.0.0' };
    const refused = await api.dev('PUT', '/contents/shop', second);
    expect(refused.body.errors).toMatchObject([
      { path: 'text', message: 'In the line 2.0.0, /price must be number', line: 1, column: 10 },
    ]);
  });

  it('checks what each rule makes of the text, and names the rule', async () => {
    const api = await startApi();
    const mapping = [
      { segment: 'good', when: {}, merge: { price: 2 } },
      { segment: 'bad', when: {}, merge: { price: null } },
    ];
    const refused = await api.dev('PUT', '/contents/shop', {
      text: '{"price":1}',
      schema,
      mapping,
    });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('invalid_content');
    expect(refused.body.errors).toEqual([
      {
        path: 'mapping[1].merge',
        appVersion: '0.0.0',
        message: "In the line 0.0.0, the whole document must have required property 'price'",
      },
    ]);
  });

  it('checks what each variant makes of the text', async () => {
    const api = await startApi();
    const patch = [{ op: 'replace', path: '/price', value: 'free' }];
    const variants = [
      { name: 'control', groups: [0, 499] },
      { name: 'free', groups: [500, 999], patch },
    ];
    const mapping = [{ segment: 'test', when: {}, variants }];
    const refused = await api.dev('PUT', '/contents/shop', {
      text: '{"price":1}',
      schema,
      mapping,
    });
    expect(refused.body.errors).toEqual([
      {
        path: 'mapping[0].variants[1].patch',
        appVersion: '0.0.0',
        message: 'In the line 0.0.0, /price must be number',
      },
    ]);
  });

  it('checks what all rules together make of the text', async () => {
    const api = await startApi();
    const together = { not: { required: ['a', 'b'] } };
    const mapping = [
      { segment: 'one', when: {}, merge: { a: 1 } },
      { segment: 'two', when: {}, merge: { b: 1 } },
    ];
    const body = { text: '{}', schema: together, mapping };
    const refused = await api.dev('PUT', '/contents/shop', body);
    expect(refused.body.errors).toEqual([
      {
        path: 'mapping',
        appVersion: '0.0.0',
        message: 'In the line 0.0.0, the whole document must NOT be valid',
      },
    ]);
    const [first] = mapping;
    const alone = { ...body, mapping: [first] };
    expect((await api.dev('PUT', '/contents/shop', alone)).status).toBe(201);
  });

  it('counts for all revisions: an old one that breaks it is neither published nor rolled back to', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/shop', { text: '{"old":1}' });
    await api.dev('PUT', '/contents/shop', { text: '{"price":1}', schema });
    const back = await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
    expect(back.status).toBe(400);
    expect(back.body.code).toBe('invalid_content');
    await api.dev('PUT', '/contents/shop', { schema: null });
    await api.dev('PUT', '/contents/shop', { text: '{"draft":1}', publish: false });
    await api.dev('POST', '/contents/shop/rollback', { revision: 2 });
    await api.dev('PUT', '/contents/shop', { schema });
    expect((await api.dev('POST', '/contents/shop/rollback', { revision: 3 })).status).toBe(400);
  });

  it.each([
    ['a type that is none', { type: 'txt' }, 'schema/type'],
    ['a bound that is no number', { properties: { a: { minimum: '1' } } }, 'schema/properties/a'],
    ['a pattern that is none', { pattern: '(' }, 'schema'],
    ['a reference that leads nowhere', { $ref: 'https://example.com/other' }, 'schema'],
    ['a keyword that only Ajv has', { $async: true }, 'schema/$async'],
    ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, 'schema/$schema'],
  ])('refuses %s as a schema', async (_what, faulty, path) => {
    const api = await startApi();
    const refused = await api.dev('PUT', '/contents/shop', { text: '{}', schema: faulty });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('invalid_schema');
    expect(refused.body.errors[0].path).toContain(path);
    expect(refused.body.errors[0].message).not.toBe('');
  });

  it('refuses a schema that nests too deeply, or that refers to itself without end', async () => {
    const api = await startApi();
    const levels = 15_000;
    const deep = `${'{"not":'.repeat(levels)}true${'}'.repeat(levels)}`;
    const nested = await api.dev('PUT', '/contents/shop', `{"text":"1","schema":${deep}}`);
    expect(nested.status).toBe(400);
    expect(nested.body.code).toBe('invalid_schema');
    const circle = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } };
    const endless = await api.dev('PUT', '/contents/shop', { text: '1', schema: circle });
    expect(endless.status).toBe(400);
    const tree = { type: 'object', additionalProperties: { $ref: '#' } };
    const text = '{"a":{"b":{"c":{}}}}';
    expect((await api.dev('PUT', '/contents/t', { text, schema: tree })).status).toBe(201);
    expect((await api.dev('PUT', '/contents/t', { text: '{"a":{"b":1}}' })).status).toBe(400);
  });

  it('takes two schemas of one $id', async () => {
    const api = await startApi();
    for (const [id, type] of Object.entries({ a: 'number', b: 'string' })) {
      const schema = { $id: 'https://example.com/content', type };
      const text = id === 'a' ? '1' : '"1"';
      expect((await api.dev('PUT', `/contents/${id}`, { text, schema })).status).toBe(201);
    }
  });

  it('warns of keywords that do not exist and formats that are not known', async () => {
    const api = await startApi();
    const typo = { properties: { a: { minLenght: 3, format: 'colour' } }, optional: true };
    const saved = await api.dev('PUT', '/contents/shop', { text: '{"a":"x"}', schema: typo });
    expect(saved.status).toBe(201);
    expect(saved.body.warnings).toEqual([
      {
        path: 'schema/properties/a/minLenght',
        message: '"minLenght" is no keyword of JSON Schema 2020-12, so it checks nothing.',
      },
      {
        path: 'schema/optional',
        message: '"optional" is no keyword of JSON Schema 2020-12, so it checks nothing.',
      },
      { path: 'schema', message: expect.stringContaining('unknown format "colour"') },
    ]);
  });

  it('knows what draft 2020-12 has: prefixItems, unevaluatedProperties, formats', async () => {
    const api = await startApi();
    const modern = {
      properties: { at: { format: 'date-time' }, list: { prefixItems: [{ type: 'string' }] } },
      unevaluatedProperties: false,
    };
    const put = async (text: string) => {
      const { status, body } = await api.dev('PUT', '/contents/shop', { text, schema: modern });
      return [status, body.errors?.[0].message ?? null];
    };
    expect(await put('{"at":"2026-01-01T00:00:00Z","list":["a",1]}')).toEqual([201, null]);
    expect((await put('{"at":"yesterday"}'))[1]).toContain('/at must match format "date-time"');
    expect((await put('{"list":[1]}'))[1]).toContain('/list/0 must be string');
    expect((await put('{"more":1}'))[1]).toContain('must NOT have unevaluated properties: "more"');
  });

  it('takes true and false, the two schemas that are no objects', async () => {
    const api = await startApi();
    expect((await api.dev('PUT', '/contents/a', { text: '1', schema: true })).status).toBe(201);
    expect((await api.dev('PUT', '/contents/b', { text: '1', schema: false })).status).toBe(400);
  });

  it('is kept byte for byte', async () => {
    const api = await startApi();
    const body = '{"text":"1","schema":{ "maximum": 1e2, "$comment": "\\u0041" }}';
    await api.dev('PUT', '/contents/shop', body);
    const { text } = await api.dev('GET', '/contents/shop');
    expect(text).toContain('"schema":{ "maximum": 1e2, "$comment": "\\u0041" }');
  });

  it('lists a bounded number of errors, however many there are', async () => {
    const api = await startApi();
    const text = JSON.stringify(Array.from({ length: 5_000 }, () => 'x'));
    const numbers = { items: { type: 'number' } };
    const refused = await api.dev('PUT', '/contents/shop', { text, schema: numbers });
    expect(refused.body.errors).toHaveLength(10);
  });
});
