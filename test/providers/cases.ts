/**
 * One evaluation each, and what every provider makes of it. Where a provider makes something else of a right response,
 * `except` says what and why: that is how it behaves with any server.
 */
import type { Context, Evaluate } from './driver.js';
import type { ProviderName } from './providers.js';

export interface Outcome {
  /** As JSON, whatever the language writes for it. */
  readonly value?: unknown;
  /** As the language writes it. */
  readonly valueJson?: string;
  readonly reason: string;
  readonly variant: string | null;
  readonly errorCode: string | null;
}

export interface Exception {
  readonly outcome: Outcome;
  readonly why: string;
}

export interface Case {
  readonly name: string;
  readonly evaluate: Evaluate;
  readonly outcome: Outcome;
  readonly except?: Partial<Record<ProviderName, Exception>>;
}

const ada = { targetingKey: 'ada' };
const regular = { ...ada, level: 12 };

function found(value: unknown, reason = 'STATIC', variant = 'default'): Outcome {
  return { value, reason, variant, errorCode: null };
}

function failed(errorCode: string, value: unknown): Outcome {
  return { value, reason: 'ERROR', variant: null, errorCode };
}

function same(names: readonly ProviderName[], exception: Exception): Case['except'] {
  return Object.fromEntries(names.map((name) => [name, exception]));
}

function typeMismatch(value: unknown, why: string): Exception {
  return { outcome: failed('TYPE_MISMATCH', value), why };
}

function read(
  name: string,
  type: Evaluate['type'],
  key: string,
  value: unknown,
  except?: Case['except'],
): Case {
  const defaults = {
    boolean: false,
    string: 'unset',
    integer: 1,
    float: 1.5,
    object: { unset: true },
  };
  const evaluate = { type, key, default: defaults[type], context: ada };
  return { name, evaluate, outcome: found(value), ...(except === undefined ? {} : { except }) };
}

function missing(name: string, key: string, except?: Case['except']): Case {
  return {
    name,
    evaluate: { type: 'string', key, default: 'unset', context: ada },
    outcome: failed('FLAG_NOT_FOUND', 'unset'),
    ...(except === undefined ? {} : { except }),
  };
}

function price(name: string, key: string, context: Context, outcome: Outcome): Case {
  return { name, evaluate: { type: 'integer', key, default: 1, context }, outcome };
}

const strictNumbers =
  'There a number without a fraction is no float, and one with a fraction is no integer.';
const doubles = 'It reads every number as a 64-bit float.';

export const cases: readonly Case[] = [
  read('a boolean', 'boolean', 'kinds/on', true),
  read('a string', 'string', 'kinds/title', 'Æther "gold"'),
  read('an integer', 'integer', 'kinds/gems', 100),
  read('a float', 'float', 'kinds/ratio', 0.25),
  read('an object', 'object', 'kinds/starter', { price: 499, deep: [1, { a: null }] }),
  read('false', 'boolean', 'kinds/off', false),
  read('zero', 'integer', 'kinds/zero', 0),
  read('an empty string', 'string', 'kinds/empty', ''),
  {
    ...read('an integer beyond 2^53', 'integer', 'kinds/serial', null),
    outcome: { ...found(null), valueJson: '9007199254740993' },
    except: {
      ...same(['JavaScript, web', 'JavaScript, server', 'Go'], {
        outcome: { ...found(null), valueJson: '9007199254740992' },
        why: doubles,
      }),
      Java: typeMismatch(1, 'Its integers have 32 bits; read as an object, the value is exact.'),
    },
  },
  read('`5.0` as a float', 'float', 'kinds/five', 5),
  read(
    '`5.0` as an integer',
    'integer',
    'kinds/five',
    5,
    same(['Python', 'Java'], typeMismatch(1, strictNumbers)),
  ),
  read(
    '`100` as a float',
    'float',
    'kinds/gems',
    100,
    same(['Python', 'Java'], typeMismatch(1.5, strictNumbers)),
  ),

  read('a whole content', 'object', 'pair', { a: 1, b: [true] }),
  read('a whole content that is a string', 'string', 'motd', 'Welcome'),
  read('an element of an array', 'object', 'kinds/starter/deep/1', { a: null }),
  read('a name with a slash (`~1`)', 'string', 'kinds/a~1b', 'slash'),
  read('a name with a tilde (`~0`)', 'string', 'kinds/m~0n', 'tilde'),
  read('a name outside ASCII', 'string', 'kinds/größe', 'XL'),
  read('a name with a space', 'string', 'kinds/two words', 'space', {
    Java: {
      outcome: failed('GENERAL', 'unset'),
      why: 'It does not encode the key, and refuses one that is no URL.',
    },
  }),
  read('`%2F` for the slash', 'integer', 'kinds%2Fstarter%2Fprice', 499, {
    'JavaScript, web': {
      outcome: failed('FLAG_NOT_FOUND', 1),
      why: 'It looks the key up among those that the server listed.',
    },
  }),

  price('no rules: STATIC', 'kinds/gems', regular, found(100)),
  price('rules, none applied: DEFAULT', 'aimed/price', ada, found(499, 'DEFAULT')),
  price(
    'by condition: TARGETING_MATCH',
    'aimed/price',
    regular,
    found(399, 'TARGETING_MATCH', 'regulars'),
  ),
  price('by variant: SPLIT', 'tested/price', ada, found(299, 'SPLIT', 'price-test:low')),
  price('several rules', 'stacked/price', regular, found(199, 'SPLIT', 'regulars,price-test:low')),
  price(
    'no targeting key, and nothing to draw',
    'aimed/price',
    { level: 12 },
    found(399, 'TARGETING_MATCH', 'regulars'),
  ),
  price('an app version', 'lines/price', { ...ada, appVersion: '1.5.0' }, found(10)),
  price('an app version that is none', 'lines/price', { ...ada, appVersion: 'latest' }, found(20)),

  missing('no such content', 'nothing/here'),
  missing('no such name', 'kinds/absent'),
  missing('null', 'kinds/nothing'),
  missing('an array', 'kinds/list'),
  {
    name: 'a string read as a boolean',
    evaluate: { type: 'boolean', key: 'kinds/title', default: false, context: ada },
    outcome: failed('TYPE_MISMATCH', false),
  },
  {
    name: 'no targeting key, and a variant to draw',
    evaluate: { type: 'integer', key: 'tested/price', default: 1, context: {} },
    outcome: failed('TARGETING_KEY_MISSING', 1),
    except: {
      Java: {
        outcome: failed('INVALID_CONTEXT', 1),
        why: 'It reports every 400 as an invalid context.',
      },
    },
  },
  {
    name: 'a targeting key that is no string',
    evaluate: { type: 'integer', key: 'kinds/gems', default: 1, context: { targetingKey: 5 } },
    outcome: failed('INVALID_CONTEXT', 1),
    except: {
      'JavaScript, web': {
        outcome: found(100),
        why: 'It emits an error event, and keeps the flags of the context before.',
      },
    },
  },
];
