/** The address of a database: what psql would take, several servers among it, and what is refused without its password. */
import { describe, expect, it, vi } from 'vitest';
import {
  DatabaseUrlInvalid,
  parseDatabaseUrl,
} from '../../../../src/management/store/postgres/url.js';

const serversOf = (text: string): string[] =>
  parseDatabaseUrl(text).servers.map(({ host, port }) => `${host} ${port}`);

describe('the address of a database', () => {
  it.each([
    ['postgres://db.example/loadout', ['db.example 5432']],
    ['postgresql://db.example:6000/loadout', ['db.example 6000']],
    ['postgres:///loadout', ['localhost 5432']],
    ['postgres://one,two:6000/loadout', ['one 5432', 'two 6000']],
    ['postgres://[::1]:1,[2001:db8::2]:65535/loadout', ['::1 1', '2001:db8::2 65535']],
    ['postgres://[2001:db8::1],two/loadout', ['2001:db8::1 5432', 'two 5432']],
  ])('%s names %j', (text, servers) => {
    expect(serversOf(text)).toEqual(servers);
  });

  it('is shown without user and password', () => {
    const { shown, options } = parseDatabaseUrl('postgres://anna:secret@one,two:6000/loadout');
    expect(shown).toBe('one:5432,two:6000/loadout');
    expect(options).toMatchObject({ user: 'anna', password: 'secret', database: 'loadout' });
  });

  it.each(['prefer', 'require', 'verify-ca'])(
    'sslmode=%s is verify-full, without a word',
    (mode) => {
      const warned = vi.spyOn(process, 'emitWarning');
      const { options } = parseDatabaseUrl(
        `postgres://one/loadout?connect_timeout=2&sslmode=${mode}`,
      );
      expect(options).toEqual(
        parseDatabaseUrl('postgres://one/loadout?connect_timeout=2&sslmode=verify-full').options,
      );
      expect(options['ssl']).toEqual({});
      expect(warned).not.toHaveBeenCalled();
      warned.mockRestore();
    },
  );

  it.each([
    'mysql://db.example/loadout',
    'db.example/loadout',
    'postgres://anna:secret@one:0,two/loadout',
    'postgres://anna:secret@one:65536,two/loadout',
    'postgres://anna:secret@one:6000x,two/loadout',
    'postgres://anna:secret@one,/loadout',
    'postgres://anna:secret@one:99999/loadout',
    `postgres://anna:secret@${Array.from({ length: 17 }, () => 'one').join(',')}/loadout`,
  ])('%s is refused, its password unsaid', (text) => {
    const parse = (): unknown => parseDatabaseUrl(text);
    expect(parse).toThrow(DatabaseUrlInvalid);
    expect(parse).not.toThrow(/secret/);
  });
});
