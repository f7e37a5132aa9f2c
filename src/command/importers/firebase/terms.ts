/** Single tests of Firebase as what Loadout has for them: conditions, shares of players, and windows. */

import {
  allOf,
  anyOf,
  type Condition,
  not,
  patternsOf,
  present,
  textIsIn,
  textMatches,
} from '../conditions.js';
import { attributeOf } from './elements.js';
import type { Atom } from './expression.js';
import { instantOf } from './instant.js';

/** Why a test cannot be carried over. */
export interface NoTerm {
  readonly kind: 'none';
  readonly reason: string;
}

export type Term =
  | {
      readonly kind: 'when';
      readonly when: Condition;
      /** How it differs from Firebase's; null: in nothing. */
      readonly differs: string | null;
    }
  | {
      /** The players of buckets first to last; an empty range admits nobody. */
      readonly kind: 'share';
      readonly seed: string | null;
      readonly first: number;
      readonly last: number;
      readonly isRounded: boolean;
    }
  | { readonly kind: 'window'; readonly fromMs: number | null; readonly untilMs: number | null }
  | NoTerm;

const bucketsPerPercent = 10;
const lastBucket = 999;
const versionParts = /^\d{1,9}(?:\.\d{1,9}){0,2}$/;
const wholeVersion = /^\d+\.\d+\.\d+$/;
const wholeNumber = /^\d{1,15}$/;

const versionOperators: Readonly<Record<string, string>> = {
  'version ==': '$veq',
  'version !=': '$vne',
  'version <': '$vlt',
  'version <=': '$vlte',
  'version >': '$vgt',
  'version >=': '$vgte',
};
const orders: Readonly<Record<string, string>> = {
  '<': '$lt',
  '<=': '$lte',
  '>': '$gt',
  '>=': '$gte',
};

const toThreeParts = 'versions are compared as X.Y.Z: the game has to send all three parts';

export function termOf(atom: Atom): Term {
  if (atom.element === 'percent') return shareOf(atom);
  if (atom.element === 'dateTime' || atom.element === 'device.dateTime') return windowOf(atom);
  const attribute = attributeOf(atom);
  if (attribute === null) return none(`${atom.element} is known to Firebase only`);
  if (atom.element.endsWith('firstOpenTimestamp')) return firstOpenTerm(attribute.path, atom);
  return testOf(attribute.path, atom);
}

function none(reason: string): NoTerm {
  return { kind: 'none', reason };
}

function exact(when: Condition, differs: string | null = null): Term {
  return { kind: 'when', when, differs };
}

function testOf(path: string, atom: Atom): Term {
  const { operator, values } = atom;
  const texts = values.map(String);
  const { [operator]: version } = versionOperators;
  if (version !== undefined) return versionTerm(path, version, operator, texts);
  switch (operator) {
    case 'in':
    case 'exactlyMatches': {
      const trimmed = texts.map((text) => text.trim());
      const isOdd = path === '@v' && !trimmed.every((text) => wholeVersion.test(text));
      return exact(
        textIsIn(path, trimmed),
        isOdd ? 'the game sends versions of three parts, so others never match' : null,
      );
    }
    case 'contains':
      return exact(textMatches(path, patternsOf(texts)));
    case 'notContains':
      return exact(allOf([not(textMatches(path, patternsOf(texts))), present(path)]));
    case 'matches':
      return exact(textMatches(path, texts));
    default:
      return comparison(path, operator, values);
  }
}

function comparison(path: string, operator: string, values: Atom['values']): Term {
  const [value] = values;
  if (value === undefined || values.length > 1) return none(`${operator} takes one value`);
  const number = Number(value);
  const isText = typeof value === 'string' && (value.trim() === '' || Number.isNaN(number));
  if (operator === '==' && isText) return exact(textIsIn(path, [value]));
  if (operator === '!=' && isText)
    return exact(allOf([not(textIsIn(path, [value])), present(path)]));
  if (Number.isNaN(number)) return none(`${operator} compares with ${value}, which is no number`);
  const { [operator]: order } = orders;
  if (order !== undefined) return exact({ [path]: { $exists: true, [order]: number } });
  // Not `$eq` and `$ne`, which do not take a number that was sent as text; what is no number is neither less nor greater.
  if (operator === '==') return exact({ [path]: { $exists: true, $gte: number, $lte: number } });
  if (operator === '!=') {
    return exact(
      allOf([anyOf([{ [path]: { $lt: number } }, { [path]: { $gt: number } }]), present(path)]),
    );
  }
  return none(`${operator} is no operator that this converter knows`);
}

function versionTerm(path: string, operator: string, sign: string, texts: readonly string[]): Term {
  const [target] = texts;
  if (target === undefined || texts.length > 1) return none(`${sign} takes one version`);
  // Builds are single numbers on Android.
  if (path === 'appBuild' && wholeNumber.test(target)) {
    return comparison(path, sign.slice('version '.length), [Number(target)]);
  }
  if (!versionParts.test(target)) return none(`${target} is no version of up to three numbers`);
  const parts = target.split('.');
  const whole = [...parts, '0', '0'].slice(0, 3).map(Number).join('.');
  if (path === '@v') return exact({ '@v': { [operator]: whole } });
  return exact({ [path]: { $exists: true, [operator]: whole } }, toThreeParts);
}

/** Buckets are a thousandth of the players each; Firebase counts millionths of a percent. */
function shareOf({ operator, values, key }: Atom): Term {
  const [low = 0, high = 0] = values.map(Number);
  const bounds: Readonly<Record<string, readonly [number, number]>> = {
    '<=': [0, low],
    '<': [0, low],
    '>': [low, 100],
    '>=': [low, 100],
    between: [low, high],
  };
  const range = bounds[operator];
  if (range === undefined || range.some((bound) => Number.isNaN(bound))) {
    return none(`percent ${operator} cannot be read`);
  }
  const [from, to] = range.map((bound) => bound * bucketsPerPercent) as [number, number];
  const first = Math.max(0, Math.round(from));
  const last = Math.min(lastBucket, Math.round(to) - 1);
  const isRounded =
    Math.abs(from - Math.round(from)) > 1e-9 || Math.abs(to - Math.round(to)) > 1e-9;
  return { kind: 'share', seed: key, first, last, isRounded };
}

/** Windows include their beginning and not their end; a millisecond is the server's step. */
function windowOf({ operator, values }: Atom): Term {
  const at = instantOf(values);
  if (at === null) return none(`${values.join(', ')} is no point in time`);
  switch (operator) {
    case '<':
      return { kind: 'window', fromMs: null, untilMs: at };
    case '<=':
      return { kind: 'window', fromMs: null, untilMs: at + 1 };
    case '>':
      return { kind: 'window', fromMs: at + 1, untilMs: null };
    case '>=':
      return { kind: 'window', fromMs: at, untilMs: null };
    default:
      return none(`dateTime ${operator} cannot be read`);
  }
}

function firstOpenTerm(path: string, { operator, values }: Atom): Term {
  const at = instantOf(values);
  const { [operator]: order } = orders;
  if (at === null || order === undefined)
    return none(`${operator} ${values.join(', ')} is no comparison of times`);
  return exact({ [path]: { $exists: true, [order]: at } });
}
