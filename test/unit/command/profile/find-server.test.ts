/** Which server a command asks with which token: flags, the environment, profiles, in this order. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findServer, type ServerOptions } from '../../../../src/command/profile/find-server.js';
import {
  profilesPath,
  readProfiles,
  writeProfiles,
} from '../../../../src/command/profile/profiles.js';
import { withIo } from '../../../../src/command/terminal/io.js';

type Environment = Readonly<Record<string, string>>;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-profiles-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function within<T>(env: Environment, run: () => T): T {
  const output = new Writable({ write: (_piece, _encoding, done) => done() });
  const stdin = Readable.from([]);
  const given = { XDG_CONFIG_HOME: folder, ...env };
  return withIo({ stdin, stdout: output, stderr: output, env: given, exitCode: 0 }, run);
}

const live = { url: 'https://live.example', token: 'lot_live' };
const test = { url: 'http://test.example:8081', token: 'lot_test' };

function store(current: string | null = 'test'): void {
  const byName = new Map(Object.entries({ live, test }));
  within({}, () => writeProfiles({ current, byName }));
}

describe('findServer', () => {
  const other = 'http://other.example';
  it.each<[string, ServerOptions, Environment, object]>([
    ['the profile in use', {}, {}, { ...test, profile: 'test' }],
    ['LOADOUT_PROFILE before it', {}, { LOADOUT_PROFILE: 'live' }, { ...live, profile: 'live' }],
    [
      '--profile before all variables',
      { profile: 'live', url: other },
      { LOADOUT_TOKEN: 'lot_x', LOADOUT_PROFILE: 'test' },
      { ...live, profile: 'live' },
    ],
    [
      'address and token of the environment before the profile',
      { url: other },
      { LOADOUT_TOKEN: 'lot_x' },
      { url: other, token: 'lot_x', profile: null },
    ],
    [
      'the default address for a token alone',
      {},
      { LOADOUT_TOKEN: 'lot_x' },
      { url: 'http://127.0.0.1:8081', token: 'lot_x', profile: null },
    ],
    [
      'the address of LOADOUT_PROFILE for a token beside it',
      {},
      { LOADOUT_TOKEN: 'lot_x', LOADOUT_PROFILE: 'live' },
      { url: live.url, token: 'lot_x', profile: null },
    ],
    ['the token of an address', { url: live.url }, {}, { ...live, profile: 'live' }],
    ['no token for another address', { url: other }, {}, { url: other, token: null }],
    [
      'nor that of a profile that is named, but has another address',
      { url: other },
      { LOADOUT_PROFILE: 'live' },
      { url: other, token: null },
    ],
  ])('takes %s', (_name, options, env, expected) => {
    store();
    expect(within(env, () => findServer(options))).toMatchObject(expected);
  });

  it('knows the default address without a file', () => {
    const found = within({}, () => findServer({}));
    expect(found).toEqual({ url: 'http://127.0.0.1:8081', token: null, profile: null });
  });

  it('names the profiles that there are', () => {
    store();
    const find = () => within({}, () => findServer({ profile: 'lives' }));
    expect(find).toThrow('There is no profile lives; there are live, test.');
  });
});

describe('the file of profiles', () => {
  it('and its folder are for their owner alone, whatever they were before', () => {
    store();
    const path = within({}, profilesPath);
    expect(path).toBe(join(folder, 'loadout', 'config.json'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(join(folder, 'loadout'), 0o755);
    store('live');
    expect(statSync(join(folder, 'loadout')).mode & 0o777).toBe(0o700);
    expect(within({}, readProfiles).current).toBe('live');
  });

  it.each([0o640, 0o604, 0o622])('is not used with mode %o', (mode) => {
    store();
    const path = within({}, profilesPath);
    chmodSync(path, mode);
    expect(() => within({}, readProfiles)).toThrow(/other users of this machine .* `chmod 600/);
    // Who gives both values needs no profile.
    const given = within({ LOADOUT_TOKEN: 'lot_x' }, () => findServer({ url: live.url }));
    expect(given.token).toBe('lot_x');
  });

  it.each(['', '{', '[]', '{"profiles":{"a":{"url":"x","token":"t"}}}', '{"profiles":{"a":1}}'])(
    'that holds %j is named, and its text is not repeated',
    (text) => {
      store();
      const path = within({}, profilesPath);
      writeFileSync(path, text);
      expect(() => within({}, readProfiles)).toThrow(`${path} is not a file of profiles.`);
    },
  );

  it('leaves what was there when it cannot be written', () => {
    store();
    const path = within({}, profilesPath);
    const before = readFileSync(path, 'utf8');
    // A folder stands where the new file is to be made.
    mkdirSync(`${path}.${process.pid}`);
    const write = () => writeProfiles({ current: null, byName: new Map() });
    expect(() => within({}, write)).toThrow(`${path} cannot be written: `);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});
