/** Random JSON Schemas of the forms that types express, each with values that match it. From a seed. */

import fc from 'fast-check';

export interface TypedSample {
  readonly schema: object;
  readonly values: readonly unknown[];
}

interface Form {
  readonly schema: object;
  readonly values: fc.Arbitrary<unknown>;
}

/** Names that each language treats in its own way: reserved words, capitals, signs, digits, other scripts. */
const memberNames = [
  ...['id', 'price', 'class', 'namespace', 'default', 'loot-box', 'lootBox', 'LootBox', 'x y'],
  ...['1st', 'größe', 'URL', 'type', 'string', 'Object', 'a"b', 'a\\b'],
];
const enumTexts = ['USD', 'eur', 'x-y', 'X_Y', '1', 'true', 'null', 'ä', 'a b', 'a"b', ''];
const safe = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

const texts = fc.string({ unit: 'grapheme', maxLength: 12 });
const numbers = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })
  .map((value) => (Object.is(value, -0) ? 0 : value));
const instants = fc
  .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map((date) => date.toISOString());

const scalars: fc.Arbitrary<Form> = fc.oneof(
  fc.constant({ schema: { type: 'string' }, values: texts }),
  fc.constant({ schema: { type: 'integer' }, values: fc.integer(safe) }),
  fc.constant({ schema: { type: 'number', description: 'A */ price.' }, values: numbers }),
  fc.constant({ schema: { type: 'boolean' }, values: fc.boolean() }),
  fc.constant({ schema: { type: ['string', 'null'] }, values: fc.option(texts) }),
  fc.constant({ schema: { type: 'string', format: 'date-time' }, values: instants }),
  fc.constant({ schema: {}, values: fc.jsonValue({ maxDepth: 1, noUnicodeString: false }) }),
  fc
    .uniqueArray(fc.constantFrom(...enumTexts), { minLength: 1, maxLength: 5 })
    .map((values) => ({ schema: { enum: values }, values: fc.constantFrom(...values) })),
);

const { form } = fc.letrec<{ form: Form; object: Form }>((tie) => ({
  form: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    tie('object'),
    tie('form').map(({ schema, values }) => ({
      schema: { type: 'array', items: schema },
      values: fc.array(values, { maxLength: 3 }),
    })),
    tie('form').map(({ schema, values }) => ({
      schema: { type: 'object', additionalProperties: schema },
      values: fc.dictionary(fc.string({ maxLength: 5 }), values, { maxKeys: 3 }),
    })),
  ),
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...memberNames), tie('form'), fc.boolean()), {
      selector: ([name]) => name,
      maxLength: 5,
    })
    .map((members) => objectOf(members)),
}));

function objectOf(members: readonly (readonly [string, Form, boolean])[]): Form {
  const required = members.filter(([, , isRequired]) => isRequired).map(([name]) => name);
  const parts = members.map(([name, { values }, isRequired]) =>
    isRequired
      ? values.map((value) => [[name, value]])
      : fc.option(values.map((value) => [name, value])).map((entry) => (entry ? [entry] : [])),
  );
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(members.map(([name, { schema }]) => [name, schema])),
      required,
      additionalProperties: false,
    },
    values: fc
      .tuple(...parts)
      .map((entries) => Object.fromEntries(entries.flat() as [string, unknown][])),
  };
}

/** Objects and lists of them: what a content is. */
export function randomSchemas(count: number, seed: number): readonly TypedSample[] {
  const containers = form.filter(({ schema }) =>
    ['object', 'array'].includes((schema as { type?: string }).type ?? ''),
  );
  return fc.sample(containers, { numRuns: count, seed }).map(({ schema, values }, index) => ({
    schema,
    values: fc.sample(values, { numRuns: 4, seed: seed + index }),
  }));
}
