/** Random features and segments of Unleash by the schema of its SDKs, and contexts to evaluate them for. */
import { seededRandom } from '../seeded-random.js';

type Json = Readonly<Record<string, unknown>>;

export interface UnleashData {
  readonly version: number;
  readonly features: readonly (Json & { readonly name: string })[];
  readonly segments: readonly Json[];
}

export interface UnleashUser {
  readonly userId?: string;
  readonly properties: Readonly<Record<string, string>>;
}

const ids = ['ada', 'bo', 'cy'];

export const unleashUsers: readonly UnleashUser[] = [undefined, ...ids].flatMap((userId) =>
  [
    {},
    { country: 'US', level: '5', version: '1.2.0' },
    { country: 'us', level: '12.5', tier: 'gold.x' },
    { country: 'xUSx', level: 'abc', version: '2.0.0', tier: 'Gold' },
    { country: 'PL', level: '-1', version: '1.10.3', tier: '' },
    { country: '', level: '0', version: 'none', tier: 'silver' },
  ].map((properties) => JSON.parse(JSON.stringify({ userId, properties }))),
);

export function randomFeatures(seed: number): UnleashData {
  const random = seededRandom(seed);
  const below = (max: number): number => Math.floor(random() * max);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = <T>(list: readonly T[]): T[] => list.filter(() => random() < 0.4);
  const several = <T>(max: number, make: (index: number) => T): T[] =>
    Array.from({ length: below(max + 1) }, (_, index) => make(index));
  const makers: (() => Json)[] = [
    () => ({
      contextName: 'country',
      operator: pick(['IN', 'NOT_IN']),
      values: some(['US', 'PL', '', ' us ']),
    }),
    () => ({
      contextName: pick(['country', 'tier']),
      operator: pick(['STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH']),
      values: some(['US', 'x', 'go', '.x']),
      caseInsensitive: random() < 0.5,
    }),
    () => ({
      contextName: 'tier',
      operator: 'REGEX',
      value: pick(['^g', '[.]x$', 'o|i', '^$']),
      caseInsensitive: random() < 0.5,
    }),
    () => ({
      contextName: 'level',
      operator: pick(['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE']),
      value: pick(['5', '0', '12.5']),
    }),
    () => ({ contextName: 'level', operator: 'IN', values: some(['5', '0', 'abc']) }),
    () => ({
      contextName: 'version',
      operator: pick(['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE']),
      value: pick(['1.2.0', '1.9.9', '2.0.0']),
    }),
    () => ({ contextName: 'userId', operator: pick(['IN', 'NOT_IN']), values: some(ids) }),
    () => ({
      contextName: 'currentTime',
      operator: pick(['DATE_AFTER', 'DATE_BEFORE']),
      value: pick(['2020-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z']),
    }),
  ];
  const constraint = (): Json => ({ inverted: random() < 0.25, ...pick(makers)() });
  const segments = [1, 2, 3].map((id) => ({
    id,
    name: `segment ${id}`,
    constraints: several(2, constraint),
  }));
  const variant = (name: string, weight: number): Json => ({
    name,
    weight,
    weightType: 'variable',
    stickiness: 'default',
    ...pick([
      {},
      { payload: { type: 'string', value: name } },
      { payload: { type: 'json', value: '{"a":[1]}' } },
      { payload: { type: 'number', value: '1.5' } },
    ]),
  });
  /** One has all the weight: who gets which of two is another question. */
  const variants = (): Json[] =>
    random() < 0.6 ? [] : [variant('none', 0), variant('all', 1000), variant('no', 0)];
  const strategy = (): Json => ({
    ...pick([
      { name: 'default', parameters: {} },
      { name: 'userWithId', parameters: { userIds: some(ids).join(', ') } },
      {
        name: 'flexibleRollout',
        parameters: {
          rollout: pick(['100', '100', '0']),
          stickiness: pick(['default', 'userId', 'tier']),
          groupId: 'g',
        },
      },
    ]),
    constraints: several(2, constraint),
    segments: random() < 0.4 ? some([1, 2, 3, 9]) : [],
    variants: variants(),
  });
  const features = Array.from({ length: 25 }, (_, index) => ({
    name: `feature-${index}`,
    enabled: random() < 0.85,
    strategies: several(3, strategy),
    variants: variants(),
    dependencies:
      index > 0 && random() < 0.2
        ? [{ feature: `feature-${below(index)}`, enabled: random() < 0.6 }]
        : [],
  }));
  return { version: 2, features, segments };
}
