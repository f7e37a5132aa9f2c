/**
 * The profiles of `loadout login` (D119): addresses of servers with a token for each, in a file that nobody but its owner may read.
 */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailure, reasonOf, unreadable } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { parseUrl } from '../terminal/parse-option.js';
import { checkSecret } from '../terminal/secrets.js';

export interface Profile {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
}

export interface Profiles {
  /** The profile that is used unless another one is named; null: none is. */
  readonly current: string | null;
  readonly byName: ReadonlyMap<string, Profile>;
}

export const defaultProfile = 'default';

const nameForm = /^[A-Za-z0-9][\w.-]{0,63}$/;
const othersBits = 0o077;

export function isProfileName(name: string): boolean {
  return nameForm.test(name);
}

/** `$XDG_CONFIG_HOME/loadout/config.json`. A relative `XDG_CONFIG_HOME` is ignored, as its specification asks. */
export function profilesPath(): string {
  const { XDG_CONFIG_HOME: given = '', HOME: home = '' } = io().env;
  const folder = given.startsWith('/') ? given : join(home === '' ? homedir() : home, '.config');
  return join(folder, 'loadout', 'config.json');
}

/**
 * Without a file there are no profiles.
 * @throws CommandFailure when the file cannot be read, is no file of profiles, or may be read by others
 */
export function readProfiles(): Profiles {
  const path = profilesPath();
  let text: string;
  try {
    const { mode } = statSync(path);
    // Windows has no such bits; a profile's folder belongs to its user there.
    if (process.platform !== 'win32' && (mode & othersBits) !== 0) {
      throw new CommandFailure(
        `${path} has tokens, and other users of this machine may read or write it: \`chmod 600 ${path}\`, and revoke the tokens if others have read them.`,
      );
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return { current: null, byName: new Map() };
    }
    throw error instanceof CommandFailure ? error : unreadable(path, error);
  }
  try {
    const profiles = parseProfiles(JSON.parse(text));
    if (profiles !== null) return profiles;
  } catch {
    // An error of JSON.parse would quote the text, which has tokens.
  }
  throw new CommandFailure(
    `${path} is not a file of profiles. Correct it, or remove it and log in again.`,
  );
}

/**
 * Null: it has another form.
 * @throws Error when an address or a token cannot be one
 */
function parseProfiles(value: unknown): Profiles | null {
  if (!isRecord(value) || !isRecord(value['profiles'])) return null;
  const byName = new Map<string, Profile>();
  for (const [name, profile] of Object.entries(value['profiles'])) {
    if (!isRecord(profile)) return null;
    const { url, token } = profile;
    if (typeof url !== 'string' || typeof token !== 'string') return null;
    byName.set(name, { url: parseUrl(url), token: checkSecret(token, name) });
  }
  const { current } = value;
  const isKnown = typeof current === 'string' && byName.has(current);
  return { current: isKnown ? current : null, byName };
}

/**
 * Replaces the file at once: a reader finds the old or the new one, and a full disk keeps the old one.
 * @throws CommandFailure
 */
export function writeProfiles({ current, byName }: Profiles): void {
  const path = profilesPath();
  const text = `${JSON.stringify({ current, profiles: Object.fromEntries(byName) }, null, 2)}\n`;
  const next = `${path}.${process.pid}`;
  try {
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    writeNew(next, text);
    renameSync(next, path);
  } catch (error) {
    throw new CommandFailure(`${path} cannot be written: ${reasonOf(error)}.`);
  }
}

function writeNew(path: string, text: string): void {
  // What a killed process with this id has left could have other rights.
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** @throws CommandFailure when there is none of that name */
export function profileNamed({ byName }: Profiles, name: string): Profile {
  const profile = byName.get(name);
  if (profile !== undefined) return profile;
  const names = [...byName.keys()];
  const known = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
  throw new CommandFailure(
    `There is no profile ${name}; ${known}. \`loadout login --profile NAME\` makes one.`,
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
