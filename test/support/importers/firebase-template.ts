/** Random Remote Config templates by the schema, twice: as an export that is imported, and as firebase-admin evaluates it. */
import { seededRandom } from '../seeded-random.js';

type Condition = Readonly<Record<string, unknown>>;

interface Test {
  readonly expression: string;
  readonly condition: Condition;
}

export interface TwinTemplates {
  /** Conditions as expressions, or as objects where they join by "or". */
  readonly exported: string;
  readonly evaluated: string;
  readonly parameters: readonly string[];
}

const strings = ['gold', 'silver', 'a.b', '(x)', '5', 'Gold', ''];
const numbers = [0, 5, -2, 3.99, 10];
const versions = ['1.2.0', '1.10.0', '2.0.0', '0.0.1'];

/** Attributes of players: what conditions read, absent, in another type, or no number at all. */
export const firebasePlayers: readonly Readonly<Record<string, string | number>>[] = [
  ...[undefined, ...strings, 'golden', 'xa.bx', 5].flatMap((tier) =>
    [undefined, 0, 5, '5', 'abc', 3.99, -7, 12].map((level) => ({ tier, level })),
  ),
  ...[undefined, ...versions, '1.2.1', '10.0.0'].map((client) => ({ client, level: 5 })),
].map((player) => JSON.parse(JSON.stringify(player)));

export function twinTemplates(seed: number): TwinTemplates {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const some = <T>(list: readonly T[]): T[] => {
    const chosen = list.filter(() => random() < 0.3);
    return chosen.length === 0 ? [pick(list)] : chosen;
  };
  const makers = [
    () => text(pick(['exactlyMatches', 'contains', 'notContains']), some(strings)),
    () => text('matches', [pick(['^g', 'l.*r$', '[0-9]', 'o|x'])]),
    () => numeric(pick(Object.keys(numericOperators)), pick(numbers)),
    () => version(pick(Object.keys(versionOperators)), pick(versions)),
    () => constant(random() < 0.7),
  ];
  const all = (): Test[] =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(makers)());
  const conditions = Array.from({ length: 12 }, (_, index) => {
    const [one, other] = [all(), all()];
    const name = `condition ${index}`;
    const joined = { andCondition: { conditions: one.map(({ condition }) => condition) } };
    if (random() < 0.6) {
      const expression = one.map((test) => test.expression).join(' && ');
      return { name, exported: { name, expression }, condition: joined };
    }
    const second = { andCondition: { conditions: other.map(({ condition }) => condition) } };
    const condition = { orCondition: { conditions: [joined, second] } };
    return { name, exported: { name, condition }, condition };
  });
  const names = conditions.map(({ name }) => name);
  const parameters = Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => {
      const value = (): Condition =>
        random() < 0.2
          ? { useInAppDefault: true }
          : { value: `value ${Math.floor(random() * 1e6)}` };
      const conditionalValues = Object.fromEntries(some(names).map((name) => [name, value()]));
      const parameter =
        random() < 0.9 ? { defaultValue: value(), conditionalValues } : { conditionalValues };
      return [`parameter_${index}`, parameter];
    }),
  );
  const exported = conditions.map((condition) => condition.exported);
  const evaluated = conditions.map(({ name, condition }) => ({ name, condition }));
  return {
    exported: JSON.stringify({ conditions: exported, parameters, etag: 'e' }),
    evaluated: JSON.stringify({ conditions: evaluated, parameters, etag: 'e' }),
    parameters: Object.keys(parameters),
  };
}

const textOperators: Readonly<Record<string, string>> = {
  exactlyMatches: 'STRING_EXACTLY_MATCHES',
  contains: 'STRING_CONTAINS',
  notContains: 'STRING_DOES_NOT_CONTAIN',
  matches: 'STRING_CONTAINS_REGEX',
};
const numericOperators: Readonly<Record<string, string>> = {
  '<': 'NUMERIC_LESS_THAN',
  '<=': 'NUMERIC_LESS_EQUAL',
  '==': 'NUMERIC_EQUAL',
  '!=': 'NUMERIC_NOT_EQUAL',
  '>': 'NUMERIC_GREATER_THAN',
  '>=': 'NUMERIC_GREATER_EQUAL',
};
const versionOperators: Readonly<Record<string, string>> = {
  '<': 'SEMANTIC_VERSION_LESS_THAN',
  '<=': 'SEMANTIC_VERSION_LESS_EQUAL',
  '==': 'SEMANTIC_VERSION_EQUAL',
  '!=': 'SEMANTIC_VERSION_NOT_EQUAL',
  '>': 'SEMANTIC_VERSION_GREATER_THAN',
  '>=': 'SEMANTIC_VERSION_GREATER_EQUAL',
};

function signal(key: string, operator: string | undefined, targets: readonly string[]): Condition {
  return {
    customSignal: {
      customSignalOperator: operator,
      customSignalKey: key,
      targetCustomSignalValues: targets,
    },
  };
}

function text(operator: string, targets: readonly string[]): Test {
  const list = targets.map((target) => `'${target}'`).join(', ');
  return {
    expression: `app.customSignal['tier'].${operator}([${list}])`,
    condition: signal('tier', textOperators[operator], targets),
  };
}

function numeric(operator: string, target: number): Test {
  return {
    expression: `app.customSignal['level'] ${operator} ${target}`,
    condition: signal('level', numericOperators[operator], [String(target)]),
  };
}

function version(operator: string, target: string): Test {
  return {
    expression: `app.customSignal['client'].${operator}(['${target}'])`,
    condition: signal('client', versionOperators[operator], [target]),
  };
}

function constant(value: boolean): Test {
  return { expression: String(value), condition: { [String(value)]: {} } };
}
