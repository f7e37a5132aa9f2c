/** The operators that test one attribute, their labels, and the kind of value that each takes. */

/**
 * - `plain`: any JSON value; `list`: some values; `version`, `pattern`: a text;
 * - `presence`: true or false; `type`: the name of a type; `json`: what has no input of its own.
 */
export type OperandKind =
  | 'plain'
  | 'list'
  | 'version'
  | 'pattern'
  | 'presence'
  | 'type'
  | 'size'
  | 'json';

export interface ConditionOperator {
  /** As in the JSON; `is` stands for a value that is given plainly. */
  readonly name: string;
  readonly label: string;
  readonly kind: OperandKind;
}

/** The value stands plainly: `{"country": "DE"}`. */
export const plainOperator = 'is';

export interface OperatorGroup {
  readonly label: string;
  readonly operators: readonly ConditionOperator[];
}

export const operatorGroups: readonly OperatorGroup[] = [
  {
    label: 'Value',
    operators: [
      { name: plainOperator, label: 'is', kind: 'plain' },
      { name: '$eq', label: 'is exactly', kind: 'plain' },
      { name: '$ne', label: 'is not', kind: 'plain' },
      { name: '$gt', label: 'is above', kind: 'plain' },
      { name: '$gte', label: 'is at least', kind: 'plain' },
      { name: '$lt', label: 'is below', kind: 'plain' },
      { name: '$lte', label: 'is at most', kind: 'plain' },
    ],
  },
  {
    label: 'One of several',
    operators: [
      { name: '$in', label: 'is one of', kind: 'list' },
      { name: '$nin', label: 'is none of', kind: 'list' },
      { name: '$ini', label: 'is one of (ignore case)', kind: 'list' },
      { name: '$nini', label: 'is none of (ignore case)', kind: 'list' },
    ],
  },
  {
    label: 'Version',
    operators: [
      { name: '$vgte', label: 'version ≥', kind: 'version' },
      { name: '$vgt', label: 'version >', kind: 'version' },
      { name: '$vlte', label: 'version ≤', kind: 'version' },
      { name: '$vlt', label: 'version <', kind: 'version' },
      { name: '$veq', label: 'version is', kind: 'version' },
      { name: '$vne', label: 'version is not', kind: 'version' },
    ],
  },
  {
    label: 'Text',
    operators: [
      { name: '$regex', label: 'matches', kind: 'pattern' },
      { name: '$regexi', label: 'matches (ignore case)', kind: 'pattern' },
      { name: '$notRegex', label: 'does not match', kind: 'pattern' },
      { name: '$notRegexi', label: 'does not match (ignore case)', kind: 'pattern' },
    ],
  },
  {
    label: 'Presence and type',
    operators: [
      { name: '$exists', label: 'exists', kind: 'presence' },
      { name: '$type', label: 'is of the type', kind: 'type' },
    ],
  },
  {
    label: 'Lists',
    operators: [
      { name: '$all', label: 'has all of', kind: 'list' },
      { name: '$alli', label: 'has all of (ignore case)', kind: 'list' },
      { name: '$size', label: 'has the size', kind: 'size' },
      { name: '$elemMatch', label: 'has an element with', kind: 'json' },
      { name: '$not', label: 'is not any of…', kind: 'json' },
    ],
  },
];

const byName: ReadonlyMap<string, ConditionOperator> = new Map(
  operatorGroups.flatMap(({ operators }) => operators.map((one) => [one.name, one] as const)),
);

export function operatorOf(name: string): ConditionOperator | undefined {
  return byName.get(name);
}

/** The types that `$type` can ask for. */
export const typeNames = ['string', 'number', 'boolean', 'array', 'object', 'null'] as const;

/** What the server knows about every player, besides the attributes that the game sends. */
export const playerFields: readonly {
  readonly name: string;
  /** Where it is shown by itself. */
  readonly title: string;
  readonly label: string;
  /** What people call it, in lower case. */
  readonly words: readonly string[];
}[] = [
  { name: '@u', title: 'User id', label: 'user id', words: ['user id', 'player id'] },
  { name: '@v', title: 'App version', label: 'app version', words: ['app version', 'version'] },
  { name: '@mod', title: 'Bucket', label: 'bucket, 0 to 999', words: ['group', 'bucket'] },
];
