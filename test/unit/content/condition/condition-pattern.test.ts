import { describe, expect, it } from 'vitest';
import { compileCondition } from '../../../../src/content/condition/condition.js';
import { patternProgramMax } from '../../../../src/content/condition/condition-limits.js';
import { compilePattern, PatternIssue } from '../../../../src/content/condition/pattern.js';
import { estimatePatternSize } from '../../../../src/content/condition/pattern-size.js';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { conditionOf } from './condition-oracle.js';

function holds(test: unknown, a: unknown): boolean {
  return conditionOf({ a: test })(makeEvaluationContext('', { a }, null));
}

/** Of the process, in which another file may run beside this one. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

describe('$regex', () => {
  it('matches any part of the text, case counted unless the operator ends in i', () => {
    expect(holds({ $regex: '(Mobile|Tablet)' }, 'Android Mobile Browser')).toBe(true);
    expect(holds({ $regex: '(mobile|tablet)' }, 'Android Mobile Browser')).toBe(false);
    expect(holds({ $regexi: '(mobile|tablet)' }, 'Android Mobile Browser')).toBe(true);
    expect(holds({ $notRegex: '^android' }, 'Android')).toBe(true);
    expect(holds({ $notRegexi: '^android' }, 'Android')).toBe(false);
    expect(holds({ $regex: '^\\d{4}-12-25$' }, '1980-12-25')).toBe(true);
  });

  it('reads JavaScript spellings', () => {
    expect(holds({ $regex: '^a\\/b\\u0041\\x42$' }, 'a/bAB')).toBe(true);
    expect(holds({ $regex: '^(?<year>\\d+)$' }, '1980')).toBe(true);
    expect(holds({ $regex: '^[^]$' }, '\n')).toBe(true);
  });

  it('does not match an absent attribute by its negation failing: absent reads as text, as in the dialect', () => {
    const condition = conditionOf({ a: { $notRegex: '^x' } });
    expect(condition(makeEvaluationContext('', {}, null))).toBe(true);
  });

  it('matches nobody when it is malformed, and is refused where that would match everybody', () => {
    expect(holds({ $regex: '/???***[)' }, 'hello')).toBe(false);
    expect(holds({ $regexi: '(' }, '(')).toBe(false);
    expect(holds({ $regex: 5 }, '5')).toBe(false);
    expect(compileCondition({ a: { $notRegex: '(' } })).toHaveLength(1);
    expect(compileCondition({ a: { $notRegexi: 5 } })).toHaveLength(1);
  });

  it('is refused when it needs more than linear time', () => {
    for (const source of ['(?=a)b', '(?!a)b', '(?<=a)b', '(a)\\1']) {
      const issues = compileCondition({ a: { $regex: source } });
      expect(issues).toEqual([
        { path: 'when.a.$regex', message: expect.stringContaining('linear-time') },
      ]);
    }
  });

  it('is refused at once when it is too long or grows too large', () => {
    const sources = [
      'a{1000}{1000}',
      '(a{1000}){1000}',
      '((a{100}){100}){100}',
      'a{1000}'.repeat(140),
      '(\\pL{30}){900}',
      `${'('.repeat(300)}a{9}${'){9}'.repeat(300)}`,
      'x'.repeat(1_001),
    ];
    for (const source of sources) {
      const took = cpuMsOf(() => {
        const pattern = compilePattern(source, false);
        expect(pattern instanceof PatternIssue).toBe(true);
      });
      expect(took).toBeLessThan(1_000);
    }
  });

  it('answers in linear time on what backtracks for ever, and on 64 KiB', () => {
    const hostile = `${'a'.repeat(64 * 1024)}!`;
    for (const source of [
      '^(a+)+$',
      '^(a|a)*$',
      '(.*)(.*)(.*)(.*)x',
      '(a|aa)+$',
      '^(\\w+\\s?)*$',
    ]) {
      const took = cpuMsOf(() => expect(holds({ $regex: source }, hostile)).toBe(false));
      expect(took).toBeLessThan(10_000);
    }
  });
});

describe('the estimate of a pattern', () => {
  it('follows the program that comes out', () => {
    const sources = [
      'abc',
      'a{3}',
      '(ab){10}',
      '[a-z]{5}x',
      '\\d{4}-\\d{2}',
      '(a|b){2,7}',
      'a{',
      '(a{3}b){4}',
      'x{0}',
      '[]a]b',
    ];
    for (const source of sources) {
      const pattern = compilePattern(source, false);
      const size = pattern instanceof PatternIssue ? 0 : pattern.programSize;
      expect(size).toBeLessThanOrEqual(4 * estimatePatternSize(source) + 8);
    }
  });

  it('lets everyday patterns through', () => {
    const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
    const devices = Array.from({ length: 90 }, (_, i) => `Phone ${i}`).join('|');
    for (const source of [uuid, devices, '^[^@]{1,64}@[^@]{1,255}$']) {
      expect(estimatePatternSize(source)).toBeLessThan(patternProgramMax);
      expect(compilePattern(source, true) instanceof PatternIssue).toBe(false);
    }
  });
});
