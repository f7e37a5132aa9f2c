import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseInstant } from '../../../../src/content/mapping/instant.js';

it('reads RFC 3339 date-times to the millisecond', () => {
  const read = (text: string): string => new Date(parseInstant(text) ?? Number.NaN).toISOString();
  expect(read('2026-11-01T00:00:00Z')).toBe('2026-11-01T00:00:00.000Z');
  expect(read('2026-11-01t00:00:00z')).toBe('2026-11-01T00:00:00.000Z');
  expect(read('2026-11-01T01:30:00+01:30')).toBe('2026-11-01T00:00:00.000Z');
  expect(read('2026-10-31T16:00:00-08:00')).toBe('2026-11-01T00:00:00.000Z');
  expect(read('2026-11-01T00:00:00.9999999999999999999Z')).toBe('2026-11-01T00:00:00.999Z');
  expect(read('2026-11-01T00:00:00.5-00:00')).toBe('2026-11-01T00:00:00.500Z');
  expect(read('2024-02-29T00:00:00Z')).toBe('2024-02-29T00:00:00.000Z');
  expect(read('2016-12-31T23:59:60Z')).toBe('2017-01-01T00:00:00.000Z');
  expect(read('0050-01-01T00:00:00Z')).toBe('0050-01-01T00:00:00.000Z');
});

it('refuses everything else', () => {
  const refused = [
    '',
    '2026-11-01',
    '2026-11-01T00:00Z',
    '2026-11-01T00:00:00',
    '2026-11-01 00:00:00Z',
    '2026-11-01T00:00:00.Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-11-01T24:00:00Z',
    '2026-11-01T00:60:00Z',
    '2026-11-01T00:00:61Z',
    '2026-11-01T00:00:00+24:00',
    '2026-11-01T00:00:00+01:60',
    '2026-11-01T00:00:00+0100',
    '2026-11-01T00:00:00Z\n',
    ' 2026-11-01T00:00:00Z',
    '26-11-01T00:00:00Z',
    '+02026-11-01T00:00:00Z',
    'tomorrow',
  ];
  for (const text of refused) expect([text, parseInstant(text)]).toEqual([text, null]);
});

it('agrees with Date on every moment it writes', () => {
  const years = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') };
  fc.assert(
    fc.property(fc.date({ ...years, noInvalidDate: true }), (date) => {
      expect(parseInstant(date.toISOString())).toBe(date.getTime());
    }),
  );
});
