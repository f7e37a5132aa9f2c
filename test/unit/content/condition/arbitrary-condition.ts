/**
 * Random conditions over a small stock of names and values, so that they often hold, and random attributes to test
 * them on. All of them compile.
 */

import fc from 'fast-check';

export const text = fc.constantFrom(
  'a',
  'A',
  'b',
  'B',
  'ab',
  '',
  '8',
  '10',
  ' 1 ',
  'null',
  'true',
  'é',
  'É',
  '1,2',
);
const number = fc.constantFrom(0, -0, 1, 2, 8, 10, -1, 1.5, 1e21, Number.POSITIVE_INFINITY);
export const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
export const version = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', 'v'),
      fc.array(fc.constantFrom('0', '1', '2', '10', '12', '99999', '01', 'rc', 'beta', 'x', ''), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.constantFrom('.', '-'),
      fc.constantFrom('', '+build.5', '+', '-rc.1', '-alpha'),
    )
    .map(([prefix, parts, separator, end]) => prefix + parts.join(separator) + end),
  fc.constantFrom('1.2.3', '1.2.10', '1.10.0', '1.2.3-rc.1', '1.2', '1'),
);
export const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    version,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'x.y', '1', '$a'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value;
export const attributes = fc.dictionary(fc.constantFrom('a', 'b', 'c', '$groups'), json, {
  maxKeys: 4,
});
const path = fc.constantFrom(
  'a',
  'b',
  'c',
  'a.a',
  'a.b',
  'b.a.1',
  'a.0',
  'b.0.a',
  'c.length',
  'a.',
  '',
  '$groups',
);
export const pattern = fc.constantFrom(
  'a',
  '^a',
  'b$',
  '^$',
  'A|b',
  '[0-9]+',
  '(a)(b)?',
  'l{2}',
  '\\.',
  'object',
  ',',
  '/',
  '(',
  'a**',
);
export const orderOperator = fc.constantFrom('$eq', '$ne', '$lt', '$lte', '$gt', '$gte');
export const listOperator = fc.constantFrom('$in', '$nin', '$ini', '$nini');
export const versionOperator = fc.constantFrom('$veq', '$vne', '$vgt', '$vgte', '$vlt', '$vlte');
const typeName = fc.constantFrom(
  'string',
  'number',
  'boolean',
  'array',
  'object',
  'null',
  'int',
  1,
);

type Members = Record<string, unknown>;
export const one = (
  name: fc.Arbitrary<string>,
  operand: fc.Arbitrary<unknown>,
): fc.Arbitrary<Members> => fc.tuple(name, operand).map(([key, value]) => ({ [key]: value }));

export const { condition } = fc.letrec<{ condition: Members; value: unknown; operators: Members }>(
  (tie) => ({
    operators: fc
      .array(
        fc.oneof(
          { maxDepth: 4, depthSize: 'small' },
          one(orderOperator, json),
          one(listOperator, fc.oneof(fc.array(json, { maxLength: 4 }), scalar)),
          one(versionOperator, fc.oneof(version, scalar)),
          one(fc.constantFrom('$regex', '$regexi'), pattern),
          one(fc.constant('$exists'), scalar),
          one(fc.constant('$type'), typeName),
          one(fc.constantFrom('$not', '$size'), tie('value')),
          one(
            fc.constantFrom('$all', '$alli'),
            fc.oneof(fc.array(tie('value'), { maxLength: 3 }), fc.array(text, { maxLength: 3 })),
          ),
          one(
            fc.constant('$elemMatch'),
            fc.oneof(tie('operators'), tie('condition').filter(isLiteral)),
          ),
        ),
        { minLength: 1, maxLength: 2 },
      )
      .map((parts) => Object.assign({}, ...parts)),
    value: fc.oneof({ maxDepth: 4, depthSize: 'small' }, json.filter(isLiteral), tie('operators')),
    condition: fc
      .array(
        fc.oneof(
          { maxDepth: 4, depthSize: 'small' },
          one(
            path.filter((name) => name !== '$groups'),
            tie('value'),
          ),
          one(path, tie('operators')),
          one(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('condition'), { maxLength: 3 })),
          one(fc.constant('$not'), tie('condition')),
        ),
        { maxLength: 3 },
      )
      .map((parts) => Object.assign({}, ...parts)),
  }),
);

/** Not `{"$a": ...}`, which would be an unknown operator. */
function isLiteral(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const names = Object.keys(value);
  return names.length === 0 || names.some((name) => !name.startsWith('$'));
}
