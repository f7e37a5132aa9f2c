/**
 * JSON Schemas of conditions for the OpenAPI document. They describe and do not validate: the server compiles conditions,
 * which gives better messages. They accept what the compiler accepts, and reject what it rejects as far as JSON Schema can
 * say it (not levels, counts and the syntax of patterns).
 */
import { operatorNames } from '../../../content/condition/condition-grammar.js';
import {
  conditionPathLengthMax,
  patternLengthMax,
} from '../../../content/condition/condition-limits.js';

const condition = { $ref: '#/components/schemas/Condition' };
const value = { $ref: '#/components/schemas/ConditionValue' };
const operators = { $ref: '#/components/schemas/ConditionOperators' };

/** `$not` stands on values as well. */
const joins: ReadonlySet<string> = new Set(['$and', '$or', '$nor']);
const onValues = [...operatorNames].filter((name) => !joins.has(name));
const onlyOnValues = onValues.filter((name) => name !== '$not');

const scalar = { type: ['string', 'number', 'boolean', 'null'] };
const conditions = { type: 'array', items: condition };

function described(schema: object, description: string): object {
  return { ...schema, description };
}

/** An operand of another type is accepted, often with a warning: saved conditions may have it. */
function normally(schema: object, description: string, other: object = {}): object {
  const odd = { ...other, description: 'Accepted, but it hardly says what is meant.' };
  return { description, anyOf: [schema, odd] };
}

const comparable = (description: string) => normally({ type: ['number', 'string'] }, description);
const list = (description: string) => normally({ type: 'array', items: scalar }, description);
/** The entries of a list are compiled, so an odd operand is no list. */
const values = (description: string) =>
  normally({ type: 'array', items: value }, description, {
    type: ['string', 'number', 'boolean', 'null', 'object'],
  });
const version = (description: string) => normally({ type: 'string' }, description);
const patternText = { type: 'string', maxLength: patternLengthMax };

/** Each operator that tests one value, with its operand. */
const operands: Readonly<Record<string, object>> = {
  $eq: normally(scalar, 'Is this value, without conversion.'),
  $ne: normally(scalar, 'Is not this value, without conversion; holds when absent.'),
  $lt: comparable('Is less. Two texts compare as texts, else both as numbers; absent is 0.'),
  $lte: comparable('Is at most this.'),
  $gt: comparable('Is greater.'),
  $gte: comparable('Is at least this.'),
  $in: list('Is one of these; of a list, any element is.'),
  $nin: list('Is none of these; holds when absent.'),
  $ini: list('Like $in, without case.'),
  $nini: list('Like $nin, without case.'),
  $all: values('Is a list in which each of these matches some element.'),
  $alli: values('Like $all, without case.'),
  $size: described(value, 'Is a list whose length matches.'),
  $elemMatch: described(
    { anyOf: [operators, condition] },
    'Is a list with an element that matches: operators test it, a condition tests its members.',
  ),
  $exists: normally({ type: 'boolean' }, 'Is (not) present; null counts as absent.'),
  $type: normally(
    { type: 'string', enum: ['string', 'number', 'boolean', 'array', 'object', 'null'] },
    'Is of this type.',
  ),
  $regex: normally(patternText, 'Its text contains a match (RE2 syntax).'),
  $regexi: normally(patternText, 'Like $regex, without case.'),
  $notRegex: described(patternText, 'Its text contains no match.'),
  $notRegexi: described(patternText, 'Like $notRegex, without case.'),
  $veq: version('Is this version.'),
  $vne: version('Is another version.'),
  $vgt: version('Is a later version.'),
  $vgte: version('Is this version or later.'),
  $vlt: version('Is an earlier version.'),
  $vlte: version('Is this version or earlier.'),
  $not: described(value, 'What it negates does not hold.'),
};

export const conditionSchemas = {
  Condition: {
    type: 'object',
    description:
      'Which players a rule or segment is for: a query in the style of MongoDB, all of whose members must hold. `{}` admits everyone. Attributes are named by themselves or by a dotted path; `@u`, `@v` and `@mod` are the user id, the app version and the bucket. See docs/targeting.md.',
    propertyNames: {
      maxLength: conditionPathLengthMax,
      not: { anyOf: [{ enum: onlyOnValues }, { pattern: '^@(?:u|v|mod)\\.' }] },
    },
    properties: {
      $and: described(conditions, 'All hold.'),
      $or: described(conditions, 'At least one holds, or the list is empty.'),
      $nor: described(conditions, '$or of the same list does not hold.'),
      $not: { ...condition, description: 'The condition does not hold.' },
      '@u': { ...value, description: 'The user id; "" without one.' },
      '@v': { ...value, description: 'The app version; no comparison holds without one.' },
      '@mod': { ...value, description: 'The bucket, 0 to 999.' },
    },
    patternProperties: {
      '^(?!\\$)(?!@(?:u|v|mod)$)': value,
      // An attribute whose name begins with `$` must be tested with operators, so that a misspelt operator is not taken for one.
      '^\\$(?!(?:and|or|nor|not)$)': operators,
    },
    additionalProperties: true,
    examples: [{ country: { $in: ['US', 'CA'] }, level: { $gte: 10 }, '@v': { $vgte: '1.4.0' } }],
  },
  ConditionValue: {
    description:
      'What one attribute must be: operators, all of which must hold, or a plain value. A plain text, number or boolean converts the attribute to its own type; null is absence; lists and objects compare as JSON.',
    anyOf: [
      scalar,
      { type: 'array', items: {} },
      operators,
      {
        type: 'object',
        description: 'Any JSON object that has no operator as a member.',
        propertyNames: { not: { enum: onValues } },
        anyOf: [{ maxProperties: 0 }, { not: { propertyNames: { pattern: '^\\$' } } }],
        additionalProperties: true,
      },
    ],
  },
  ConditionOperators: {
    type: 'object',
    description: 'Tests of one value, all of which must hold.',
    minProperties: 1,
    properties: operands,
    additionalProperties: false,
  },
} as const;
