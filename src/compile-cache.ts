/**
 * V8's compiled code, kept from one start to the next where Node can do that (22.8 and newer): a tenth of the CPU time of
 * a start (D61). Only below a cache folder that there is: a service account's home may be the data folder.
 */
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Newer than the types, which are those of the oldest supported Node. */
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };

/** Null: nothing is kept. */
let folder: string | null = null;

/** For what is imported from now on. A folder that cannot be written is no fault. */
export function keepCompiledCode(): void {
  if (enableCompileCache === undefined) return;
  folder = cacheFolder();
  if (folder !== null) enableCompileCache(folder);
}

/** What a process that this one starts is given to use it too. */
export function compileCacheEnvironment(): Readonly<Record<string, string>> {
  return folder === null ? {} : { NODE_COMPILE_CACHE: folder };
}

function cacheFolder(): string | null {
  // Systemd's, for a unit with CacheDirectory=, which may name several.
  // biome-ignore lint/style/noProcessEnv: this is read before any command is loaded.
  const [given = ''] = (process.env['CACHE_DIRECTORY'] ?? '').split(':');
  if (given !== '') return join(given, 'compiled');
  try {
    const caches = join(homedir(), '.cache');
    return existsSync(caches) ? join(caches, 'loadout') : null;
  } catch {
    // Some accounts have no home.
    return null;
  }
}
