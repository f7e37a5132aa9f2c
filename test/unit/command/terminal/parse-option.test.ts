import { describe, expect, it } from 'vitest';
import {
  parseAppVersion,
  parseMinutes,
  parseNetworks,
  parseNumber,
  parseOrigins,
  parsePort,
  parseSwitch,
  parseUrl,
  wholeNumber,
} from '../../../../src/command/terminal/parse-option.js';

describe('wholeNumber', () => {
  it('takes whole numbers within its bounds, both included', () => {
    expect([parsePort('0'), parsePort('65535')]).toEqual([0, 65_535]);
    expect(wholeNumber(1, 3)('3')).toBe(3);
  });

  it.each(['', ' ', '-1', '1.5', '1e3', '0x10', '65536', 'eighty', '99999999999999999'])(
    'refuses %j as a port',
    (text) => {
      expect(() => parsePort(text)).toThrow('It must be a whole number from 0 to 65535.');
    },
  );
});

describe('parseSwitch', () => {
  it('knows the words people write', () => {
    expect(['true', 'YES', 'on', '1'].map(parseSwitch)).toEqual([true, true, true, true]);
    expect(['false', 'no', 'Off', '0'].map(parseSwitch)).toEqual([false, false, false, false]);
    expect(() => parseSwitch('')).toThrow('true or false');
  });
});

describe('parseAppVersion', () => {
  it('takes three runs of at most nine digits', () => {
    expect(parseAppVersion('1.4.0')).toBe('1.4.0');
    for (const text of ['1.4', 'v1.4.0', '1.4.0-beta', '1.4.0.0', '1234567890.0.0', '']) {
      expect(() => parseAppVersion(text)).toThrow('X.Y.Z');
    }
  });
});

describe('parseUrl', () => {
  it('drops the slash at the end and keeps a path before it', () => {
    expect(parseUrl('http://127.0.0.1:8081/')).toBe('http://127.0.0.1:8081');
    expect(parseUrl('https://ops.example/loadout/')).toBe('https://ops.example/loadout');
  });

  it.each(['127.0.0.1:8081', 'ftp://x', '', 'http://me:secret@host', 'http://host/?a=1'])(
    'refuses %j',
    (text) => {
      expect(() => parseUrl(text)).toThrow('It must be');
    },
  );
});

describe('parseOrigins', () => {
  it('takes origins, all of them, or none', () => {
    expect(parseOrigins('https://a.example, http://localhost:3000')).toEqual([
      'https://a.example',
      'http://localhost:3000',
    ]);
    expect(parseOrigins('*')).toEqual(['*']);
    expect(parseOrigins('off')).toEqual([]);
    expect(parseOrigins('')).toEqual([]);
  });

  it.each(['a.example', 'https://a.example/', 'https://a.example/path', 'null'])(
    'refuses %j',
    (text) => {
      expect(() => parseOrigins(text)).toThrow('is not an origin');
    },
  );
});

describe('parseNetworks', () => {
  it('takes addresses and networks of both kinds, or none', () => {
    expect(parseNetworks('127.0.0.1, 10.0.0.0/8,fd00::/8')).toEqual([
      '127.0.0.1',
      '10.0.0.0/8',
      'fd00::/8',
    ]);
    expect(parseNetworks('off')).toEqual([]);
    expect(parseNetworks('')).toEqual([]);
  });

  it.each(['everybody', '10.0.0.0/33', '10.0.0', '127.0.0.1 10.0.0.1', '*', 'fd00::/129'])(
    'refuses %j',
    (text) => {
      expect(() => parseNetworks(text)).toThrow('is not an address');
    },
  );
});

describe('parseMinutes', () => {
  it('takes minutes, hours and days, and 0', () => {
    expect(['0', '0m', '10m', '2h', '1d'].map(parseMinutes)).toEqual([0, 0, 10, 120, 1440]);
    for (const text of ['', '10', '1.5h', '-1m', '10s', '1h30m', '123456m']) {
      expect(() => parseMinutes(text)).toThrow('a duration such as 10m, 1h or 2d, or 0');
    }
  });
});

describe('parseNumber', () => {
  it('takes any finite number', () => {
    expect(['5', '-0.5', '1e6', '0'].map(parseNumber)).toEqual([5, -0.5, 1_000_000, 0]);
    for (const text of ['', ' ', 'five', 'NaN', 'Infinity', '1,5']) {
      expect(() => parseNumber(text)).toThrow('It must be a number.');
    }
  });
});
