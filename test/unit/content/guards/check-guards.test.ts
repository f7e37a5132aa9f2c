import { describe, expect, it } from 'vitest';
import { checkGuards } from '../../../../src/content/guards/check-guards.js';
import type { Guard } from '../../../../src/content/guards/guard.js';
import { envelope } from '../envelope/enveloping.js';

type Rest = Omit<Guard, 'path' | 'severity'>;

/** Kinds and paths of what a guard of that path finds. */
function check(path: string, rest: Rest, line: string, mapping?: string): string[] {
  const guard: Guard = { path, ...rest, severity: 'block' };
  return checkGuards([guard], [envelope(line, mapping)], null, null).map(
    (finding) => `${finding.kind} ${finding.path}`,
  );
}

const line = '{"offers":{"a":{"gold":5},"b":{"gold":50}},"list":[{"id":"x"},{"id":"y"}]}';

describe('a guard', () => {
  it('bounds the numbers of its path, whatever rules write', () => {
    expect(check('/offers/a/gold', { min: 5, max: 5 }, line)).toEqual([]);
    expect(check('/offers/a/gold', { min: 6 }, line)).toEqual(['min /offers/a/gold']);
    const mapping = '[{"segment":"whales","merge":{"offers":{"a":{"gold":60}}}}]';
    const guard: Guard = { path: '/offers/*/gold', max: 50, severity: 'approve' };
    expect(checkGuards([guard], [envelope(line, mapping)], null, null)).toEqual([
      {
        kind: 'max',
        severity: 'approve',
        version: '1.0.0',
        path: '/offers/a/gold',
        message:
          'In version line 1.0.0, /offers/a/gold may be 60 (rule "whales"): the guard allows 50 or less.',
      },
    ]);
  });

  it('matches one name or element with *, and any depth with **', () => {
    expect(check('/*/*/gold', { max: 10 }, line)).toEqual(['max /offers/b/gold']);
    expect(check('/**/gold', { max: 10 }, line)).toEqual(['max /offers/b/gold']);
    expect(check('/**', { type: ['object', 'array', 'string'] }, line)).toEqual([
      'type /offers/a/gold',
      'type /offers/b/gold',
    ]);
    expect(check('/**/**/gold', { max: 10 }, line)).toEqual(['max /offers/b/gold']);
    expect(check('/list/*/id', { enum: ['x'] }, line)).toEqual(['enum /list/*/id']);
    expect(check('/list/1/id', { enum: ['x'] }, line)).toEqual(['enum /list/1/id']);
    expect(check('/list/0/id', { enum: ['x'] }, line)).toEqual([]);
  });

  it('asks for types', () => {
    expect(check('/list', { type: 'array' }, line)).toEqual([]);
    expect(check('/list', { type: 'object' }, line)).toEqual(['type /list']);
    const mapping = '[{"segment":"s","merge":{"list":"none"}}]';
    expect(check('/list', { type: 'array' }, line, mapping)).toEqual(['type /list']);
  });

  it('lists values, compared as JSON and each by itself', () => {
    const many = JSON.stringify(Array.from({ length: 300 }, (_, i) => `item-${i}`));
    const all = Array.from({ length: 300 }, (_, i) => `item-${i}`);
    expect(check('/*', { enum: all }, many)).toEqual([]);
    expect(check('/*', { enum: all.slice(1) }, many)).toEqual(['enum /*']);
    expect(check('/a', { enum: [1, 'é'] }, '{"a":1.0}')).toEqual([]);
    expect(check('/a', { enum: [1, 'é'] }, '{"a":"\\u00e9"}')).toEqual([]);
    expect(check('/a', { enum: [{ x: 1, y: [2] }] }, '{"a":{"y":[2],"x":1}}')).toEqual([]);
  });

  it('requires a path of every caller', () => {
    expect(check('/offers/a/gold', { required: true }, line)).toEqual([]);
    expect(check('/offers/c/gold', { required: true }, line)).toEqual(['required /offers/c']);
    expect(check('/offers/*/silver', { required: true }, line)).toEqual([
      'required /offers/a/silver',
      'required /offers/b/silver',
    ]);
    const removes = '[{"segment":"s","patch":[{"op":"remove","path":"/offers/a/gold"}]}]';
    expect(check('/offers/*/gold', { required: true }, line, removes)).toEqual([
      'required /offers/a/gold',
    ]);
    expect(check('/list/*/id', { required: true }, '{"list":[]}')).toEqual([]);
    expect(check('/list/*/id', { required: true }, '{"list":[{"id":1},{}]}')).toEqual([
      'required /list/*/id',
    ]);
    expect(check('/list/1', { required: true }, line)).toEqual([]);
    expect(check('/list/2', { required: true }, line)).toEqual(['required /list/2']);
  });

  it('says that it could not be checked where the mapping is too costly to follow', () => {
    const unbounded = envelope('{"a":1}', '[{"segment":"s","merge":{"a":2}}]', 0);
    const guard: Guard = { path: '/a', max: 5, severity: 'block' };
    expect(checkGuards([guard], [unbounded], null, null)).toMatchObject([
      { kind: 'max', severity: 'block', path: '/a' },
    ]);
  });
});

describe('maxChange of a guard', () => {
  const moved = (
    maxChange: Guard['maxChange'],
    now: string,
    live: string | null,
    dayAgo = live,
  ) => {
    const guard: Guard = { path: '/**/a', ...(maxChange && { maxChange }), severity: 'block' };
    const side = (text: string | null) => (text === null ? null : [envelope(text)]);
    return checkGuards([guard], [envelope(now)], side(live), side(dayAgo)).map(
      ({ message }) => message,
    );
  };

  it('bounds the factor and the difference against what is live', () => {
    expect(moved({ factor: 2 }, '{"a":10}', '{"a":5}')).toEqual([]);
    expect(moved({ factor: 2 }, '{"a":11}', '{"a":5}')).toEqual([
      'In version line 1.0.0, /a goes from 5 to 11: the guard allows a factor of 2 against what is live.',
    ]);
    expect(moved({ by: 3 }, '{"a":2}', '{"a":5}')).toEqual([]);
    expect(moved({ by: 3 }, '{"a":1}', '{"a":5}')).toHaveLength(1);
    expect(moved({ factor: 100 }, '{"a":1}', '{"a":0}')).toHaveLength(1);
    expect(moved({ factor: 100 }, '{"a":1}', null)).toEqual([]);
  });

  it('bounds many small steps of a day as one', () => {
    expect(moved({ factor: 2 }, '{"a":8}', '{"a":5}', '{"a":2}')).toEqual([
      'In version line 1.0.0, /a goes from 2 to 8: the guard allows a factor of 2 against what was live 24 hours ago.',
    ]);
    expect(moved({ factor: 2 }, '{"a":80}', '{"a":5}', '{"a":2}')).toHaveLength(1);
  });

  it('compares elements one by one where the arrays are equally long', () => {
    const live = '[{"a":1},{"a":100}]';
    expect(moved({ factor: 2 }, '[{"a":100},{"a":1}]', live)).toHaveLength(2);
    expect(moved({ factor: 2 }, '[{"a":100},{"a":1},{"a":50}]', live)).toEqual([]);
  });
});
