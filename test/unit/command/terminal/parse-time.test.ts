/** Times as people type them. */
import { describe, expect, it } from 'vitest';
import {
  parseMoment,
  parseMomentOrNever,
  parsePast,
  parsePastAsGiven,
  parseTime,
} from '../../../../src/command/terminal/parse-time.js';

/** A Wednesday. */
const nowMs = Date.parse('2026-11-25T15:30:00Z');

function at(text: string, direction: 'ago' | 'ahead'): string | null {
  const timeMs = parseTime(text, direction, nowMs);
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

describe('parseTime', () => {
  it.each([
    ['15m', '2026-11-25T15:15:00.000Z', '2026-11-25T15:45:00.000Z'],
    ['2h', '2026-11-25T13:30:00.000Z', '2026-11-25T17:30:00.000Z'],
    ['3d', '2026-11-22T15:30:00.000Z', '2026-11-28T15:30:00.000Z'],
    ['1w', '2026-11-18T15:30:00.000Z', '2026-12-02T15:30:00.000Z'],
    ['monday', '2026-11-23T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    ['saturday', '2026-11-21T00:00:00.000Z', '2026-11-28T00:00:00.000Z'],
    // Today's own name is a week away.
    ['wednesday', '2026-11-18T00:00:00.000Z', '2026-12-02T00:00:00.000Z'],
  ])('takes %s back and ahead', (text, ago, ahead) => {
    expect([at(text, 'ago'), at(text, 'ahead')]).toEqual([ago, ahead]);
  });

  it.each([
    ['now', '2026-11-25T15:30:00.000Z'],
    ['2h ago', '2026-11-25T13:30:00.000Z'],
    ['today', '2026-11-25T00:00:00.000Z'],
    ['yesterday', '2026-11-24T00:00:00.000Z'],
    ['tomorrow', '2026-11-26T00:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01t10:00:00.5+02:00', '2026-11-01T08:00:00.500Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ])('takes %s', (text, expected) => {
    expect(at(text, 'ago')).toBe(expected);
  });

  it('takes a time of day without a zone for local', () => {
    const local = new Date(2026, 10, 1, 10, 0).toISOString();
    expect(at('2026-11-01t10:00', 'ago')).toBe(local);
    expect(at('2026-11-01t10:00:00', 'ahead')).toBe(local);
  });

  it.each([
    ...['', '7', '7y', '-1d', '1.5h', 'noon', 'mon', '1700000000', '2027-13-01', '2027-02-30'],
    ...['2026-11-01t25:00', '2026-11-01t10', '2026-11-01 10:00', '01.11.2026'],
  ])('does not take %j', (text) => {
    expect(at(text, 'ago')).toBeNull();
  });
});

describe('parsers of options', () => {
  it('say which forms there are', () => {
    const forms =
      /^It must be a time ago such as 15m, .*yesterday.*monday.*2026-11-01T10:00 \(local\)/;
    expect(() => parsePast('last week')).toThrow(forms);
    expect(() => parseMoment('soon')).toThrow(/^It must be a time from now .* tomorrow/);
    expect(() => parseMomentOrNever('Never')).toThrow('It must be a time');
    expect(parseMomentOrNever('never')).toBe('never');
  });

  it('do not mind capitals and white space around', () => {
    expect(parsePast(' Yesterday ')).toBe(parsePast('yesterday'));
    expect(parseMoment('2027-01-31T18:00:00+02:00')).toBe('2027-01-31T16:00:00.000Z');
  });

  it('count from the clock', () => {
    const hours = (Date.now() - Date.parse(parsePast('2h'))) / 3_600_000;
    expect(Math.round(hours)).toBe(2);
    expect(Date.parse(parseMoment('2h'))).toBeGreaterThan(Date.now());
  });

  it('keep a time with a zone as it was typed, where output repeats it', () => {
    expect(parsePastAsGiven('2026-11-01T10:00:00Z')).toBe('2026-11-01T10:00:00Z');
    expect(parsePastAsGiven('2026-11-01')).toBe('2026-11-01T00:00:00.000Z');
  });
});
