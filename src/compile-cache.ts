/**
 * V8's compiled code, kept from one start to the next where Node can do that (22.8 and newer): a tenth of the CPU time of
 * a start (D61). In the user's own folder, since whoever can write it decides what runs.
 */
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Newer than the types, which are those of the oldest supported Node. */
const { enableCompileCache, getCompileCacheDir } = module as {
  enableCompileCache?: (folder: string) => unknown;
  getCompileCacheDir?: () => string | undefined;
};

/** For what is imported from now on. A folder that cannot be written is no fault: then nothing is kept. */
export function keepCompiledCode(): void {
  enableCompileCache?.(join(homedir(), '.cache', 'loadout'));
}

/** What a process that this one starts is given to use it too. */
export function compileCacheEnvironment(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir?.();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
