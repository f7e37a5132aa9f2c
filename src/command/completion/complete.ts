/**
 * `loadout __complete`: the names that completion scripts offer. A person waits for each answer with the finger on TAB: it is
 * quick or empty, and silent whatever goes wrong.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { AdminClient } from '../client/admin-client.js';
import { wordsBeforeEnvironment } from '../client/environment-first.js';
import { findServer, type Server } from '../profile/find-server.js';
import { readProfiles } from '../profile/profiles.js';
import { io } from '../terminal/io.js';
import { oneLine, print } from '../terminal/output.js';
import { parseUrl } from '../terminal/parse-option.js';

export type NameKind =
  | 'environments'
  | 'contents'
  | 'segments'
  | 'releases'
  | 'experiments'
  | 'profiles';

type Names = Partial<Record<NameKind, readonly string[]>>;

/** With the start of the program, a third of a second. LOADOUT_COMPLETION_MS is for servers that are far away. */
const requestMsDefault = 200;
const requestMsMax = 10_000;
/** Somebody who completes several words in a row is asked for once. */
const cachedMs = 5_000;

export function completeCommand(name: string): Command {
  return new Command(name)
    .argument('<kind>', 'what is asked for')
    .argument('[words...]', 'what was typed before, without the program')
    .action(complete);
}

async function complete(kind: NameKind, words: readonly string[]): Promise<void> {
  let names: readonly string[] = [];
  try {
    names = kind === 'profiles' ? [...readProfiles().byName.keys()] : await ask(kind, words);
  } catch {
    // Nothing is offered.
  }
  const printable = names.filter((name) => name !== '' && oneLine(name) === name);
  print(printable.map((name) => `${name}\n`).join(''));
}

async function ask(kind: NameKind, words: readonly string[]): Promise<readonly string[]> {
  const url = optionIn(words, '--url') ?? (io().env['LOADOUT_URL'] || undefined);
  const profile = optionIn(words, '--profile');
  const server = findServer({
    ...(url === undefined ? {} : { url: parseUrl(url) }),
    ...(profile === undefined ? {} : { profile }),
  });
  const env = kind === 'environments' ? null : environmentIn(words);
  if (env === undefined) return [];
  const path = cachePath(server, env);
  const cached = readCache(path);
  if (cached !== null) return cached[kind] ?? [];
  // A server that does not answer is not asked again by the next TAB.
  const names = await request(server, env).catch(() => ({}) as Names);
  writeCache(path, names);
  return names[kind] ?? [];
}

async function request({ url, token }: Server, env: string | null): Promise<Names> {
  const client = new AdminClient(url, token, { signal: AbortSignal.timeout(requestMs()) });
  if (env === null) {
    const { value } = await client.request('GET /environments', {});
    return { environments: value.environments.map(({ id }) => id) };
  }
  const { value } = await client.request('GET /environments/:env/names', { params: { env } });
  return {
    contents: value.contents.map(({ id }) => id),
    segments: value.segments.map(({ name }) => name),
    releases: value.releases.map(({ release }) => String(release)),
    experiments: value.experiments.map(({ id }) => id),
  };
}

function requestMs(): number {
  const given = Number(io().env['LOADOUT_COMPLETION_MS'] ?? requestMsDefault);
  return given >= 1 ? Math.min(given, requestMsMax) : requestMsDefault;
}

/** bash takes `--env=dev` apart at the "=". */
function optionIn(words: readonly string[], flag: string): string | undefined {
  const joined = words.find((word) => word.startsWith(`${flag}=`));
  if (joined !== undefined) return joined.slice(flag.length + 1);
  const at = words.indexOf(flag);
  if (at < 0) return undefined;
  return words[at + 1] === '=' ? words[at + 2] : words[at + 1];
}

function environmentIn(words: readonly string[]): string | undefined {
  const option = optionIn(words, '--env');
  if (option !== undefined) return option;
  const before = wordsBeforeEnvironment(words[0]);
  if (before !== undefined) return words.slice(before).find((word) => !word.startsWith('-'));
  return io().env['LOADOUT_ENV'] || undefined;
}

/** The token is part of the name: others see other environments. */
function cachePath({ url, token }: Server, env: string | null): string {
  const { XDG_CACHE_HOME: given = '', HOME: home = '' } = io().env;
  const folder = given.startsWith('/') ? given : join(home === '' ? homedir() : home, '.cache');
  const key = createHash('sha256')
    .update(JSON.stringify([url, token, env]))
    .digest('hex');
  return join(folder, 'loadout', `names-${key.slice(0, 32)}.json`);
}

function readCache(path: string): Names | null {
  try {
    const ageMs = Date.now() - statSync(path).mtimeMs;
    if (ageMs < 0 || ageMs > cachedMs) return null;
    return JSON.parse(readFileSync(path, 'utf8')) as Names;
  } catch {
    return null;
  }
}

function writeCache(path: string, names: Names): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const next = `${path}.${process.pid}`;
    writeFileSync(next, JSON.stringify(names), { mode: 0o600 });
    renameSync(next, path);
  } catch {
    // It is asked for again.
  }
}
