/** The rules of docs/console-style.md that a text can be checked for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exactTime, formatMoment } from '../../../../src/console/parts/time/formats.js';

const folder = resolve(import.meta.dirname, '../../../../src/console');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(?:css|tsx?)$/.test(name),
);

/** Where tokens are defined. */
const tokens = new Set(['theme.ts', 'colours.ts', 'styles.css', 'parts/code/code.module.css']);

/** Each place outside of the exempt files where the pattern is found, as `file:line: text`. */
function findAll(pattern: RegExp, isExempt: (file: string) => boolean): string[] {
  return files
    .filter((file) => !isExempt(file))
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
}

describe('the style of the console', () => {
  it('has three weights', () => {
    const other =
      /(?:font-weight: |fw=\{|fw="|fontWeight: '?)(?!400|500|600|inherit|checked|var\()[\d]{3}/;
    expect(findAll(other, (file) => file === 'styles.css' || file === 'theme.ts')).toEqual([]);
  });

  it('takes colours from tokens', () => {
    const raw = /(?<![&\w])#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})\b(?!["']?\s*>)|\b(?:rgba?|hsl)\(/i;
    expect(findAll(raw, (file) => tokens.has(file))).toEqual([]);
  });

  it('takes sizes of text from the scale', () => {
    const raw = /(?:font-size: |fontSize: '?|fz=\{)\d*\.?\d+(?:px|rem|\b(?!em|\.))/;
    expect(findAll(raw, (file) => tokens.has(file))).toEqual([]);
  });

  it('writes times in one place', () => {
    const stray = /Intl\.DateTimeFormat|toLocale(?:Date|Time)String/;
    expect(findAll(stray, (file) => file.startsWith('parts/time/'))).toEqual([]);
  });

  it('writes sizes in one place', () => {
    expect(findAll(/\}? (?:kB|KiB|MiB|GiB)\b/, () => false)).toEqual([]);
  });
});

describe('a time', () => {
  const at = new Date(Date.UTC(2026, 10, 27, 17, 0, 5));

  it('names its day, its zone, and its year where that is another one', () => {
    expect(formatMoment(at, at.getTime())).toMatch(/^[A-Z]\w+ \d+ Nov, \d\d:00 \S+/);
    expect(formatMoment(at, Date.UTC(2028, 1, 1))).toMatch(/^[A-Z]\w+ \d+ Nov 2026, \d\d:00 \S+/);
  });

  it('has its second in a tooltip', () => {
    expect(exactTime(at.toISOString())).toMatch(/^[A-Z]\w+ \d+ Nov 2026, \d\d:00:05 \S+/);
  });
});
