/** Promises of the visual builder's tree: nothing is lost on the way from a condition's source and back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConditionGroup,
  type ConditionNode,
  countRules,
  isFault,
  readCondition,
  writeCondition,
} from '../../../../src/console/conditions/condition-query.js';
import { compileCondition } from '../../../../src/content/condition/condition.js';

/** JSON text without the white space between its tokens: what two spellings of one text have in common. */
function squeeze(json: string): string {
  return json.replace(betweenTokens, (token) => (token.startsWith('"') ? token : ''));
}
const betweenTokens = /"(?:[^"\\]|\\.)*"|\s+/g;

function query(source: string): ConditionGroup {
  const read = readCondition(source);
  if (isFault(read)) throw new Error(read.message);
  return read;
}

function through(source: string): string {
  return squeeze(writeCondition(query(source)));
}

const number = fc.constantFrom('0', '-1', '1.10', '12345678901234567890', '1e400', '0.1E-7');
const text = fc.oneof(fc.constantFrom('"US"', '"\\u0041\\/b"', '"1.4.0"'), fc.string().map(quote));
const scalar = fc.oneof(number, text, fc.constantFrom('true', 'false', 'null'));
const list = fc.array(scalar, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`);
const name = fc.constantFrom('country', 'level', '@u', '@v', '@mod', 'a.b', '__proto__', '1', '');
const plainName = fc.constantFrom('x', 'y', 'constructor');

function quote(value: string): string {
  return JSON.stringify(value);
}

/** Members of an object; names may repeat, as they may in JSON. */
function object(
  names: fc.Arbitrary<string>,
  values: fc.Arbitrary<string>,
  minLength = 0,
): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(names, values), { minLength, maxLength: 3 })
    .map((members) => `{${members.map(([key, value]) => `${quote(key)}: ${value}`).join(', ')}}`);
}

const { condition, strange } = fc.letrec<{
  condition: string;
  operators: string;
  operand: string;
  strange: string;
}>((tie) => {
  const conditions = fc.array(tie('condition'), { maxLength: 3 }).map((all) => `[${all.join()}]`);
  const member = fc.oneof(
    { depthSize: 'small' },
    fc.tuple(name, fc.oneof(scalar, list, object(plainName, scalar))),
    fc.tuple(name, tie('operators')),
    fc.tuple(fc.constantFrom('$and', '$or', '$nor'), conditions),
    fc.tuple(fc.constant('$not'), tie('condition')),
  );
  return {
    condition: fc
      .array(member, { maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `${quote(key)}:${value}`).join()}}`),
    operators: object(
      fc.constantFrom('$gte', '$lt', '$in', '$exists', '$regex', '$vgte', '$elemMatch', '$size'),
      tie('operand'),
      1,
    ),
    operand: fc.oneof({ depthSize: 'small' }, scalar, list, tie('operators'), tie('condition')),
    strange: fc.oneof(
      { depthSize: 'small' },
      scalar,
      list,
      object(
        fc.oneof(name, fc.constantFrom('$and', '$or', '$not', '$foo', '$gte', '$groups')),
        fc.oneof(
          tie('strange'),
          fc.array(tie('strange'), { maxLength: 2 }).map((a) => `[${a}]`),
        ),
      ),
    ),
  };
});

describe('a condition in the visual builder', () => {
  it('comes back token for token, whatever the grammar allows', () => {
    fc.assert(
      fc.property(condition, (source) => {
        expect(through(source)).toBe(squeeze(source));
      }),
      { numRuns: 1_000 },
    );
  });

  it('comes back token for token, even where the server would refuse it', () => {
    const objects = strange.filter((source) => source.startsWith('{'));
    fc.assert(
      fc.property(objects, (source) => {
        expect(through(source)).toBe(squeeze(source));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is given back as the same query by what it wrote', () => {
    fc.assert(
      fc.property(condition, (source) => {
        const read = query(source);
        expect(plain(query(writeCondition(read)))).toEqual(plain(read));
      }),
    );
  });

  it('stays valid, with every rule, when rules are added to any group', () => {
    fc.assert(
      fc.property(condition, fc.nat(), (source, at) => {
        if (Array.isArray(compileCondition(JSON.parse(source)))) return;
        const read = query(source);
        const groups = groupsOf(read);
        const group = groups[at % groups.length] ?? read;
        group.rules.push({ id: 'new', field: 'level', operator: '$gte', value: '5' });
        group.rules.push({ id: 'newer', field: 'level', operator: '$gte', value: '7' });
        const written = writeCondition(read);
        expect(countRules(query(written))).toBe(countRules(read));
        expect(Array.isArray(compileCondition(JSON.parse(written)))).toBe(false);
      }),
    );
  });

  it('shows members, joins and operators as rules and groups', () => {
    const read = query('{"country":{"$in":["US"]},"$or":[{"level":1.10},{"a":1,"b":null}]}');
    expect(plain(read)).toEqual([
      'and',
      'country $in ["US"]',
      ['or', 'level is 1.10', ['and', 'a is 1', 'b is null']],
    ]);
  });

  it('shows two operators on one attribute as two rules, and joins them again', () => {
    const read = query('{"level":{"$gte":5,"$lt":10}}');
    expect(plain(read)).toEqual(['and', 'level $gte 5', 'level $lt 10']);
    expect(writeCondition(read)).toBe('{ "level": { "$gte": 5, "$lt": 10 } }');
  });

  it('writes a list of conditions where members would repeat a name', () => {
    const read = query('{"level":5}');
    read.rules.push({ id: 'x', field: 'level', operator: 'is', value: '6' });
    expect(writeCondition(read)).toBe('{ "$and": [{ "level": 5 }, { "level": 6 }] }');
  });

  it('keeps what it has no controls for as JSON', () => {
    expect(plain(query('{"a":{"$foo":1},"b":2}'))).toEqual([
      'and',
      'json {"a":{"$foo":1}}',
      'b is 2',
    ]);
    expect(plain(query('{"a":1,"a":2}'))).toEqual(['and', 'json {"a":1,"a":2}']);
    expect(plain(query('{"$or":{"a":1}}'))).toEqual(['and', 'json {"$or":{"a":1}}']);
  });

  it('says where a source is not a condition', () => {
    expect(readCondition('{"a":}')).toMatchObject({ line: 1, column: 6 });
    expect(readCondition('{\n  // x\n}')).toMatchObject({ line: 2, column: 3 });
    expect(readCondition('[1]')).toMatchObject({ line: 1, column: 1 });
    expect(readCondition('')).toMatchObject({ line: 1 });
    expect(readCondition('{"a":1,}')).toMatchObject({ line: 1 });
    expect(readCondition('{} {}')).toMatchObject({ line: 1, column: 4 });
  });
});

type Plain = string | Plain[];

function plain(node: ConditionNode): Plain {
  if ('rules' in node) return [node.combinator, ...node.rules.map(plain)];
  return [node.field, node.operator, squeeze(node.value)].filter(Boolean).join(' ');
}

function groupsOf(group: ConditionGroup): ConditionGroup[] {
  return [group, ...group.rules.flatMap((rule) => ('rules' in rule ? groupsOf(rule) : []))];
}
