import { expect, it } from 'vitest';
import { describeWhenMissing } from '../../../../src/console/conditions/when-missing.js';
import { compileCondition } from '../../../../src/content/condition/condition.js';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';

const operators = ['is', '$eq', '$ne', '$gt', '$gte', '$lt', '$lte']
  .concat(['$in', '$nin', '$ini', '$nini', '$all', '$alli'])
  .concat(['$veq', '$vne', '$vgt', '$vgte', '$vlt', '$vlte'])
  .concat(['$regex', '$notRegex', '$regexi', '$notRegexi', '$size']);
const operands = ['"DE"', '""', '"null"', '0', '5', '-5', 'true', 'null', '[]', '["DE"]'].concat([
  '[null]',
  '[1, null]',
  '"0"',
  '"1.4.0"',
  '"v0.0"',
  '"0.0.1"',
  '"^n"',
  '"^DE$"',
  '"NULL"',
]);

/** These say so themselves. */
const isPlain = (operator: string, source: string): boolean =>
  (source === 'null' && ['is', '$eq'].includes(operator)) ||
  (['$in', '$ini'].includes(operator) && source.includes('null'));

const textual = new Set(['$regex', '$regexi']);

it('says so where players without the attribute match, for every operator and operand', () => {
  const anonymous = () => makeEvaluationContext('u', {}, null);
  const wrong: string[] = [];
  let said = 0;
  for (const operator of operators) {
    for (const source of operands) {
      const operand: unknown = JSON.parse(source);
      const holds = compileCondition({ a: operator === 'is' ? operand : { [operator]: operand } });
      if (typeof holds !== 'function') continue;
      // A pattern that finds "null" is a curiosity; what is not a version compares as one all the same.
      if (textual.has(operator) || (operator.startsWith('$v') && !/^"v?\d/.test(source))) continue;
      const matches = holds(anonymous());
      const sentence = describeWhenMissing('a', operator, source);
      if (sentence !== null) said += 1;
      // An order is of numbers; other operands are converted to one.
      const isOdd = /^\$[lg]t/.test(operator) && !/^-?\d/.test(source);
      if (isOdd || isPlain(operator, source)) continue;
      if (matches !== (sentence !== null)) wrong.push(`${operator} ${source}: ${matches}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(said).toBeGreaterThan(30);
});

it('says nothing of what the server knows, nor of a row without an attribute', () => {
  expect(describeWhenMissing('@v', '$ne', '"1.4.0"')).toBeNull();
  expect(describeWhenMissing('@u', '$nin', '["a"]')).toBeNull();
  expect(describeWhenMissing('', '$ne', '""')).toBeNull();
});

it('names the attribute, and that it counts as 0', () => {
  expect(describeWhenMissing('daysSinceInstall', '$lte', '3')).toBe(
    'Players without daysSinceInstall match as well: what is missing counts as 0.',
  );
  expect(describeWhenMissing('country', '$nin', '["US"]')).toBe(
    'Players without country match as well.',
  );
});
