/**
 * JSON Schemas of a mapping (the targeting rules of a content) for the OpenAPI document. They describe and do not check:
 * `parseMapping` reads the bytes that were sent. What JSON Schema cannot say is left out: that variants share no bucket or name, that `until`
 * is after `from` and has a zone like it, and whether a mutation applies.
 */
import { bucketCount } from '../../../content/bucket.js';
import {
  infoLengthMax,
  mappingRulesMax,
  nameLengthMax,
  repeatPlusDaysMax,
  repeatWeeksMax,
  ruleVariantsMax,
  saltLengthMax,
} from '../../../content/mapping/mapping-limits.js';
import { weekdays } from '../../../content/mapping/window.js';
import { conditionSchemas } from './condition-schemas.js';

const bucket = { type: 'integer', minimum: 0, maximum: bucketCount - 1 };
const pointer = {
  type: 'string',
  pattern: '^(?:/(?:[^/~]|~[01])*)*$',
  description: 'JSON Pointer (RFC 6901).',
};
const dateTime = '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?';
const end = {
  type: 'string',
  anyOf: [
    { format: 'date-time', pattern: `${dateTime}(?:[Zz]|[+-]\\d{2}:\\d{2})$` },
    { pattern: `${dateTime}$` },
  ],
};
const timeOfDay = { type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' };
const info = {
  type: 'string',
  maxLength: infoLengthMax,
  description: "Reported as `i` in `meta.seg`; a variant's own comes before its rule's.",
};
const name = { type: 'string', minLength: 1, maxLength: nameLengthMax };

const mutations = {
  merge: { description: 'JSON Merge Patch (RFC 7396).' },
  patch: {
    type: 'array',
    description: 'JSON Patch (RFC 6902): all operations apply, or none does.',
    items: { $ref: '#/components/schemas/JsonPatchOperation' },
  },
  replace: { description: 'The whole new content.' },
};

/** Each of these members excludes the others. */
function excluding(...members: readonly string[]): object {
  const others = (member: string) => members.filter((other) => other !== member);
  return Object.fromEntries(
    members.map((member) => [member, { propertyNames: { not: { enum: others(member) } } }]),
  );
}

function operation(ops: readonly string[], members: object, required: readonly string[]): object {
  return {
    type: 'object',
    properties: { op: { type: 'string', enum: ops }, ...members },
    required: ['op', ...required],
    additionalProperties: true,
  };
}

/** Components of the document, by name. */
export const mappingSchemas = {
  TargetingRules: {
    type: 'array',
    description:
      'The targeting rules of a content. All rules that apply take effect, in order, each on the result of those before it. Kept byte for byte. See docs/targeting.md.',
    maxItems: mappingRulesMax,
    items: { $ref: '#/components/schemas/TargetingRule' },
  },
  TargetingRule: {
    type: 'object',
    description:
      'Changes the content for some players: by at most one of `merge`, `patch` and `replace`, or by those of its variants.',
    required: ['segment'],
    properties: {
      segment: {
        ...name,
        description:
          'Reported as `n` in `meta.seg`; without `when`, the saved segment that decides.',
      },
      when: { $ref: '#/components/schemas/Condition' },
      info,
      from: {
        ...end,
        description:
          'The rule is open from this moment on: RFC 3339 with a zone, or without one for the local time of the player (`p.utcOffset`).',
      },
      until: {
        ...end,
        description:
          'The rule is closed from this moment on: with a zone exactly if `from` has one.',
      },
      repeat: { $ref: '#/components/schemas/TargetingRepeat' },
      salt: {
        type: ['string', 'null'],
        maxLength: saltLengthMax,
        description: 'Assigns players to buckets for this rule alone; null or absent: `meta.mod`.',
      },
      layer: {
        ...name,
        description:
          'A layer of the environment: only players in the `slice` of its buckets take part, none without `u`. Needs `slice` and a `salt` of its own.',
      },
      slice: {
        type: 'array',
        minItems: 2,
        maxItems: 2,
        items: bucket,
        description: 'First and last bucket of the layer, both included.',
      },
      holdout: {
        type: 'boolean',
        description:
          'Players of the environment’s holdout take no part. Default: true with `layer`.',
      },
      variants: {
        type: 'array',
        minItems: 1,
        maxItems: ruleVariantsMax,
        description: 'The arms of an A/B test; no two share a name or a bucket.',
        items: { $ref: '#/components/schemas/TargetingVariant' },
      },
      ...mutations,
    },
    dependentSchemas: excluding('merge', 'patch', 'replace', 'variants'),
    dependentRequired: { layer: ['slice', 'salt'], slice: ['layer'] },
    additionalProperties: false,
    examples: [
      {
        segment: 'price-test',
        when: { '@u': { $ne: '' } },
        from: '2026-11-01T00:00:00Z',
        salt: 'price-2026-11',
        variants: [
          { name: 'control', groups: [0, 499] },
          { name: 'low', groups: [500, 999], merge: { price: 7.99 } },
        ],
      },
    ],
  },
  TargetingRepeat: {
    type: 'object',
    description:
      'Between `from` and `until` the rule is open only during these occurrences, on the clock of `from` (else of `until`; without both, of the player).',
    required: ['days', 'from', 'until'],
    properties: {
      days: {
        type: 'array',
        minItems: 1,
        uniqueItems: true,
        description: 'The days on which an occurrence starts.',
        items: { type: 'string', enum: weekdays },
      },
      from: { ...timeOfDay, description: 'Its start, as HH:MM.' },
      until: {
        ...timeOfDay,
        description: 'Its end; not after `from`: on the next day, or later by `plusDays`.',
      },
      plusDays: {
        type: 'integer',
        minimum: 0,
        maximum: repeatPlusDaysMax,
        description:
          'The end is so many days after the day of the start. Default: 0 where `until` is after `from`, else 1.',
      },
      everyWeeks: {
        type: 'integer',
        minimum: 1,
        maximum: repeatWeeksMax,
        description:
          "Only in each n-th week, Monday to Sunday, counted from the week of the rule's `from`, which is required then. Default: 1, every week.",
      },
    },
    additionalProperties: false,
    examples: [{ days: ['fri'], from: '18:00', until: '10:00', plusDays: 3, everyWeeks: 2 }],
  },
  TargetingVariant: {
    type: 'object',
    description: 'One arm of an A/B test. Without a mutation it is a control.',
    required: ['name', 'groups'],
    properties: {
      name: { ...name, description: 'Reported as `v` in `meta.seg`.' },
      groups: {
        type: 'array',
        minItems: 2,
        maxItems: 2,
        items: bucket,
        description: 'First and last bucket, both included.',
      },
      info,
      ...mutations,
    },
    dependentSchemas: excluding('merge', 'patch', 'replace'),
    additionalProperties: false,
  },
  JsonPatchOperation: {
    description: 'An operation of a JSON Patch. Members that RFC 6902 does not define are ignored.',
    anyOf: [
      operation(['add', 'replace', 'test'], { path: pointer, value: {} }, ['path', 'value']),
      operation(['remove'], { path: { ...pointer, minLength: 1 } }, ['path']),
      operation(['move', 'copy'], { path: pointer, from: pointer }, ['path', 'from']),
    ],
  },
  ...conditionSchemas,
} as const;
