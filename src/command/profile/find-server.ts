/**
 * Which server a command asks, and as whom (D119). The token of a profile goes to the address of the profile and nowhere else.
 */
import { io } from '../terminal/io.js';
import { readSecret } from '../terminal/secrets.js';
import { type Profile, profileNamed, readProfiles } from './profiles.js';

export interface ServerOptions {
  /** `--url`, or else LOADOUT_URL. */
  readonly url?: string;
  /** `--profile`. */
  readonly profile?: string;
}

export interface Server {
  /** Without a slash at its end. */
  readonly url: string;
  /** Null: there is none. */
  readonly token: string | null;
  /** Where the token is from; null: it is from the environment, or there is none. */
  readonly profile: string | null;
}

export const defaultUrl = 'http://127.0.0.1:8081';

/**
 * A flag comes before the environment, the environment before the profile in use. Whoever gives an address without a token is
 * given the token that was stored for this address. Whoever gives a token without an address, as scripts do, means
 * the default address, or that of the profile that LOADOUT_PROFILE names.
 * @throws CommandFailure
 */
export function findServer({ url, profile }: ServerOptions): Server {
  // `--url` beside it is rejected before (connection.ts), so this address is of the environment.
  if (profile !== undefined) return serverOf(profile, profileNamed(readProfiles(), profile));
  const token = readSecret('LOADOUT_TOKEN');
  const named = io().env['LOADOUT_PROFILE'] || null;
  if (url !== undefined) {
    return token === null ? storedFor(url, named) : { url, token, profile: null };
  }
  if (token !== null) {
    const address = named === null ? defaultUrl : profileNamed(readProfiles(), named).url;
    return { url: address, token, profile: null };
  }
  const profiles = readProfiles();
  const name = named ?? profiles.current;
  if (name !== null) return serverOf(name, profileNamed(profiles, name));
  return { url: defaultUrl, token: null, profile: null };
}

/** The profile that is in use, or else any other, if it has this address. */
function storedFor(url: string, named: string | null): Server {
  const { byName, current } = readProfiles();
  const first = [named ?? current ?? '', ...byName.keys()];
  for (const name of first) {
    const profile = byName.get(name);
    if (profile?.url === url) return serverOf(name, profile);
  }
  return { url, token: null, profile: null };
}

function serverOf(name: string, { url, token }: Profile): Server {
  return { url, token, profile: name };
}
