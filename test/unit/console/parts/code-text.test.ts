import { describe, expect, it } from 'vitest';
import {
  changeBetween,
  indentOf,
  lineSeparatorOf,
} from '../../../../src/console/parts/code/code-text.js';

describe('line separators', () => {
  it('are line feeds, unless all of them are both', () => {
    expect(lineSeparatorOf('')).toBe(null);
    expect(lineSeparatorOf('a\nb')).toBe(null);
    expect(lineSeparatorOf('a\r\nb\r\n')).toBe('\r\n');
  });

  it('leave carriage returns alone where kinds are mixed', () => {
    expect(lineSeparatorOf('a\r\nb\nc')).toBe('\n');
    expect(lineSeparatorOf('a\rb')).toBe('\n');
  });
});

describe('indentation', () => {
  it('is that of the first indented line', () => {
    expect(indentOf('{\n    "a": 1\n}')).toBe('    ');
    expect(indentOf('{\n\t"a": 1\n}')).toBe('\t');
    expect(indentOf('{"a":1}')).toBe('  ');
    expect(indentOf('{\n            "far": 1\n}')).toBe('  ');
  });
});

describe('a change between two texts', () => {
  const applied = (before: string, after: string) => {
    const change = changeBetween(before, after);
    if (change === null) return before;
    return before.slice(0, change.from) + change.insert + before.slice(change.to);
  };

  it('is none between equal ones', () => {
    expect(changeBetween('abc', 'abc')).toBe(null);
  });

  it('leaves out what both begin and end with', () => {
    expect(changeBetween('{"a":1}', '{"a":12}')).toEqual({ from: 6, to: 6, insert: '2' });
    expect(changeBetween('one two three', 'one three')).toEqual({ from: 5, to: 9, insert: '' });
  });

  it('makes the one of the other, however they overlap', () => {
    for (const [before, after] of [
      ['aa', 'aaa'],
      ['aaa', 'aa'],
      ['', 'x'],
      ['x', ''],
      ['abcabc', 'abc'],
      ['ab', 'ba'],
    ] as const) {
      expect(applied(before, after)).toBe(after);
    }
  });
});
