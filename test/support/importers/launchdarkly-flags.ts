/** Random flags and segments of LaunchDarkly by the schema of its SDKs, and contexts to evaluate them for. */
import { seededRandom } from '../seeded-random.js';

type Json = Readonly<Record<string, unknown>>;

export interface SdkData {
  readonly flags: Readonly<Record<string, Json>>;
  readonly segments: Readonly<Record<string, Json>>;
}

export interface LaunchDarklyUser {
  readonly user: Json & { readonly key: string };
  readonly device: (Json & { readonly key: string }) | null;
}

const countries = ['US', 'CA', 'PL', ''];
const keys = ['ada', 'bo', 'cy', 'a.b'];

export const launchDarklyUsers: readonly LaunchDarklyUser[] = keys.flatMap((key, at) =>
  [
    {},
    { country: 'US', level: 5, beta: true, version: '1.2.0' },
    { country: 'PL', level: 12.5, tags: ['vip', 'new'], seen: 1_700_000_000_000 },
    { country: ['CA', 'US'], level: '5', tags: [], version: '2.0.0', anonymous: true },
    { country: 'xUSx', level: [1, 9], beta: false, version: '1.10.3', address: { city: 'Oslo' } },
    { country: 5, tags: 'vip', seen: 10, version: 'none', anonymous: false },
  ].map((attributes, index) => ({
    user: { key, ...attributes },
    device: (at + index) % 2 === 0 ? null : { key: `d${index}`, os: index > 2 ? 'ios' : 'android' },
  })),
);

export function randomFlags(seed: number): SdkData {
  const random = seededRandom(seed);
  const below = (max: number): number => Math.floor(random() * max);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = <T>(list: readonly T[]): T[] => {
    const chosen = list.filter(() => random() < 0.4);
    return chosen.length === 0 ? [pick(list)] : chosen;
  };
  const several = <T>(max: number, make: (index: number) => T): T[] =>
    Array.from({ length: below(max + 1) }, (_, index) => make(index));
  const makers: (() => Json)[] = [
    () => ({ attribute: 'country', op: 'in', values: some([...countries, 5]) }),
    () => ({
      attribute: 'country',
      op: pick(['contains', 'startsWith', 'endsWith']),
      values: some(['U', 'S', 'x', 'L']),
    }),
    () => ({ attribute: 'country', op: 'matches', values: some(['^U', 'S$', '^$', '[PC]']) }),
    () => ({
      attribute: 'level',
      op: pick(['lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual']),
      values: some([5, 9, 12.5]),
    }),
    () => ({ attribute: 'level', op: 'in', values: some([5, '5', 1]) }),
    () => ({ attribute: 'tags', op: pick(['in', 'contains']), values: some(['vip', 'new', 'ne']) }),
    () => ({ attribute: 'beta', op: 'in', values: some([true, false]) }),
    () => ({ attribute: 'anonymous', op: 'in', values: some([true, false]) }),
    () => ({
      attribute: 'seen',
      op: pick(['before', 'after']),
      values: some([100, '2023-01-01T00:00:00Z']),
    }),
    () => ({
      attribute: 'version',
      op: pick(['semVerEqual', 'semVerLessThan', 'semVerGreaterThan']),
      values: some(['1.2.0', '1.10', '2']),
    }),
    () => ({
      attribute: 'key',
      op: pick(['in', 'startsWith']),
      values: some(keys),
      contextKind: 'user',
    }),
    () => ({ attribute: '/address/city', op: 'in', values: ['Oslo'], contextKind: 'user' }),
    () => ({ attribute: 'os', op: 'in', values: some(['ios', 'android']), contextKind: 'device' }),
    () => ({ op: 'segmentMatch', values: some(['s0', 's1', 's2', 'missing']), attribute: '' }),
  ];
  const clause = (isInSegment: boolean): Json => {
    const made = pick(isInSegment ? makers.slice(0, -1) : makers)();
    return random() < 0.25 ? { ...made, negate: true } : made;
  };
  const segments = Object.fromEntries(
    ['s0', 's1', 's2'].map((key) => [
      key,
      {
        key,
        version: 1,
        included: several(2, () => pick(keys)),
        excluded: several(1, () => pick(keys)),
        includedContexts: random() < 0.3 ? [{ contextKind: 'device', values: ['d1'] }] : [],
        rules: several(2, (index) => ({
          id: `r${index}`,
          clauses: [clause(true), ...several(1, () => clause(true))],
        })),
        salt: 'salt',
      },
    ]),
  );
  const flags = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => {
      const key = `flag-${index}`;
      const variations = [`${key}:a`, 2, { nested: [1, null] }, null];
      const variation = (): number => below(variations.length);
      const prerequisites =
        index > 0 && random() < 0.3
          ? [{ key: `flag-${below(index)}`, variation: variation() }]
          : [];
      const flag = {
        key,
        version: 1,
        on: random() < 0.85,
        salt: 'salt',
        variations,
        offVariation: variation(),
        fallthrough: { variation: variation() },
        prerequisites,
        targets: several(2, () => ({ variation: variation(), values: some(keys) })),
        contextTargets:
          random() < 0.2
            ? [{ contextKind: 'device', variation: variation(), values: ['d1', 'd3'] }]
            : [],
        rules: several(3, (rule) => ({
          id: `${rule}`,
          clauses: [clause(false), ...several(2, () => clause(false))],
          ...(random() < 0.2
            ? { rollout: { variations: [{ variation: variation(), weight: 100_000 }] } }
            : { variation: variation() }),
        })),
      };
      return [key, flag];
    }),
  );
  return { flags, segments };
}
